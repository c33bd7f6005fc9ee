//go:build browser

package browsertest

import (
	"fmt"
	"testing"
)

// TestDocs: every question is described on one page, and by itself where the form's help and its
// lesson lead.
func TestDocs(t *testing.T) {
	p := open(t, serveBundle(t).url+"#/learn/mean")
	p.click("link", "Its guarantee, its fields and its limits")
	p.waitText("When the simple mechanism is better")
	if p.has("heading", "Histogram") {
		t.Error("one question's page describes another")
	}
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{360, 1280} {
			p.screenshot(fmt.Sprintf("docs-mean-%s-%d", theme, width), width, 1400, theme)
			p.axe()
			p.until("no sideways scrolling", `document.documentElement.scrollWidth <= innerWidth`)
		}
	}
	p.click("link", "All questions")
	p.waitText("Every question that can be asked")
	var sections int
	p.eval(`document.querySelectorAll("section[id^=docs-]").length`, &sections)
	var tasks int
	p.eval(`document.querySelectorAll("a[href^='#/learn/']").length`, &tasks)
	if sections != tasks+1 || tasks < 10 {
		t.Errorf("%d sections for %d questions", sections, tasks)
	}
	var listed int
	p.eval(`document.querySelectorAll("nav[aria-label=Contents] a[href^='#/docs/']").length`,
		&listed)
	if listed != tasks {
		t.Errorf("the contents list %d questions of %d", listed, tasks)
	}
	p.axe()
	p.until("no sideways scrolling", `document.documentElement.scrollWidth <= innerWidth`)
	p.screenshot("docs-contents-light-1280", 1280, 1000, "light")
	p.clickSelector("nav[aria-label=Contents] a[href='#/docs/mean']")
	p.until("the mean alone", `document.querySelectorAll("section[id^=docs-]").length === 2`)
	p.click("link", "All questions")
	p.waitText("Every question that can be asked")

	goTo(p, "Publish")
	p.upload("#file", visitors(t, 100))
	askAge(p)
	p.waitPrice() // moves what is clicked
	p.clickSelector("#step-question details:has(a[href='#/docs/histogram']) summary")
	p.click("link", "Its guarantee, its fields and its limits")
	p.waitText("Bins with fewer people than the error drown in the noise.")
}
