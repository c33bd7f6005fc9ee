//go:build browser

package browsertest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/task"
)

// payroll is a file of 600 persons with two rows each: German notation, a missing mark, a broken
// row and a field with a line break.
func payroll(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("id;salary;since;town\n")
	for i := range 1200 {
		fmt.Fprintf(&b, "p%d;\"%d.%03d,50\";%02d.0%d.20%02d;Köln\n", i%600, 1+i%9, i%1000, 1+i%28,
			1+i%9, i%20)
	}
	b.WriteString("p1;\"n/a\";01.01.2020;\"Bonn\nBad Godesberg\"\nhalf;a row\n")
	path := filepath.Join(t.TempDir(), "payroll.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestGuessesRepairsAndPersons takes a guess, reads the cells, takes a repair, names the persons
// and sets a condition.
func TestGuessesRepairsAndPersons(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.upload("#file", payroll(t))
	p.waitText("A row has fewer fields than 4")
	p.confirm()
	p.describing("salary", func() {
		p.waitText("guessed")
		p.fill("textbox", "Smallest possible value", "0")
		p.fill("textbox", "Largest possible value", "20000")
	})
	p.question()
	p.options()
	p.fill("textbox", "Bin width", "1000")
	p.waitText("of all 1\u00a0202 people")
	p.click("button", "Which cells cannot be read?")
	p.waitText("These cells have no value and count for nobody.")
	p.click("button", "Count the usual words for “no value” as missing")
	p.click("button", "Which cells cannot be read?")
	p.waitText("Every cell with something in it was read.")

	p.columns()
	p.choose("One row is", "one of several rows per person")
	p.choose("Named in", "1 · id")
	p.question()
	p.options()
	p.waitText("of all 601 people") // 600 and the one of the broken row, who has no identifier
	p.click("button", "Add a condition")
	p.choose("is", "none of these")
	p.fill("textbox", "Values, one a line", "p1")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText(histogramSays)
	p.click("DisclosureTriangle", "The guarantee exactly")
	p.waitText("rows with the same identifier are one person")

	file := p.download(func() { p.export("#export-json") })
	var release task.Release
	if err := json.Unmarshal(file.data, &release); err != nil {
		t.Fatal(err)
	}
	r := release.Recipe
	if r.Person != 1 || len(r.Filter) != 1 || !r.Filter[0].Not || r.Domain.Mark != "," ||
		release.Plan.People != 601 {
		t.Errorf("n = %d, recipe %+v", release.Plan.People, r)
	}
	p.question()
	p.click("button", "Undo")
	p.until("the condition is empty again",
		`document.querySelector("[id^=condition] textarea, textarea[id^=condition]").value === ""`)
}
