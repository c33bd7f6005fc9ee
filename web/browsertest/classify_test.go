//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/task"
	"hush/web/state/lesson"
)

// TestLabelNewCases teaches, from a private table, which of the cases in a public file would fall
// ill: votes are refused for so few people, and a rule is released that labels the cases.
func TestLabelNewCases(t *testing.T) {
	s := serveBundle(t)
	p := open(t, s.url)
	ill := func(age, income int) bool { return age >= 60 && income < 3000 }
	file := fileOf(t, "ill.csv", "age,income,ill", 20_000, func(i int) string {
		age, income := i*7%100, i*37%50*100
		return fmt.Sprintf("%d,%d,%s", age, income,
			map[bool]string{true: "yes", false: "no"}[ill(age, income) != (i%11 == 0)])
	})
	cases := fileOf(t, "cases.csv", "age,income", 150, func(i int) string {
		return fmt.Sprintf("%d,%d", i*13%100, i*7%50*100)
	})
	p.drop("#drop", file)
	p.confirm()
	p.askForLabels(3, "ill", map[string]string{"age": "120", "income": "5000"}, "age", "income")
	p.waitText("the new cases as a table: one a line")
	p.upload("#cases-file", cases)
	p.choose("Rules", "a range in each feature, all at once")
	p.choose("Release", "labels only, by votes of relabelled people")
	p.waitText("or release a rule, which needs fewer")
	p.choose("Release", "a rule, which labels these cases and any others")
	p.waitText("than by the best rule among those that differ on the cases")
	p.fill("textbox", "Privacy loss ε (epsilon)", "1")
	p.click("button", "Release, spending ε = 1")
	p.waitText("Of 150 new cases")
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	l := released(p).Answer.Result.(*task.Labels)
	wrong := 0
	for _, c := range l.Cases {
		age, _ := strconv.Atoi(c.Values[0])
		income, _ := strconv.Atoi(c.Values[1])
		if (c.Label == "yes") != ill(age, income) {
			wrong++
		}
	}
	if len(l.Cases) != 150 || wrong > 3 || !strings.HasPrefix(l.Rule, "yes for age from ") {
		t.Errorf("%d of %d cases wrong by %q", wrong, len(l.Cases), l.Rule)
	}
	look(p, "labels")
	p.click("link", "Ledger")
	p.waitText("Spent: ε = 1")
	p.click("link", "Publish")

	// The rule labels a case typed in, and a file of cases; saved and opened in a page without data
	// it does so again.
	labels := func() {
		t.Helper()
		p.fill("textbox", "age", "70")
		p.fill("textbox", "income", "100")
		p.clickSelector("#ask-case")
		p.waitText("By the rule, 70, 100: yes.")
		p.fill("textbox", "age", "old")
		p.clickSelector("#ask-case")
		p.waitText("Wanted: whole numbers from 0 to 120.")
		labelled := string(p.download(func() { p.upload("#ask-cases-file", cases) }).data)
		p.waitText("Saved as hush-labelled.csv: 150 cases with labels.")
		if !strings.HasPrefix(labelled, "age,income,label\n0,0,no\n") ||
			strings.Count(labelled, "\n") != 151 {
			t.Errorf("labelled file %.60q of %d lines", labelled, strings.Count(labelled, "\n"))
		}
	}
	labels()
	saved := p.download(func() { p.export("#export-json") })
	path := filepath.Join(t.TempDir(), "rule.json")
	if err := os.WriteFile(path, saved.data, 0o600); err != nil {
		t.Fatal(err)
	}
	p = open(t, s.url)
	gone := func(input, file, want string) {
		t.Helper()
		p.eval(`void (globalThis.readText = File.prototype.text, File.prototype.text = () => Promise.reject(new DOMException("moved", "NotReadableError")))`, nil)
		p.upload(input, file)
		p.waitText(want)
		p.eval(`void (File.prototype.text = readText)`, nil)
	}
	gone("#release-file", path,
		"The file can no longer be read: it was moved or changed. Choose it again.")
	p.upload("#release-file", path)
	p.waitText("the file does not prove that its numbers were released")
	gone("#ask-cases-file", cases, "The file can no longer be read")
	labels()
}

// askForLabels fills in the question of labels: the column of the answer, and features with bounds,
// the first columns of the file.
func (p *webPage) askForLabels(outcome int, answer string, high map[string]string,
	features ...string) {
	p.t.Helper()
	for name, most := range high {
		p.describe(name, "0", most)
	}
	p.describeList(answer, "yes", "no")
	p.kind("classify")
	set := func(id, value string) {
		p.t.Helper()
		p.until(id, fmt.Sprintf(`!!document.getElementById(%q)`, id))
		p.eval(fmt.Sprintf(`(() => { const field = document.getElementById(%q); field.value = %q;
			field.dispatchEvent(new Event(field.localName === "select" ? "change" : "input", { bubbles: true })); })()`, id, value), nil)
	}
	set("others-0-column", strconv.Itoa(outcome))
	for i := range features {
		column := fmt.Sprintf("others-%d-column", i+1)
		if i > 0 && !p.there(column) {
			p.clickSelector("#add-feature")
		}
		set(column, strconv.Itoa(i+1))
	}
}

// TestLabelOneAtATime asks votes for one case after the other, all paid for with the release, until
// they end with the engine that held them.
func TestLabelOneAtATime(t *testing.T) {
	p := open(t, serveBundle(t).url)
	file := fileOf(t, "old.csv", "age,old", 60_000, func(i int) string {
		return fmt.Sprintf("%d,%s", i%100, map[bool]string{true: "yes", false: "no"}[i%100 >= 60])
	})
	p.drop("#drop", file)
	p.confirm()
	p.askForLabels(2, "old", map[string]string{"age": "99"}, "age")
	p.choose("Release", "labels only, by votes of people as they are")
	p.fill("textbox", "Cases to ask later, one at a time", "3")
	p.fill("textbox", "Privacy loss ε (epsilon)", "3")
	p.click("button", "Release, spending ε = 3")
	p.waitText("No case is labelled yet: they are asked one at a time.")
	p.waitText("3 cases more can be asked")
	p.fill("textbox", "age", "120")
	p.clickSelector("#ask-case")
	p.waitText("Wanted: whole numbers from 0 to 99.")
	for i, tt := range [][2]string{{"90", "yes"}, {"5", "no"}} {
		p.fill("textbox", "age", tt[0])
		p.clickSelector("#ask-case")
		p.waitText(fmt.Sprintf("The last case, %s: %s.", tt[0], tt[1]))
		p.waitText([]string{"2 cases more can be asked", "1 case more can be asked"}[i])
	}
	look(p, "votes")
	if l := released(p).Answer.Result.(*task.Labels); len(l.Cases) != 2 || l.Yes != 1 ||
		l.No != 1 || l.Left.Cases != 1 {
		t.Errorf("the release has %+v", l)
	}
	p.inWorker("engine.js",
		`void setTimeout(() => { postMessage({ op: "died", reason: "out-of-memory" }); close(); })`,
		nil)
	p.waitText("The votes of this release have ended: the engine that held them stopped.")
	p.click("link", "Ledger")
	p.waitText("Spent: ε = 3")
}

// TestPutToTheTest sets people of the made-up set aside in a lesson, and sees how many are labelled
// rightly.
func TestPutToTheTest(t *testing.T) {
	p := open(t, serveBundle(t).url+"#/learn/classify")
	p.until("an answer", `!!document.getElementById("learn-draw")`)
	fifty := slices.Index(lesson.Asides, 50)
	p.eval(fmt.Sprintf(`(() => { const field = document.getElementById("learn-aside"); field.value = %d; field.dispatchEvent(new Event("change", { bubbles: true })); })()`, fifty), nil)
	p.waitText("50 further people were labelled without teaching any rule")
	p.until("how many are right",
		`/^[5-9][0-9]\.[0-9] %, in 10 draws from /.test(document.getElementById("learn-aside-private").textContent)`)
	for _, width := range []int64{1280, 360} {
		p.size(width, 2600)
		p.screenshot(fmt.Sprintf("aside-%d", width), width, 2600, "light")
	}
	p.axe()
	// A baseline that only lessons offer says what it is.
	p.eval(`(() => { const field = document.getElementById("learn-release"); field.value = "logistic"; field.dispatchEvent(new Event("change", { bubbles: true })); })()`, nil)
	p.until("the baseline",
		`document.getElementById("learn-used").textContent.includes("a baseline whose noise is not exact")`)
	p.waitText("a baseline for lessons, never used to publish")
	p.screenshot("aside-baseline", 360, 3000, "dark")
}
