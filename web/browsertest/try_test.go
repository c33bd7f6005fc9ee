//go:build browser

package browsertest

import (
	"fmt"
	"testing"
)

// TestTryAlgorithmsAndPieces ticks algorithms and lists pieces, sees too many combinations refused
// at their field, and releases the best of sixteen drawn ones.
func TestTryAlgorithmsAndPieces(t *testing.T) {
	p := asks(t)
	p.describe("age", "0", "99")
	p.askAbout("density", "age")
	p.options()
	p.click("DisclosureTriangle", "Try many, publish the best")
	p.click("checkbox", "quantile tree")
	p.click("checkbox", "tree of counts")
	p.fill("textbox", "Pieces, values to try", "3 to 40")
	p.waitText("Wanted: a number of them from 2 to 32, to be drawn at random, or fewer values.")
	p.fill("textbox", "Combinations", "16")
	p.waitText("Price of trying 16")
	p.waitText("instead of ε = 3.2,")
	p.axe()
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 360} {
			p.size(width, 2400)
			p.eval(`document.getElementById("tries").scrollIntoView()`, nil)
			p.screenshot(fmt.Sprintf("try-%s-%d", theme, width), width, 2400, theme)
		}
	}
	p.size(1280, 900)
	p.fill("textbox", "Privacy loss ε (epsilon)", "2")
	p.waitText("instead of ε = 12.8,")
	p.click("button", "Release, spending ε = 2")
	p.until("an answer", `document.getElementById("statement")`)
	r := released(p)
	if r.Tuned == nil || len(r.Tuned.Among) != 16 || r.Tuned.Parameter != "Algorithm, Pieces" {
		t.Errorf("%+v", r.Tuned)
	}
}

// TestFirstGoodEnough says by how many people an answer may be off, learns at the field what is
// refused, and releases the first answer that is good enough.
func TestFirstGoodEnough(t *testing.T) {
	p := asks(t)
	p.describe("age", "0", "99")
	p.askAbout("median", "age")
	p.options()
	p.click("DisclosureTriangle", "Try many, publish the best")
	p.click("checkbox", "exponential mechanism")
	p.click("checkbox", "TreeLog")
	p.click("checkbox", "noisy binary search")
	p.fill("textbox", "Good enough: off by at most", "few")
	p.waitText("Wanted: a whole number of people from 0 to")
	p.fill("textbox", "Privacy loss ε (epsilon)", "2")
	p.fill("textbox", "Good enough: off by at most", "100")
	p.waitText("2 × one run")
	p.waitText("by the noisy score; an answer that is off by more than")
	p.axe()
	for _, width := range []int64{1280, 360} {
		p.size(width, 2400)
		p.eval(`document.getElementById("tries").scrollIntoView()`, nil)
		p.screenshot(fmt.Sprintf("good-%d", width), width, 2400, "light")
	}
	p.size(1280, 900)
	p.click("button", "Release, spending ε = 2")
	p.waitText("gave the first answer whose noisy score was good enough")
	if r := released(p); r.Tuned == nil || r.Tuned.Good != 100 || r.Tuned.Within <= 100 {
		t.Errorf("%+v", r.Tuned)
	}
}

// TestFoundNothing looks for an answer that no run is likely to give: that nothing was good enough
// is reported as what it is, an answer that was paid for, in the page, the ledger and to a program.
func TestFoundNothing(t *testing.T) {
	p := asks(t)
	p.describe("age", "0", "99")
	p.askAbout("distribution", "age")
	p.options()
	p.click("DisclosureTriangle", "Try many, publish the best")
	p.eval(`document.querySelectorAll("#tries input[type=checkbox]").forEach((box) => box.click())`,
		nil)
	p.fill("textbox", "Good enough: off by at most", "0")
	p.waitText("2 × one run")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText("Nothing was good enough: the search ended before an answer was good enough: by " +
		"its noisy score, none was off by at most 0 people.")
	p.waitText("its privacy loss is spent")
	p.waitText("Search again")
	p.axe()
	p.screenshot("found-nothing", 1280, 2400, "light")
	p.click("link", "Ledger")
	p.waitText("Spent: ε = 0.5")
	p.click("link", "Publish")
	p.waitText("Nothing was good enough")
}
