//go:build browser

package browsertest

import (
	"strings"
	"testing"

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
