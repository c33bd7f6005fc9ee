//go:build browser

package browsertest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"hush/core/task"
)

// readTable pastes a table and confirms how it is read.
func (p *webPage) readTable(text string) {
	p.t.Helper()
	p.click("DisclosureTriangle", "Other ways to begin")
	paste(p, "The table as text", text)
	p.click("button", "Read the pasted table")
	p.confirm()
}

// set gives a field by its id a text, or an entry, as if a person had done so.
func (p *webPage) set(id, text string) {
	p.t.Helper()
	p.until("the field "+id, fmt.Sprintf(`document.getElementById(%q)`, id))
	p.eval(fmt.Sprintf(`(() => {
		const field = document.getElementById(%q);
		field.focus();
		field.value = %q;
		field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
		field.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, id, text), nil)
	p.until(id+" to stay", fmt.Sprintf(`document.getElementById(%q)?.value === %q`, id, text))
}

// tick clicks a box, and waits until it is ticked, or no longer.
func (p *webPage) tick(id string, on bool) {
	p.t.Helper()
	p.clickSelector("#" + id)
	p.until(id+" to change", fmt.Sprintf(`document.getElementById(%q).checked === %v`, id, on))
}

// townTable returns 4000 people: a third in each district, and those of 50 and older in Hill are
// ill.
func townTable() string {
	var b strings.Builder
	b.WriteString("age\tdistrict\tstate\n")
	for i := range 4000 {
		age, district, state := i*37%100, []string{"Hill", "Mill", "Lake"}[i%3], "well"
		if age >= 50 && district == "Hill" {
			state = "ill"
		}
		fmt.Fprintf(&b, "%d\t%s\t%s\n", age, district, state)
	}
	return b.String()
}

// describeTown describes the columns by which the people of the town differ.
func (p *webPage) describeTown() {
	p.t.Helper()
	p.describe("age", "0", "100")
	p.describeList("district", "Hill", "Mill", "Lake")
}

// setAttributes sets the columns age and district of the role, from column at on.
func (p *webPage) setAttributes(at int) {
	p.t.Helper()
	id := func(field string) string { return "others-" + strconv.Itoa(at) + "-" + field }
	p.set(id("column"), "1")
	p.set(id("cuts"), "50")
	p.clickSelector("#add-attribute")
	at++
	p.set(id("column"), "2")
}

// TestCombinations releases combinations of attributes, asks about some by ticking, looks at a
// table of two columns, saves the release, and asks the saved one on a page that has no data.
func TestCombinations(t *testing.T) {
	s := serveBundle(t)
	p := open(t, s.url)
	p.readTable(townTable())
	p.describeTown()
	p.kind("conjunctions")
	p.setAttributes(0)
	p.set("epsilon", "1")
	p.waitText("An answer is off by, typically")
	p.click("button", "Release, spending ε = 1")
	p.waitText("Counts of people with any combination of up to 2 of 5 attributes of age, district")
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	ask := func(p *webPage) {
		p.tick("ask-0", true)
		p.tick("ask-2", true)
		// truly about 667
		about := `/About (5[6-9]|6[0-9]|7[0-7])[0-9] people have all of these/.test(document.getElementById("ask-answer").textContent)`
		p.until("an answer", about)
		p.tick("ask-3", true)
		// nobody lives in two districts
		p.until("certainty",
			`document.getElementById("ask-answer").textContent.includes("that is certain")`)
		p.tick("ask-3", false)
		p.until("the answer again", about)
	}
	ask(p)
	p.tick("ask-column-0", true)
	p.tick("ask-column-1", true)
	p.waitText("People with each combination")
	p.axe()
	p.screenshot("combinations", 1280, 1500, "light")

	file := p.download(func() { p.export("#export-json") })
	saved := filepath.Join(t.TempDir(), "release.json")
	if err := os.WriteFile(saved, file.data, 0o600); err != nil {
		t.Fatal(err)
	}
	q := open(t, s.url)
	q.upload("#release-file", saved)
	q.waitText("Opened from a file")
	ask(q)
	q.axe()
}

// asksAnyAndNot describes the town and asks for pieces made for “any of”, with “not”.
func (p *webPage) asksAnyAndNot() {
	p.t.Helper()
	p.readTable(townTable())
	p.describeTown()
	p.kind("conjunctions")
	p.setAttributes(0)
	p.set("epsilon", "2")
	p.set("method", "disjunctions")
	p.options()
	p.tick("negations", true)
	p.waitText("An answer is off by, typically")
}

// TestAnyAndNot releases pieces made for “any of”, with the “not” of each district, and asks what
// the release is made for, which stands first, and then what it is not.
func TestAnyAndNot(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.asksAnyAndNot()
	p.click("button", "Release, spending ε = 2")
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	p.waitText("district ≠ Hill")
	p.until("what it is made for", `document.getElementById("ask-how").value === "true"`)
	p.tick("ask-2", true)
	p.until("an answer",
		`/About .* have any of these/.test(document.getElementById("ask-answer").textContent)`)
	p.set("ask-how", "all")
	p.until("another answer",
		`/About .* have all of these/.test(document.getElementById("ask-answer").textContent)`)
	p.axe()
	p.screenshot("any-and-not", 1280, 1500, "light")
}

// TestContactsAndRule releases the contacts between places and asks about a set of them; then
// learns who is ill.
func TestContactsAndRule(t *testing.T) {
	s := serveBundle(t)
	p := open(t, s.url)
	var table strings.Builder
	table.WriteString("from\tto\n")
	for i := range 6000 {
		fmt.Fprintf(&table, "%s\t%s\n", []string{"Hill", "Mill", "Lake"}[i%3],
			[]string{"Hill", "Mill", "Lake"}[i/3%2])
	}
	p.readTable(table.String())
	p.describeList("from", "Hill", "Mill", "Lake")
	p.describeList("to", "Hill", "Mill", "Lake")
	p.kind("contacts")
	p.set("others-0-column", "1")
	p.set("others-1-column", "2")
	p.set("epsilon", "1")
	p.click("button", "Release, spending ε = 1")
	p.waitText("Contacts between any of 3 places and all others")
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	p.tick("ask-2", true)
	// truly 2000
	p.until("an answer",
		`/About (19[5-9]|20[0-4])\d contacts/.test(document.getElementById("ask-answer").textContent)`)
	p.until("the graph", `document.querySelector("#ask-graph svg path")`)
	p.tick("ask-2", false)
	p.until("no answer", `document.getElementById("ask-answer").textContent === ""`)
	var at []float64 // a click on a place of the graph, here on its name, ticks it too
	p.eval(`(() => {
		const name = [...document.querySelectorAll("#ask-graph text")].find((e) => e.textContent === "Lake");
		name.scrollIntoView({ block: "center", behavior: "instant" });
		const { left, top, width, height } = name.getBoundingClientRect();
		return [left + width / 2, top + height / 2];
	})()`, &at)
	p.do(chromedp.MouseClickXY(at[0], at[1]))
	p.until("the place to be ticked", `document.getElementById("ask-2").checked`)
	p.until("its mark",
		`document.getElementById("ask-graph").getAttribute("aria-label").includes("contacts join these")`)
	p.axe()
	p.screenshot("contacts", 1280, 1500, "light")

	q := open(t, s.url)
	q.readTable(townTable())
	q.describeTown()
	q.describeList("state", "ill", "well")
	q.kind("rule")
	q.set("others-0-column", "3")
	q.setAttributes(1)
	q.set("epsilon", "1")
	q.click("button", "Release, spending ε = 1")
	q.waitText("Ill if age ≥ 50 and district = Hill, else well.")
	q.until("a chart", `document.querySelector("#release-chart svg path")`)
	q.axe()
	q.screenshot("rule", 1280, 1500, "light")
	var release task.Release
	if err := json.Unmarshal(q.download(func() { q.export("#export-json") }).data,
		&release); err != nil {
		t.Fatal(err)
	}
	if r := release.Answer.Result.(*task.LearnedRule); r.Right < 3900 || r.Right > 4000 {
		t.Errorf("%+v", r)
	}
}
