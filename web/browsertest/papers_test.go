//go:build browser

package browsertest

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"hush/core/study"
	"hush/core/task"
)

// seen looks at the page as it is, wide and narrow and in both themes, with axe too; whatever is
// wider than the page fails.
func seen(p *webPage, name string, height int64) {
	p.t.Helper()
	for _, width := range []int64{1280, 390} {
		for _, theme := range []string{"light", "dark"} {
			p.screenshot(fmt.Sprintf("%s-%s-%d", name, theme, width), width, height, theme)
		}
		var over int
		p.eval(`document.documentElement.scrollWidth - document.documentElement.clientWidth`, &over)
		if over > 0 {
			p.t.Errorf("%s, %d wide: the page is %d pixels wider", name, width, over)
		}
		p.axeOf(fmt.Sprintf("%s, %d wide", name, width))
	}
	p.size(1280, 900)
	p.theme("light")
}

// TestNewPages walks through the pages of the papers, which measure, draw their lines beside a key
// and have a film; and through answers of three kinds: directions, any of and not, and one that is
// searched for.
func TestNewPages(t *testing.T) {
	s := serveBundle(t)
	p := open(t, s.url+"#/learn")
	for _, paper := range study.Catalogue() {
		p.eval(fmt.Sprintf(`void (location.hash = "#/learn/%s")`, paper.ID), nil)
		p.waitText(string(paper.Title))
		p.waitText("Step 1 of")
		p.waitFor(2*time.Minute, "the lines of "+paper.ID, func() (drawn bool) {
			p.eval(fmt.Sprintf(`document.querySelectorAll("#paper-chart svg path").length > %d &&
				document.querySelectorAll(".key li").length === %d`, len(paper.Lines),
				len(paper.Lines)), &drawn)
			return drawn
		})
		seen(p, "paper-"+paper.ID, 2400)
		for axis, a := range paper.More {
			if paper.ID == "labels" {
				continue // many seconds
			}
			p.set("paper-axis", strconv.Itoa(axis+1))
			p.waitFor(2*time.Minute, "the lines along "+string(a.X), func() (drawn bool) {
				p.eval(fmt.Sprintf(`document.querySelector("#paper-chart svg path") !== null &&
					[...document.querySelectorAll("#learn th")].some((h) => h.textContent === %q)`,
					string(a.X)), &drawn)
				return drawn
			})
			seen(p, fmt.Sprintf("paper-%s-%d", paper.ID, axis+1), 2400)
		}
	}

	p = asks(t)
	p.describe("age", "0", "99")
	p.describe("dose", "0", "99")
	p.kind("directions")
	for i, column := range []string{"age", "dose"} {
		p.choose(fmt.Sprintf("Column with the coordinate %d", i+1), column)
	}
	p.set("most", "2")
	p.set("fewest", "2")
	p.set("epsilon", "1")
	seen(p, "directions-question", 1800)
	p.click("button", "Release, spending ε = 1")
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	if d := released(p).Answer.Result.(*task.Estimates); len(d.Rows) != 2 {
		t.Errorf("%+v", d)
	}
	p.waitText("of age, dose, by direction")
	seen(p, "directions", 2600)

	p = open(t, s.url)
	p.asksAnyAndNot()
	seen(p, "any-question", 3200)
	p.click("button", "Release, spending ε = 2")
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	p.waitText("district ≠ Hill")
	seen(p, "any", 3600)

	p = open(t, s.url)
	p.readTable(townTable())
	p.describeTown()
	p.askAbout("distribution", "age")
	p.options()
	p.click("DisclosureTriangle", "Try many, publish the best")
	for i := range 3 {
		p.tick(fmt.Sprintf("try-method-%d", i), true)
	}
	p.fill("textbox", "Good enough: off by at most", "search 12000")
	p.waitText("more ε, fewer combinations, or a number of people")
	seen(p, "search-refused", 3200)
	p.set("epsilon", "60")
	p.waitText("2 × one run, and the search")
	seen(p, "search-question", 3200)
}
