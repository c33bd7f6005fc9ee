//go:build browser

package browsertest

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestTableOfTwoColumns: how many patients there are by district and department, as a heat map and
// as a table with heads, sums and shares, and in files long and wide.
func TestTableOfTwoColumns(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.sample("Clinic visits")
	p.kind("table")
	p.choose("Column with a column of the table 1", "district")
	p.choose("Column with a column of the table 2", "department")
	p.waitText("The grey cells are not data: 3 200 patients spread evenly would be 107 in each")
	p.click("button", "Release, spending ε = 0.5")
	p.until("the heat map", `document.querySelectorAll("#release-chart svg path").length > 30`)
	p.waitText("Patients by district, department")

	var heads struct{ Columns, Rows, Sums int }
	p.eval(`(() => {
		const table = document.querySelector("table.cross");
		return { Columns: table.querySelectorAll("thead th[scope=col]").length,
			Rows: table.querySelectorAll("tbody th[scope=row]").length,
			Sums: table.querySelectorAll("tr.sums td").length };
	})()`, &heads)
	if heads.Columns != 1+5+1 || heads.Rows != 6+1 || heads.Sums != 5+1 {
		t.Errorf("the table has %+v", heads)
	}
	p.axe()
	p.choose("Show", "Shares within each district")
	p.until("shares", `/^\d+\.\d %/.test(document.querySelector("table.cross td").innerText)`)
	p.screenshot("table", 1280, 1400, "light")
	p.screenshot("table-narrow", 390, 1400, "dark")

	long := readCSV(t, p.download(func() { p.export("#export-csv") }).data)
	if len(long) != 31 || strings.Join(long[0], "|") !=
		"district|department|count|low|high|share|verdict" {
		t.Errorf("the long file has %d rows under %q", len(long), long[0])
	}
	wide := readCSV(t, p.download(func() { p.export("#export-wide") }).data)
	if len(wide) != 1+6+1 || len(wide[0]) != 1+5+1+1 {
		t.Errorf("the wide file has %d rows of %d", len(wide), len(wide[0]))
	}
}

func readCSV(t *testing.T, text []byte) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestTableOfManyCells: a table of four columns and 10^5 cells is drawn in pages, by keyboard too,
// and saved whole.
func TestTableOfManyCells(t *testing.T) {
	const columns, places = 4, 18
	var b strings.Builder
	b.WriteString("a,b,c,d\n")
	for i := range 4000 {
		cells := make([]string, columns)
		for k := range cells {
			cells[k] = fmt.Sprintf("%c%d", 'a'+k, (i*(k+1)+i/7)%places)
		}
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	path := filepath.Join(t.TempDir(), "cells.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	p := open(t, serveBundle(t).url)
	p.upload("#file", path)
	p.confirm()
	for k := range columns {
		var list []string
		for i := range places {
			list = append(list, fmt.Sprintf("%c%d", 'a'+k, i))
		}
		p.describeList(string(rune('a'+k)), list...)
	}
	p.question()
	p.kind("table")
	for k := range columns {
		if !p.there(fmt.Sprintf("others-%d-column", k)) { // more than are chosen anyway
			p.clickSelector("#add-by")
		}
		p.choose(fmt.Sprintf("Column with a column of the table %d", k+1), string(rune('a'+k)))
	}
	p.waitPrice()
	p.click("button", "Release anyway…") // so few people are mostly noise in this many cells
	p.click("button", "Release anyway")
	p.waitText("Rows 1 to 50 of 5 832")
	var drawn int
	p.eval(`document.querySelectorAll("table.cross tbody tr").length`, &drawn)
	if drawn != 50 {
		t.Errorf("%d rows are drawn at once", drawn)
	}
	p.eval(`document.getElementById("cross-next").focus()`, nil)
	p.press(kb.Enter)
	p.waitText("Rows 51 to 100 of 5 832")
	p.click("button", "Last")
	p.waitText("Rows 5 801 to 5 832 of 5 832")
	p.until("the sums", `document.querySelector("table.cross tr.sums")`)
	p.eval(`document.getElementById("know")?.click()`, nil)
	rows := readCSV(t, p.download(func() { p.export("#export-csv") }).data)
	if len(rows) != 1+104_976 {
		t.Errorf("the file has %d rows", len(rows))
	}
}

// TestFoundGroupsByColumn: groups that nobody listed are found, and counted by a further column.
func TestFoundGroupsByColumn(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.sample("Clinic visits")
	p.kind("count")
	p.choose("Column", "age")
	p.choose("Answer for", "for each … that is found privately")
	p.choose("Answer for", "for each department that is found")
	p.clickSelector("#add-and")
	p.choose("Column with a further column of groups 1", "district")
	p.waitText("A group is found from")
	p.screenshot("found-question", 1280, 1200, "light")
	p.fill("textbox", "Privacy loss ε (epsilon)", "2")
	p.click("button", "Release, spending ε = 2")
	p.waitText("5 groups were found.")
	p.axe()
	p.screenshot("found-table", 1280, 2000, "light")
	p.screenshot("found-table-narrow", 390, 2400, "dark")
	rows := readCSV(t, p.download(func() { p.export("#export-csv") }).data)
	if len(rows) != 1+6*6 || !strings.HasPrefix(rows[0][0], "group") {
		t.Errorf("the file has %d rows under %q", len(rows), rows[0])
	}
}

// TestTablesOfPeople: several tables at little ε have no count below 0, and keep their intervals.
func TestTablesOfPeople(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.sample("Clinic visits")
	p.kind("tables")
	p.choose("Column with a column of the tables 1", "district")
	p.choose("Column with a column of the tables 2", "department")
	p.fill("textbox", "Privacy loss ε (epsilon)", "1")
	p.click("button", "Release, spending ε = 1")
	p.waitText("Each true count is in its interval")
	p.screenshot("fitted-tables", 1280, 2000, "light")
	rows := readCSV(t, p.download(func() { p.export("#export-csv") }).data)
	for _, row := range rows[1:] {
		if strings.Contains(strings.Join(row, "|"), "-") {
			t.Errorf("a count is below 0: %q", row)
		}
	}
}
