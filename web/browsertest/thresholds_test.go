//go:build browser

package browsertest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hush/core/task"
)

// fileOf writes a table of n rows.
func fileOf(t *testing.T, name, header string, n int, row func(i int) string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range n {
		b.WriteString(row(i) + "\n")
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// released is the release on the page, by its JSON export.
func released(p *webPage) (r task.Release) {
	p.t.Helper()
	file := p.download(func() { p.export("#export-json") })
	if err := json.Unmarshal(file.data, &r); err != nil {
		p.t.Fatal(err)
	}
	return r
}

// look takes pictures of the page, wide and narrow, light and dark, and lets axe see it.
func look(p *webPage, name string) {
	p.t.Helper()
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			p.size(width, 2600)
			p.eval(`document.getElementById("release").scrollIntoView()`, nil)
			p.screenshot(fmt.Sprintf("%s-%s-%d", name, theme, width), width, 2600, theme)
			p.axeOf(fmt.Sprintf("%s, %s, %d wide", name, theme, width))
		}
	}
	p.size(1280, 900)
	p.theme("light")
}

// TestTypicalNameAmongLongTexts asks for the typical value of 10^5 texts in the domain of all texts
// of 2^17 bytes: the advisor takes TreeLog, says why, and can be overruled.
func TestTypicalNameAmongLongTexts(t *testing.T) {
	p := open(t, serveBundle(t).url)
	first := []string{"Ada", "Ben", "Cem", "Dan", "Eva", "Fay", "Gus", "Hal", "Ida", "Jon"}
	p.drop("#drop",
		fileOf(t, "names.csv", "name", 100_000, func(i int) string {
			return fmt.Sprintf("%s %d", first[i%10], i*7919%1_000_003)
		}))
	p.confirm()
	p.describing("name", func() {
		p.holds("name", "texts")
		p.fill("textbox", "Longest text, in bytes", "131072")
	})
	p.askAbout("median", "name")
	p.options()
	p.waitText("your column has a 1048576-bit domain: TreeLog needs")
	p.waitText("used: TreeLog")
	p.choose("Algorithm", "HeavyPaths")
	p.waitText("you chose HeavyPaths, which needs")
	p.choose("Algorithm", "the one that needs fewest people")
	p.waitGone("you chose HeavyPaths")
	p.until("a price", `!document.getElementById("run").disabled`)
	start := time.Now()
	p.click("button", "Release, spending ε = 0.5")
	p.waitText("Median name is about")
	t.Logf("10^5 texts over the 2^20-bit domain: read, sorted and released in %v",
		time.Since(start).Round(time.Millisecond))
	m := released(p).Answer.Result.(*task.Median)
	if first := m.Value[:1]; first != "E" && first != "F" || m.RankError > 2000 {
		t.Errorf("the middle of the alphabet of these names is at %q, off by at most %d", m.Value,
			m.RankError)
	}
	look(p, "typical")
}

// TestAllPercentilesAnswerLater releases a distribution function and asks it afterwards, at no
// cost.
func TestAllPercentilesAnswerLater(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.drop("#drop", visitors(t, 5000))
	askAge(p)
	p.kind("distribution")
	p.waitText("Any count is off by at most")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText("The median of ")
	p.fill("textbox", "How many are below…", "45")
	p.waitText("people are below 45")
	p.fill("textbox", "Which value has this percentage at or below it?", "90")
	p.waitText("About 90 % of the people with a value are at or below 6")
	var count int
	p.eval(`parseInt(document.getElementById("ask-below-answer").textContent.match(/About ([\d\s]+) people/)[1].replace(/\s/g, ""))`, &count)
	d := released(p).Answer.Result.(*task.Distribution)
	if count < 2400-int(d.Error) || count > 2400+int(d.Error) {
		t.Errorf("%d are below 45, want 2400 ± %d", count, d.Error)
	}
	// by the release, and nothing by the questions asked of it
	p.waitText("spent ε = 0.5 of 3")
	look(p, "percentiles")
	p.fill("textbox", "How many are below…", "many")
	p.waitText("Wanted: a possible value")
	p.clickAgain("Release once more, spending ε = 0.5")
	p.until("the answers of the last release are gone",
		`document.getElementById("ask-percent-answer").textContent === "" && document.getElementById("ask-below").value === ""`)
	if shapes := svgShapes(t, p.download(func() { p.export("#export-svg") }).
		data); shapes < 10 {
		t.Errorf("the chart has %d shapes", shapes)
	}
}

// TestFindACutOff learns from which age on people are sick, with the accuracy of every cut-off,
// from two columns.
func TestFindACutOff(t *testing.T) {
	s := serveBundle(t)
	p := open(t, s.url)
	file := fileOf(t, "sick.csv", "age,sick,town", 20_000, func(i int) string {
		age := i * 7 % 100
		return fmt.Sprintf("%d,%s,Ulm", age,
			map[bool]string{true: "yes", false: "no"}[(age >= 60) != (i%9 == 0)])
	})
	p.drop("#drop", file)
	p.confirm()
	p.describe("age", "0", "120")
	p.describeList("sick", "yes")
	p.kind("cutoff")
	var offered string
	p.eval(`document.getElementById("others-0-column").textContent`, &offered)
	if strings.Contains(offered, "sick") {
		t.Errorf("a column of one answer is offered: %s", offered)
	}
	p.describeList("sick", "yes", "no")
	p.question()
	p.choose("Column with the yes or no", "sick")
	p.waitText("Accuracy of each cut-off")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText("Cut-off of age: yes from")
	c := released(p).Answer.Result.(*task.Cutoff)
	if c.Value != "60" && c.Value != "59" && c.Value != "61" || len(c.Curve) < 100 {
		t.Errorf("%s, %d points", c.Rule, len(c.Curve))
	}
	look(p, "cutoff")

	var address string
	p.eval(`location.href`, &address)
	q := open(t, address)
	q.drop("#drop", file)
	q.waitText("Accuracy of each cut-off")
	q.describing("sick", func() {
		if got := q.value("textbox", "Categories, one a line"); got != "yes\nno" {
			t.Errorf("the address brings back the categories %q", got)
		}
	})
}
