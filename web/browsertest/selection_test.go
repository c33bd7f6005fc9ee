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

// asks opens a file of groups, whose columns are to be described.
func asks(t *testing.T) *webPage {
	p := open(t, serveBundle(t).url)
	p.drop("#drop", groupsFile(t))
	p.confirm()
	return p
}

// TestClustersOfTwoColumns finds three groups, and how many they are.
func TestClustersOfTwoColumns(t *testing.T) {
	p := asks(t)
	p.describe("age", "0", "99")
	p.describe("dose", "0", "99")
	p.kind("clusters")
	for i, column := range []string{"age", "dose"} {
		p.choose(fmt.Sprintf("Column with the coordinate %d", i+1), column)
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
	p := asks(t)
	p.describe("age", "0", "99")
	p.describe("dose", "0", "99")
	p.describeList("sick", "yes", "no")
	p.kind("strongest")
	p.choose("Column with the yes or no", "sick")
	for i, column := range []string{"age", "dose"} {
		p.choose(fmt.Sprintf("Column with the value to compare %d", i+1), column)
	}
	p.waitText("Behind the strongest by at most")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText("Of the columns compared, age goes most with sick")
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	look(p, "strongest")
}

// TestMostFrequentOfAnyText names a city that nobody listed.
func TestMostFrequentOfAnyText(t *testing.T) {
	p := asks(t)
	p.describing("city", func() {
		p.holds("city", "texts")
		p.fill("textbox", "Longest text, in bytes", "6")
	})
	p.askAbout("mode", "city")
	p.waitText("A value is found from")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText("Rom is the most common city")
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
	p := asks(t)
	p.describe("age", "0", "99")
	p.question()
	p.options()
	p.click("DisclosureTriangle", "Try many, publish the best")
	p.fill("textbox", "Bin width, values to try", "1, 5, 10, 25, 50")
	p.waitText("2.5 × one run")
	p.waitText("instead of ε = 1, the cost of releasing each of them as accurately")
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
