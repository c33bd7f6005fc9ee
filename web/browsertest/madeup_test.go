//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"hush/core/task"
)

// TestMadeUpRows releases three columns apart, says what is lost before and after, and saves rows
// of the columns' own kinds once they are asked for.
func TestMadeUpRows(t *testing.T) {
	p := asks(t)
	p.describe("age", "0", "99")
	p.describe("dose", "0", "99")
	p.describeList("city", "Rom", "Ulm", "Bern")
	p.kind("madeup")
	p.until("all three columns in the sentence", `[0, 1, 2].every((at) =>
		document.getElementById("others-" + at + "-column")?.value === String(at + 1))`)
	p.waitText("an equal part of the ε spent, for 3 columns")
	p.waitText("relations between columns are lost")
	p.fill("textbox", "Privacy loss ε (epsilon)", "1")
	p.click("button", "Release, spending ε = 1")
	p.waitText("Make rows up")
	m := released(p).Answer.Result.(*task.MadeUp)
	if len(m.Columns) != 3 {
		t.Fatalf("%d columns", len(m.Columns))
	}
	p.fill("textbox", "How many rows of made-up data?", "300000000")
	p.click("button", "Save them as CSV")
	p.waitText("Wanted: a whole number from 1 to 333333.")
	file := p.download(func() {
		p.fill("textbox", "How many rows of made-up data?", "400")
		p.click("button", "Save them as CSV")
	})
	rows := strings.Split(strings.TrimSpace(string(file.data)), "\r\n")
	if len(rows) != 401 || rows[0] != "age,dose,city" {
		t.Fatalf("%s: %d rows under %q", file.name, len(rows), rows[0])
	}
	cities := 0
	for _, row := range rows[1:] {
		if strings.HasSuffix(row, ",Rom") {
			cities++
		}
	}
	if cities < 140 || cities > 260 {
		t.Errorf("%d of 400 made-up rows are from Rom, want about 200", cities)
	}
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	look(p, "madeup")
}

// TestJointRows releases two columns together, says what is kept and what is not, and saves rows.
func TestJointRows(t *testing.T) {
	p := asks(t)
	p.describe("age", "0", "99")
	p.describe("dose", "0", "99")
	p.describeList("city", "Rom", "Ulm", "Bern")
	p.kind("joint")
	p.choose("Column with a column to keep 1", "age")
	p.choose("Column with a column to keep 2", "city")
	p.waitText("Two columns go together as in the data")
	p.fill("textbox", "Privacy loss ε (epsilon)", "1")
	p.click("button", "Release, spending ε = 1")
	p.waitText("Make rows up")
	m := released(p).Answer.Result.(*task.Joint)
	if len(m.Axes) != 2 || len(m.Tables()) != 1 {
		t.Fatalf("%d columns", len(m.Axes))
	}
	file := p.download(func() {
		p.fill("textbox", "How many rows of made-up data?", "400")
		p.click("button", "Save them as CSV")
	})
	rows := strings.Split(strings.TrimSpace(string(file.data)), "\r\n")
	if len(rows) != 401 || rows[0] != "age,city" {
		t.Fatalf("%s: %d rows under %q", file.name, len(rows), rows[0])
	}
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	look(p, "joint")
}

// TestJointShown asks for chosen pairs, sees the pair that was not measured, what the rows are not
// for, and made-up counts beside released ones; and reads rows back from each kind of file.
func TestJointShown(t *testing.T) {
	p := asks(t)
	p.describe("age", "0", "99")
	p.describe("dose", "0", "99")
	p.describeList("city", "Rom", "Ulm", "Bern")
	p.kind("joint")
	for i, column := range []string{"age", "dose", "city"} {
		if i > 1 {
			p.click("button", "Add a column: a column to keep")
		}
		p.choose(fmt.Sprintf("Column with a column to keep %d", i+1), column)
	}
	p.fill("textbox", "Cut points of age", "30, 60")
	p.fill("textbox", "Cut points of dose", "50")
	p.options()
	p.fill("textbox", "Pairs to count", "age, dose\nage, city")
	p.waitText("2 pairs of columns")
	p.fill("textbox", "Privacy loss ε (epsilon)", "1")
	p.eval(`globalThis.ran = [], void new MutationObserver(() => {
		const now = document.getElementById("running")?.innerText;
		if (now) ran.push(now + document.getElementById("bar").innerText);
	}).observe(document.body, { subtree: true, childList: true, characterData: true })`, nil)
	p.click("button", "Release, spending ε = 1")
	p.waitText("How well each pair is kept")
	var ran string
	p.eval(`ran.join("\n")`, &ran)
	for _, want := range []string{"Read the columns", "Fit made-up rows to the counts: round ",
		"ε = 1, δ = 1e-7 is spent, also if you cancel", "Cancel ends the run."} {
		if !strings.Contains(strings.ReplaceAll(ran, "\u00a0", " "), want) {
			t.Errorf("%q does not stand in what was said while it ran:\n%s", want, ran)
		}
	}
	p.waitText("2 of 3 pairs were measured.")
	p.waitText("what was not measured: dose · city")
	p.waitText("three columns at once: only pairs were counted")
	p.until("the pair that was not measured", `[...document.querySelectorAll(".pairs-map td.few")]
		.length === 1`)
	p.until("released counts behind those made up",
		`document.querySelector("table.cross td")?.textContent.includes("released")`)
	p.until("a picture of both", `document.querySelector("#beside-chart svg path")`)
	if m := released(p).Answer.Result.(*task.Joint); len(m.Tables()) != 2 {
		t.Errorf("%d tables", len(m.Tables()))
	}
	p.fill("textbox", "How many rows of made-up data?", "400")
	for form, starts := range map[string]string{"XLSX": "PK", "Parquet": "PAR1"} {
		file := p.download(func() { p.click("button", "Save them as "+form) })
		if !strings.HasPrefix(string(file.data), starts) {
			t.Fatalf("%s begins with %.8q", file.name, file.data)
		}
		path := filepath.Join(t.TempDir(), file.name)
		if err := os.WriteFile(path, file.data, 0o644); err != nil {
			t.Fatal(err)
		}
		again := open(t, serveBundle(t).url)
		again.drop("#drop", path)
		again.waitText("400")
		again.waitText("age")
		again.confirm()
		again.waitText("city")
	}
	look(p, "joint-shown")
}

// TestJointCriteria chooses criteria that rows must meet, row by row, by keys alone where it adds
// and removes one: tolerances begin above the noise, one below it is refused at its row, the rows
// are lines of text as well, and the release says which criteria were met, not by how much.
func TestJointCriteria(t *testing.T) {
	p := asks(t)
	p.describe("age", "0", "99")
	p.describe("dose", "0", "99")
	p.describeList("city", "Rom", "Ulm", "Bern")
	p.kind("joint")
	p.choose("Column with a column to keep 1", "age")
	p.choose("Column with a column to keep 2", "city")
	p.fill("textbox", "Cut points of age", "20, 40, 60")
	p.fill("textbox", "Privacy loss ε (epsilon)", "2")
	text := func() (lines string) {
		p.eval(`document.getElementById("criteria").value`, &lines)
		return lines
	}
	within := func(row int, tolerance string) {
		field := fmt.Sprintf(`document.getElementById("criterion-%d-within")`, row)
		p.until("a row", field)
		p.eval(fmt.Sprintf(`void (%s.focus(), %[1]s.select())`, field), nil)
		p.do(input.InsertText(tolerance))
	}
	p.waitText("costs ε = 2")
	p.click("button", "Add a criterion")
	p.until("the first row", `document.getElementById("criterion-1-kind")?.value === "pairs"`)
	p.waitText("the first good run, no other")
	p.eval(`document.getElementById("add-criterion").focus()`, nil)
	p.press("\r")
	p.press("\r")
	p.until("three rows", `document.getElementById("criterion-3-kind")?.value === "mean"`)
	p.waitText("3, all or nothing")
	if lines := strings.Split(text(), "\n"); len(lines) != 3 ||
		!strings.HasPrefix(lines[0], "pairs, ") || !strings.HasPrefix(lines[2], "mean, age, ") {
		t.Errorf("%q", lines)
	}
	within(2, "0.001")
	p.until("the fault at its row", `document.getElementById("criterion-2-within-fault").textContent
		.includes("a tolerance of at least") &&
		document.getElementById("criterion-2-within").ariaInvalid === "true"`)
	lookAt(p, "criteria-refused", "criteria-rows")
	within(2, "30")
	within(1, "30")
	within(3, "40")
	p.until("the rows as text", `document.getElementById("criteria").value ===
		"pairs, 30 %\ncolumns, 30 %\nmean, age, 40"`)
	p.eval(`document.getElementById("add-criterion").focus()`, nil)
	p.press("\r")
	p.until("a fourth row", `document.getElementById("criterion-4-kind")?.value === "median"`)
	p.eval(`document.getElementById("criterion-4-remove").focus()`, nil)
	p.press("\r")
	p.until("three rows, and the focus behind them", `!document.getElementById("criterion-4-kind")
		&& document.activeElement.id === "add-criterion"`)
	p.waitText("3, all or nothing")
	p.waitText("never said")
	lookAt(p, "criteria-asked", "criteria-rows")

	p.click("DisclosureTriangle", "The same as text") // an old line of text is a row as well
	const field = "What the made-up rows must meet"
	p.fill("textbox", field, "pairs, 30 %\nvariance, age, 3")
	p.until("a line of text as a row", `document.getElementById("criterion-2-line-fault")
		?.textContent.includes("correlation first")`)
	p.fill("textbox", field, "pairs, 30 %\ncolumns, 30 %\nmean, age, 40")
	p.until("rows again", `document.getElementById("criterion-3-within")?.value === "40"`)
	p.waitText("3, all or nothing")
	p.click("button", "Release, spending ε = 2")
	p.waitText("Made-up rows of age, city passed a noisy check of all 3 criteria.")
	p.until("the criteria", `[...document.querySelectorAll("#criteria-passed li")]
		.map((item) => item.innerText.trim()).join("; ") ===
		"pairs, 30 %; columns, 30 %; mean, age, 40"`)
	m := released(p).Answer.Result.(*task.Joint)
	if m.Accepted == nil || len(m.Accepted.Criteria) != 3 {
		t.Fatalf("%+v", m.Accepted)
	}
	p.waitText("Make rows up")
	lookAt(p, "criteria-passed", "release")
}

// lookAt takes pictures of an element, wide and as on a small telephone, in both themes.
func lookAt(p *webPage, name, id string) {
	p.t.Helper()
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 360} {
			p.size(width, 2600)
			p.eval(fmt.Sprintf(`document.getElementById(%q).scrollIntoView()`, id), nil)
			p.screenshot(fmt.Sprintf("%s-%s-%d", name, theme, width), width, 2600, theme)
			p.axeOf(fmt.Sprintf("%s, %s, %d wide", name, theme, width))
		}
	}
	p.size(1280, 900)
	p.theme("light")
}
