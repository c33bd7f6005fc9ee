//go:build browser

package browsertest

import (
	"fmt"
	"testing"

	"hush/core/table"
	"hush/core/task"
)

// TestBinsOfOnesOwn types in where bins begin, learns at the field what is no value, and releases
// the counts of unequal bins.
func TestBinsOfOnesOwn(t *testing.T) {
	p := asks(t)
	p.describe("age", "0", "99")
	p.askAbout("histogram", "age")
	p.options()
	p.fill("textbox", "Bins that begin at", "65, 18")
	p.waitText("possible values above the smallest, in ascending order")
	p.fill("textbox", "Bins that begin at", "18, 65")
	p.waitText("All 3 counts at once")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText("spent ε = 0.5 of")
	p.axe()
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 360} {
			p.screenshot(fmt.Sprintf("bins-%s-%d", theme, width), width, 1400, theme)
		}
	}
	p.size(1280, 900)
	h := released(p).Answer.Result.(*task.Histogram)
	if len(h.Bins) != 3 || !h.Cut || h.Bins[1].From != "18" || h.Bins[1].To != "65" {
		t.Errorf("%+v", h)
	}
}

// TestRowsOfPersons has all rows of each person make one value, and then a few rows of each count,
// and asks a question of either.
func TestRowsOfPersons(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.upload("#file", payroll(t))
	p.waitText("A row has fewer fields than 4")
	p.confirm()
	p.choose("One row is", "one of several rows per person")
	p.choose("Named in", "1 · id")
	p.choose("Rows of each person that count", "all rows, as one value")
	p.choose("Their value is the", "number of rows, whatever the cells are")
	p.choose("of", "2 · salary")
	p.describing("salary", func() {
		p.holds("salary", "whole numbers")
		p.fill("textbox", "Smallest possible value", "0")
		p.fill("textbox", "Largest possible value", "9")
	})
	for _, width := range []int64{1280, 360} {
		p.screenshot(fmt.Sprintf("rows-of-persons-%d", width), width, 1400, "light")
	}
	p.size(1280, 900)
	p.axe()
	p.askAbout("mean", "salary")
	p.waitText("costs ε = 0.5 of 3")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText("spent ε = 0.5 of")
	r := released(p)
	if u := r.Recipe.Use; r.Plan.People != 601 || u == nil || len(u.Values) != 1 ||
		u.Values[0].Of != table.Number {
		t.Errorf("n = %d, rows %+v", r.Plan.People, u)
	}

	p.columns()
	p.choose("Rows of each person that count", "a few rows, drawn at random")
	p.fill("textbox", "At most this many rows", "2")
	p.kind("count")
	p.choose("Values that count", "any value")
	p.waitText("costs ε = 0.5 of 3")
	p.click("button", "Release, spending ε = 0.5")
	// few cells are whole numbers up to 9, so that there is little to count
	p.waitText("too few rows to tell")
	p.waitText("601 people")
}
