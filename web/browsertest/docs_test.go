//go:build browser

package browsertest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestDocs: the contents list a page for each question, and the form's help and its lesson lead to
// the page of theirs.
func TestDocs(t *testing.T) {
	p := open(t, serveBundle(t).url+"#/learn/mean")
	p.click("link", "Its guarantee, its fields and its limits")
	p.waitText("When the simple mechanism is better")
	if p.has("heading", "Histogram") {
		t.Error("one question's page describes another")
	}
	pictures := func(name string) {
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{360, 1280} {
				p.screenshot(fmt.Sprintf("docs-%s-%s-%d", name, theme, width), width, 1400, theme)
				p.axe()
				p.until("no sideways scrolling",
					`document.documentElement.scrollWidth <= innerWidth`)
			}
		}
	}
	pictures("mean")
	p.click("link", "All questions")
	p.waitText("Every question that can be asked")
	var tasks, listed, words int
	p.eval(`document.querySelectorAll("a[href^='#/learn/']").length`, &tasks)
	p.eval(`document.querySelectorAll("nav[aria-label=Contents] a[href^='#/docs/']").length`,
		&listed)
	p.eval(`document.querySelector("main").innerText.split(/\s+/).length`, &words)
	if listed < 20 || tasks > 1 || words > 900 {
		t.Errorf("the contents list %d questions in %d words", listed, words)
	}
	pictures("contents")
	tabTo(p, "textbox", "Search all questions")
	p.press("share of women")
	p.until("what was found", `document.getElementById("find-docs-found").textContent &&
		document.querySelector("nav[aria-label=Contents] a").getAttribute("href") === "#/docs/share"`)
	pictures("found")
	p.press(kb.Tab)
	p.press(kb.Enter)
	p.until("the first of them", `location.hash === "#/docs/share"`)
	p.click("link", "All questions")
	p.fill("textbox", "Search all questions", "")
	p.click("link", "What holds for every question")
	p.waitText("Whom it protects")
	pictures("always")
	p.click("link", "All questions")
	p.clickSelector("nav[aria-label=Contents] a[href='#/docs/mean']")
	p.until("the mean alone", `document.querySelectorAll("section[id^=docs-]").length === 1`)
	p.clickSelector("nav[aria-label='Questions before and after'] a:last-child")
	p.until("the next alone", `document.querySelectorAll("section[id^=docs-]").length === 1 &&
		!document.querySelector("#docs-mean")`)

	goTo(p, "Publish")
	p.upload("#file", visitors(t, 100))
	askAge(p)
	p.waitPrice() // moves what is clicked
	p.clickSelector("#step-question details:has(a[href='#/docs/histogram']) summary")
	p.click("link", "Its guarantee, its fields and its limits")
	p.waitText("Bins with fewer people than the error drown in the noise.")
}

// TestWordsAreFound: the glossary is searched by keyboard.
func TestWordsAreFound(t *testing.T) {
	p := open(t, serveBundle(t).url+"#/words")
	p.waitText("Every technical term of this page")
	tabTo(p, "textbox", "Search all words")
	p.press("zcdp")
	p.waitText("One word found.")
	p.until("the one", `document.querySelector(".glossary dt").textContent === "ρ (rho)"`)
	p.axe()
	p.pictures("words-found")
	p.press(kb.Control + "a")
	p.press("nobody says this")
	p.waitText("0 words found.")
}
