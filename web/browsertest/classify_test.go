//go:build browser

package browsertest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"hush/core/task"
)

// TestLabelNewCases teaches, from a private table, which of the cases in a public file would fall ill: votes are refused for so few people, and
// a rule is released that labels the cases.
func TestLabelNewCases(t *testing.T) {
	p := open(t, serveBundle(t).url)
	ill := func(age, income int) bool { return age >= 60 && income < 3000 }
	file := fileOf(t, "ill.csv", "age,income,ill", 20_000, func(i int) string {
		age, income := i*7%100, i*37%50*100
		return fmt.Sprintf("%d,%d,%s", age, income, map[bool]string{true: "yes", false: "no"}[ill(age, income) != (i%11 == 0)])
	})
	cases := fileOf(t, "cases.csv", "age,income", 150, func(i int) string { return fmt.Sprintf("%d,%d", i*13%100, i*7%50*100) })
	p.drop("#drop", file)
	p.click("button", "Yes, read it like this")
	p.click("radio", "Label new cases")
	set := func(id, value string) {
		t.Helper()
		var done bool
		p.eval(fmt.Sprintf(`(() => { const field = document.getElementById(%q); if (!field) return false; field.value = %q;
			field.dispatchEvent(new Event(field.localName === "select" ? "change" : "input", { bubbles: true })); return true; })()`, id, value), &done)
		if !done {
			t.Fatalf("no field %s", id)
		}
	}
	p.until("the columns", `!!document.getElementById("others-0-column")`)
	set("others-0-column", "3")
	p.until("what it holds", `!!document.getElementById("others-0-kind")`)
	p.until("the categories", `!!document.getElementById("others-0-categories")`)
	set("others-0-categories", "yes\nno")
	p.click("button", "Add a column")
	for i, high := range []string{"120", "5000"} {
		column := fmt.Sprintf("others-%d-", i+1)
		p.until("a feature", fmt.Sprintf(`!!document.getElementById(%q)`, column+"column"))
		set(column+"column", strconv.Itoa(i+1))
		p.until("its bounds", fmt.Sprintf(`!!document.getElementById(%q)`, column+"hi"))
		set(column+"lo", "0")
		set(column+"hi", high)
		set(column+"label", []string{"age", "income"}[i])
	}
	p.waitText("the new cases as a table: one a line")
	p.upload("#cases-file", cases)
	p.choose("Rules", "a range in each feature, all at once")
	p.choose("Release", "labels only, by votes of relabelled people")
	p.waitText("or release a rule, which needs fewer")
	p.choose("Release", "a rule, which labels these cases and any others")
	p.waitText("than by the best rule that tells the cases apart")
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
}
