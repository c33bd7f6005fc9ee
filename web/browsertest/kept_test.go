//go:build browser

package browsertest

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// shown is the answer that the page shows: its day, its name, and its sentence, which several
// answers can share.
func (p *webPage) shown() (text string) {
	p.t.Helper()
	p.until("an answer", `document.getElementById("statement")`)
	p.eval(`document.querySelector("#step-release .when").textContent + ": " +
		document.getElementById("statement").textContent`, &text)
	return text
}

// released asks for a histogram of age and releases it.
func (p *webPage) released(t *testing.T) string {
	p.upload("#file", visitors(t, 2000))
	askAge(p)
	release(p, "0.5")
	return p.shown()
}

// containsAll reports whether a text holds each of the parts.
func containsAll(text string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

// lastAnswer opens the last of the answers that came back.
func (p *webPage) lastAnswer() string {
	p.t.Helper()
	p.click("button", "Show the last one")
	return p.shown()
}

// TestReloadKeepsTheAnswer: after a reload the same answer is there with its exports, the report
// too, and a tab that is killed takes neither with it.
func TestReloadKeepsTheAnswer(t *testing.T) {
	s := serveBundle(t)
	p := open(t, s.url)
	want := p.released(t)
	p.click("button", "Put it on the page")
	p.reload()
	if got := p.shown(); got != want {
		t.Errorf("after a reload the page says %q, want %q", got, want)
	}
	p.until("the chart and the page of figures", `document.querySelector("#release-chart svg") &&
		document.getElementById("open-page") && document.getElementById("export-csv")`)
	if file := p.download(func() { p.clickSelector("#export-csv") }); len(file.data) == 0 {
		t.Error("the CSV is empty")
	}
	q := p.another(s.url)
	p.do(chromedp.ActionFunc(func(ctx context.Context) error { return page.Close().Do(ctx) }))
	if got := q.lastAnswer(); got != want {
		t.Errorf("another tab says %q, want %q", got, want)
	}
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{360, 1280} {
			goTo(q, "Ledger")
			q.waitText("Kept answers")
			q.screenshot(fmt.Sprintf("kept-ledger-%s-%d", theme, width), width, 900, theme)
		}
	}
	if found := q.axeViolations(); len(found) > 0 {
		t.Errorf("axe finds %+v", found)
	}
	if text := q.text(); !containsAll(text, "on the page", "Keep answers on this device") {
		t.Errorf("the ledger says nothing of the answer: %s", text)
	}
	q.click("button", "Open the answer: Histogram of age")
	if got := q.shown(); got != want {
		t.Errorf("the ledger opens %q, want %q", got, want)
	}
	goTo(q, "Ledger")
	q.until("the answer to be listed", `document.querySelector(".shelf details")`)
	q.eval(`document.querySelectorAll(".shelf details").forEach((d) => d.open = true)`, nil)
	q.click("button", "Delete this answer: Histogram of age")
	q.waitText("not kept")
	q.click("checkbox", "Keep answers on this device")
	q.until("nothing to be kept", `!document.getElementById("keep-answers").checked`)
	q.do(chromedp.Navigate("about:blank"))
	q.visit(s.url)
	q.wait("the kept answers to be read", func() bool { return !q.there("last-answer") })
	if got := q.released(t); got == "" {
		t.Error("no answer")
	}
	q.waitText("Closing the page deletes this answer")
}

// TestBackGoesOneStepBack: from the answer to the beginning and forth again, with the file open.
func TestBackGoesOneStepBack(t *testing.T) {
	p := open(t, serveBundle(t).url)
	want := p.released(t)
	go1 := func(move, what, there string) {
		t.Helper()
		p.eval(`history.`+move+`()`, nil)
		p.until(what, there)
	}
	back := []struct{ what, there string }{
		{"the question", `document.getElementById("sentence") &&
			!document.getElementById("statement")`},
		{"the columns", `document.getElementById("step-columns")`},
		{"the file", `document.getElementById("step-data")`},
		{"the beginning", `document.getElementById("go-on")`},
	}
	for _, s := range back {
		go1("back", s.what, s.there)
	}
	for i := range back[:3] {
		s := back[2-i]
		go1("forward", s.what, s.there)
	}
	go1("forward", "the answer", `document.getElementById("statement")`)
	if got := p.shown(); got != want {
		t.Errorf("the page says %q, want %q", got, want)
	}
	var address, state string
	p.eval(`location.href`, &address)
	p.eval(`JSON.stringify(history.state)`, &state)
	for _, private := range []string{"visitors", ".csv", "Hill"} {
		if containsAll(address+state, private) {
			t.Errorf("%q is in the address or in the history: %s %s", private, address, state)
		}
	}
}

// TestLeavingAsks: a codebook that was typed and not saved is not lost without a question.
func TestLeavingAsks(t *testing.T) {
	p := open(t, serveBundle(t).url)
	var asked atomic.Int32
	chromedp.ListenTarget(p.ctx, func(event any) {
		if e, is := event.(*page.EventJavascriptDialogOpening); is &&
			e.Type == page.DialogTypeBeforeunload {
			asked.Add(1)
		}
	})
	p.upload("#file", visitors(t, 100))
	p.confirm()
	p.reload()
	if asked.Load() != 0 {
		t.Error("the page asks before anything is typed")
	}
	p.upload("#file", visitors(t, 100))
	p.confirm()
	p.describe("age", "0", "99")
	p.reload()
	if asked.Load() == 0 {
		t.Error("a description is lost without a question")
	}
}
