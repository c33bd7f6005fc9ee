//go:build browser

package browsertest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/table"
	"hush/web/engine"
)

// peopleFiles is a directory with people.csv, people.xlsx and people.parquet: one table of made-up
// people, which a script of the readers' tests writes.
func peopleFiles(t *testing.T, rows int) string {
	t.Helper()
	dir := t.TempDir()
	const script = "../../static/readers/testing/people.mjs"
	out, err := exec.Command("node", script, dir, fmt.Sprint(rows)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// TestWorkbookAndParquet opens a workbook of three sheets and a Parquet file of the same table, as
// a person does, chooses a sheet, and gets a histogram of each; and the engine reads of both what
// it reads of the CSV.
func TestWorkbookAndParquet(t *testing.T) {
	dir := peopleFiles(t, 1000)
	site := serveBundle(t)
	t.Run("xlsx", func(t *testing.T) {
		p := open(t, site.url)
		p.upload("#file", filepath.Join(dir, "people.xlsx"))
		p.waitText("Excel workbook, 3 sheets")
		p.waitText("The table is rows 1 to 2 of the sheet")
		p.waitText("Merged cells (1), first in row 1, column 1")
		p.set("part", "2")
		p.waitText("The table is rows 2 to 1002 of the sheet")
		p.waitText("5 columns, names in the first row")
		p.axe()
		for _, s := range []struct {
			name   string
			width  int64
			scheme string
		}{{"wide", 1280, "light"}, {"narrow", 390, "light"}, {"dark", 1280, "dark"}} {
			p.screenshot("sheets-"+s.name, s.width, 1100, s.scheme)
		}
		askAge(p)
		p.click("button", "Release, spending")
		p.waitText(histogramSays)
	})
	t.Run("parquet", func(t *testing.T) {
		p := open(t, site.url)
		p.upload("#file", filepath.Join(dir, "people.parquet"))
		p.waitText("Parquet file")
		p.waitText("1 000 rows")
		p.axe()
		p.screenshot("parquet", 1280, 1100, "light")
		askAge(p)
		p.click("button", "Release, spending")
		p.waitText(histogramSays)
	})

	b := openEngine(t)
	read := func(name string, o table.Options) (opening engine.Opening) {
		options, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		b.upload("#file", filepath.Join(dir, name))
		b.script(fmt.Sprintf(`globalThis.hush ?? start(); await hush.ready;
			return await hush.open(picked(), %s);`, options), &opening)
		return opening
	}
	says := func(o engine.Opening) string { // Excel writes TRUE, and Parquet true
		return strings.ToLower(fmt.Sprint(o.Rows, o.Options.Header, o.Options.Columns, o.Preview,
			o.Fields))
	}
	want := read("people.csv", table.Options{})
	for _, got := range []engine.Opening{
		read("people.xlsx", table.Options{Format: table.XLSX, Part: 2}),
		read("people.parquet", table.Options{}),
	} {
		if says(got) != says(want) || len(got.Problems) != 0 {
			t.Errorf("%s is read as %s %v, want %s", got.Options.Format, says(got), got.Problems,
				says(want))
		}
	}
	damaged := filepath.Join(t.TempDir(), "people.xlsx")
	whole, err := os.ReadFile(filepath.Join(dir, "people.xlsx"))
	if err == nil {
		whole[len(whole)/3] ^= 1
		err = os.WriteFile(damaged, whole, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	b.upload("#file", damaged)
	var why string
	b.script(`return await hush.open(picked(), { format: "xlsx", part: 2 })
		.then(() => "", (error) => error.message);`, &why)
	if !strings.Contains(why, "damaged or cut off (part 2") {
		t.Errorf("a damaged workbook is refused with %q", why)
	}
}
