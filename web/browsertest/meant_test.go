//go:build browser

package browsertest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/state/stage"
)

// visits is a messy file: a sex that is written in several ways, districts, and incomes that crowd
// at the lower end of the possible ones.
func visits(t *testing.T) (path string, women, mitte, both int) {
	var b strings.Builder
	b.WriteString("Geschlecht;Bezirk;Einkommen\n")
	spelled := []string{"w", "W", "weiblich", "F", "m", "m", "m", "d"}
	for i := range 4000 {
		sex, district := spelled[i%8], []string{"Mitte", "Tal", "Berg"}[i%3]
		if i%8 < 4 {
			women++
		}
		if district == "Mitte" {
			if mitte++; i%8 < 4 {
				both++
			}
		}
		fmt.Fprintf(&b, "%s;%s;%d\n", sex, district, 1500+i%2000)
	}
	path = filepath.Join(t.TempDir(), "visits.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, women, mitte, both
}

// conditionOn makes the first condition one of a column.
func (p *webPage) conditionOn(column int) {
	p.t.Helper()
	p.until("the condition", `document.getElementById("condition-1-column")`)
	p.eval(fmt.Sprintf(`(() => {
		const column = document.getElementById("condition-1-column")
		column.value = "%d"
		column.dispatchEvent(new Event("change", {bubbles: true}))
	})()`, column), nil)
	p.until("its values", `document.getElementById("condition-1-value")`)
}

// asJSON is the release that the page gives as JSON.
func (p *webPage) asJSON() (r task.Release) {
	p.t.Helper()
	file := p.download(func() { p.export("#export-json") })
	if err := json.Unmarshal(file.data, &r); err != nil {
		p.t.Fatal(err)
	}
	return r
}

// number is the value of a released number.
func number(t *testing.T, r task.Release) (x float64) {
	t.Helper()
	if _, err := fmt.Sscan(r.Answer.Result.(*task.Estimates).Rows[0].Value, &x); err != nil {
		t.Fatal(err)
	}
	return x
}

// TestMeant asks for a share of values that the list lacks, of all and of some:
// the sentence says whom each answer is about, and so does the answer.
func TestMeant(t *testing.T) {
	path, women, mitte, both := visits(t)
	p := open(t, serveBundle(t).url)
	p.upload("#file", path)
	p.confirm()
	p.describing("Bezirk", func() {
		p.fill("textbox", "Categories, one a line", "Mitte\nTal\nBerg")
	})
	p.describing("Geschlecht", func() { p.fill("textbox", "Categories, one a line", "w\nm\nd") })
	p.waitText("Some cells are in none of these categories") // which moves the rows below
	p.question()
	p.click("button", "More…")
	p.fill("combobox", "Search all questions", "share of women")
	p.clickSelector("#found-share")
	p.choose("Column", "Geschlecht")
	p.choose("Values that count", "several or other values…")
	p.fill("textbox", "Values that count, one a line", "w\nW\nweiblich\nF")
	p.waitPrice()
	p.pictures("meant-share")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText("are w, W, weiblich or F (Geschlecht)")
	if got, want := number(t, p.asJSON()), float64(women)/4000; got < want-.01 || got > want+.01 {
		t.Errorf("a share of %g, true is %g", got, want)
	}
	p.axe()

	p.question()
	p.click("button", "Add a condition")
	p.conditionOn(2)
	p.choose("Add a value", "Mitte")
	p.until("the condition in the sentence",
		`document.getElementById("sentence").textContent.includes("Bezirk Mitte")`)
	p.waitPrice()
	if shown := p.value("combobox", "Add a value"); shown != "0" {
		t.Errorf("once a value is added, the field for another shows %q", shown)
	}
	p.axe()
	p.pictures("meant-condition")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText("of all people with Bezirk Mitte are w, W, weiblich or F (Geschlecht)")
	r := p.asJSON()
	if got, want := number(t, r), float64(both)/float64(mitte); got < want-.03 || got > want+.03 {
		t.Errorf("a share of %g, true is %g", got, want)
	}
	p.pictures("meant-answer")

	// Another kind of question is about the same people, and says so.
	p.kind("mean")
	p.until("the condition in the sentence of a mean",
		`document.getElementById("sentence").textContent.includes("Bezirk Mitte")`)
	p.clickSelector("#drop-1")
	p.until("no condition", `!document.getElementById("sentence").textContent.includes("Mitte")`)

	// A mean that is small for its range is not good before and noise after.
	p.describe("Einkommen", "0", "1000000")
	p.question()
	p.choose("Column", "Einkommen")
	p.fill("textbox", "Privacy loss ε (epsilon)", "0.5")
	p.waitPrice()
	p.until("from which mean on it is good", `/^(Good|Rough) if [\d\u00a0]+ or more$/.test(
		document.querySelector("#`+stage.BarID+` .verdict").textContent)`)
	p.waitText("A range up to 500 000")
	p.pictures("meant-before")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText("What is promised")
	r = p.asJSON()
	mean, from := number(t, r), 5*r.Plan.Verdict.Error
	if good := r.Verdict.Grade == ask.Good; good != (mean >= from) ||
		r.Plan.Verdict.Grade == ask.Good {
		t.Errorf("good from %g on before, and %s for %g after: %+v", from, r.Verdict.Grade, mean,
			r.Plan.Verdict)
	}
}
