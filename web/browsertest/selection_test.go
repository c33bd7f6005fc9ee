//go:build browser

package browsertest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"hush/core/task"
)

// groupsFile is a table of 4000 persons in three groups by two numbers, with a city that half of
// them share, and whether they are sick: mostly those of one group.
func groupsFile(t *testing.T) string {
	return fileOf(t, "groups.csv", "age,dose,city,sick", 4000, func(i int) string {
		middle := [][2]int{{20, 15}, {50, 80}, {80, 30}}[i%3]
		sick := map[bool]string{true: "yes", false: "no"}[i%3 == 2 || i%7 == 0]
		return fmt.Sprintf("%d,%d,%s,%s", middle[0]+i%9-4, middle[1]+i%7-3,
			[]string{"Rom", "Rom", "Ulm", "Bern"}[i%4], sick)
	})
}

// hundred gives a further column the bounds 0 to 99; its fields have the names of those of other
// columns.
func hundred(p *webPage, at int) {
	p.t.Helper()
	for field, value := range map[string]string{"lo": "0", "hi": "99"} {
		id := fmt.Sprintf("others-%d-%s", at, field)
		p.until(id, fmt.Sprintf(`document.getElementById(%q)`, id))
		p.eval(fmt.Sprintf(
			`(() => { const field = document.getElementById(%q); field.focus(); field.value = %q;
			field.dispatchEvent(new Event("input", { bubbles: true })); field.dispatchEvent(new Event("change", { bubbles: true })); field.blur(); })()`, id, value), nil)
	}
}

// asks opens a file of groups and begins a question.
func asks(t *testing.T, question string) *webPage {
	p := open(t, serveBundle(t).url)
	p.drop("#drop", groupsFile(t))
	p.click("button", "Yes, read it like this")
	p.click("radio", question)
	return p
}

// TestClustersOfTwoColumns finds three groups, and how many they are.
func TestClustersOfTwoColumns(t *testing.T) {
	p := asks(t, "Clusters")
	for i, column := range []string{"1 · age", "2 · dose"} {
		p.choose(fmt.Sprintf("Column with the coordinate %d", i+1), column)
		hundred(p, i)
	}
	p.waitText("Smallest group released")
	p.waitText("2.75 × one run")
	p.fill("textbox", "Privacy loss ε (epsilon)", "1")
	p.click("button", "Release, spending ε = 1")
	p.waitText("groups by ")
	if c := released(p).Answer.Result.(*task.Clusters); len(c.Centres) < 2 || len(c.Centres) > 4 {
		t.Errorf("%+v", c)
	}
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	look(p, "clusters")
}

// TestStrongestRelation finds the column that goes with the answer.
func TestStrongestRelation(t *testing.T) {
	p := asks(t, "Strongest relation")
	p.choose("Column with the yes or no", "4 · sick")
	p.fill("textbox", "Categories, one a line", "yes\nno")
	for i, column := range []string{"1 · age", "2 · dose"} {
		p.choose(fmt.Sprintf("Column with the value to compare %d", i+1), column)
		hundred(p, i+1)
	}
	p.waitText("Behind the strongest by at most")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText("Of the columns compared, column 1 goes most with column 4")
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	look(p, "strongest")
}

// TestMostFrequentOfAnyText names a city that nobody listed.
func TestMostFrequentOfAnyText(t *testing.T) {
	p := asks(t, "Most frequent value")
	p.choose("Column", "3 · city")
	p.choose("It holds", "texts")
	p.fill("textbox", "Longest text, in bytes", "6")
	p.waitText("A value must be had by")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText("Most frequent of column 3: Rom")
	w := released(p).Answer.Result.(*task.Winner)
	if count, err := strconv.Atoi(w.Count); err != nil || count < 1900 || count > 2100 {
		t.Errorf("%+v", w)
	}
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	look(p, "mode")
}

// TestTriedBinWidths tries five widths for two and a half times the loss of one run, and says so
// before.
func TestTriedBinWidths(t *testing.T) {
	p := asks(t, "Histogram")
	p.choose("Column", "1 · age")
	p.fill("textbox", "Smallest possible value", "0")
	p.fill("textbox", "Largest possible value", "99")
	p.click("DisclosureTriangle", "Try many, publish the best")
	p.fill("textbox", "Bin width, values to try", "1, 5, 10, 25, 50")
	p.waitText("2.5 × one run")
	p.waitText("in place of ε = 1, which releasing each of them as accurately would cost")
	p.fill("textbox", "Privacy loss ε (epsilon)", "1")
	p.click("button", "Release, spending ε = 1")
	p.waitText("was chosen privately among 1, 5, 10, 25, 50")
	r := released(p)
	if r.Tuned == nil || len(r.Tuned.Among) != 5 || r.Tuned.Value == "50" ||
		!strings.Contains(r.Statement, "Bin width "+r.Tuned.Value) {
		t.Errorf("%+v, %s", r.Tuned, r.Statement)
	}
	look(p, "tried")
}
