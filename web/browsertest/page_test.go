//go:build browser

package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// patience is how long a wait may take before it fails.
const patience = 30 * time.Second

// webPage is a tab in a fresh profile, with a record of all that happens in it and in its workers.
// Its methods fail the test when they cannot do what they say.
type webPage struct {
	t         *testing.T
	ctx       context.Context
	profile   cdp.BrowserContextID
	record    record
	downloads downloads
	allowed   []string
	asked     int      // requests to elsewhere before this page was opened
	workers   sync.Map // target.ID to *worker
}

// open opens an address in a fresh profile, 1280 by 900, light, and waits for the page to be alive.
func open(t *testing.T, address string) *webPage {
	t.Helper()
	var profile cdp.BrowserContextID
	browserDo(t, func(ctx context.Context) (err error) {
		profile, err = target.CreateBrowserContext().Do(ctx)
		return err
	})
	t.Cleanup(func() { browserDo(t, target.DisposeBrowserContext(profile).Do) })
	p := newPage(t, profile)
	p.visit(address)
	return p
}

// browserDo asks something of the browser itself, not of a page in it, and fails the test where it
// does not answer: waiting without an end would take all other tests with it.
func browserDo(t *testing.T, ask func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(chromium.ctx, 2*patience)
	defer cancel()
	err := ask(cdp.WithExecutor(ctx, chromedp.FromContext(chromium.ctx).Browser))
	if err != nil {
		t.Fatalf("the browser: %v", err)
	}
}

// another opens an address in another tab of the same profile.
func (p *webPage) another(address string) *webPage {
	p.t.Helper()
	q := newPage(p.t, p.profile)
	q.visit(address)
	return q
}

// A window shows all of the page, below the browser's own bars: what changes where nobody sees it,
// Chromium counts as not drawn yet.
const windowWidth, windowHeight = 1280, 1100

func newPage(t *testing.T, profile cdp.BrowserContextID) *webPage {
	t.Helper()
	var tab target.ID
	browserDo(t, func(ctx context.Context) (err error) {
		tab, err = target.CreateTarget("about:blank").WithBrowserContextID(profile).
			WithNewWindow(true).WithWidth(windowWidth).WithHeight(windowHeight).Do(ctx)
		return err
	})
	ctx, end := chromedp.NewContext(chromium.ctx, chromedp.WithTargetID(tab))
	p := &webPage{t: t, ctx: ctx, profile: profile, asked: len(chromium.foreign.since(0))}
	t.Cleanup(func() {
		p.verify()
		end()
	})
	chromedp.ListenTarget(ctx, func(event any) {
		p.record.hear("page", event)
		switch e := event.(type) {
		case *target.EventTargetCreated:
			go p.attach(e.TargetInfo)
		case *page.EventJavascriptDialogOpening:
			if e.Type == page.DialogTypeBeforeunload { // the page asks; a test that goes means it
				go p.try(page.HandleJavaScriptDialog(true))
			}
		case *target.EventTargetDestroyed:
			p.workers.Delete(e.TargetID)
		}
	})
	p.do(
		chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(policyWatch).Do(ctx)
			return err
		}),
	)
	p.downloads.watch(p)
	p.size(1280, 900)
	p.theme("light")
	return p
}

// policyWatch reports what the content security policy blocks, which the page itself would only see
// as something missing.
const policyWatch = `addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
	console.error("policy violated: " + violatedDirective + " blocks " + blockedURI + ", " + sourceFile + ":" + lineNumber));`

// verify fails the test for whatever went wrong and was not expected.
func (p *webPage) verify() {
	for _, problem := range p.problems() {
		p.t.Errorf("in the page: %s", problem)
	}
}

// problems lists what went wrong so far and was not expected.
func (p *webPage) problems() []string {
	var found []string
	for _, problem := range p.record.all() {
		if !slices.ContainsFunc(p.allowed, func(part string) bool {
			return strings.Contains(problem, part)
		}) {
			found = append(found, problem)
		}
	}
	for _, request := range chromium.foreign.since(p.asked) {
		found = append(found, "request to another server: "+request)
	}
	return found
}

// expect says that problems containing this text are what the test is about.
func (p *webPage) expect(part string) { p.allowed = append(p.allowed, part) }

// do runs actions of chromedp.
func (p *webPage) do(actions ...chromedp.Action) {
	p.t.Helper()
	if err := p.try(actions...); err != nil {
		p.t.Fatal(err)
	}
}

func (p *webPage) try(actions ...chromedp.Action) error { return p.tryFor(2*patience, actions...) }

func (p *webPage) tryFor(atMost time.Duration, actions ...chromedp.Action) error {
	// The first call ties the tab to its context, which may not end with that call.
	if chromedp.FromContext(p.ctx).Target == nil {
		done := make(chan error, 1)
		go func() { done <- chromedp.Run(p.ctx, actions...) }()
		select {
		case err := <-done:
			return err
		case <-time.After(atMost):
			return errors.New("the browser does not open the tab")
		}
	}
	ctx, cancel := context.WithTimeout(p.ctx, atMost)
	defer cancel()
	return chromedp.Run(ctx, actions...)
}

// visit goes to an address and waits for the page to be alive.
func (p *webPage) visit(address string) {
	p.t.Helper()
	p.do(chromedp.Navigate(address))
	p.alive()
}

// reload loads the page again, as the browser's button does, and waits for it to be alive.
func (p *webPage) reload() {
	p.t.Helper()
	p.do(chromedp.Reload())
	p.alive()
}

// alive waits until Go has taken over from the page drawn in advance.
func (p *webPage) alive() {
	p.t.Helper()
	p.until("the page to start", pageStarted)
}

// pageStarted holds once the program draws the page; until then static/early.js keeps what is done
// to it.
const pageStarted = `document.readyState === "complete" && !document.getElementById("app-wasm-loader")`

// size sets the window's inner size.
func (p *webPage) size(width, height int64) {
	p.t.Helper()
	p.do(emulation.SetDeviceMetricsOverride(width, height, 1, false))
}

// theme sets what the system prefers: "light" or "dark". Motion is reduced, so that pictures are
// still.
func (p *webPage) theme(name string) {
	p.t.Helper()
	p.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: name},
		{Name: "prefers-reduced-motion", Value: "reduce"},
	}))
}

// eval returns the value of an expression, which may be a promise, decoded into a pointer or
// dropped with nil.
func (p *webPage) eval(expression string, into any) {
	p.t.Helper()
	if err := p.try(evaluate(expression, into)); err != nil {
		p.t.Fatalf("%v in %s", err, expression)
	}
}

// tryEval is eval for waits: it returns what failed.
func (p *webPage) tryEval(expression string, into any) error {
	return p.tryFor(patience/3, evaluate(expression, into))
}

func evaluate(expression string, into any) chromedp.ActionFunc {
	return func(ctx context.Context) error {
		result, exception,
			err := runtime.Evaluate(
			`(async () => JSON.stringify(await (` + expression + `)) ?? "null")()`).
			WithAwaitPromise(true).WithReturnByValue(true).Do(ctx)
		if err != nil {
			return err
		}
		if exception != nil {
			return fmt.Errorf("%s", describe(exception))
		}
		if into == nil {
			return nil
		}
		var text string
		if err := json.Unmarshal(result.Value, &text); err != nil {
			return err
		}
		return json.Unmarshal([]byte(text), into)
	}
}

// until waits until an expression is true. what completes "waited for …".
func (p *webPage) until(what, expression string) {
	p.t.Helper()
	p.wait(what, func() bool {
		var holds bool
		// fails while a page is being replaced
		return p.tryEval("Boolean("+expression+")", &holds) == nil && holds
	})
}

// wait asks again and again until done, and fails with the page's text when that takes too long.
func (p *webPage) wait(what string, done func() bool) {
	p.t.Helper()
	p.waitFor(patience, what, done)
}

// waitFor is wait with a patience of its own.
func (p *webPage) waitFor(patience time.Duration, what string, done func() bool) {
	p.t.Helper()
	if !within(patience, done) {
		p.t.Fatalf("waited for %s; the page shows:\n%s\nproblems: %q", what, p.text(), p.problems())
	}
}

// within waits until something is done, for so long at most, and reports whether it is.
func within(patience time.Duration, done func() bool) bool {
	deadline := time.Now().Add(patience)
	pause := time.NewTicker(20 * time.Millisecond)
	defer pause.Stop()
	for !done() {
		if time.Now().After(deadline) {
			return false
		}
		<-pause.C
	}
	return true
}

// text returns what a reader sees, in one line per block.
func (p *webPage) text() string {
	var text string
	if err := p.tryEval(`document.body.innerText`, &text); err != nil {
		return "(" + err.Error() + ")"
	}
	return text
}

// visible is text with every run of white space as one blank. The preview is unfolded before.
func (p *webPage) visible() string {
	p.tryEval(`document.getElementById("forecast-details")?.setAttribute("open", "")`, nil)
	return strings.Join(strings.Fields(p.text()), " ")
}

// waitText waits until the page shows a text; white space and line ends do not matter.
func (p *webPage) waitText(text string) {
	p.t.Helper()
	want := strings.Join(strings.Fields(text), " ")
	p.wait(fmt.Sprintf("the text %q", want), func() bool {
		return shows(p.visible(), want)
	})
}

// waitGone waits until the page no longer shows a text.
func (p *webPage) waitGone(text string) {
	p.t.Helper()
	want := strings.Join(strings.Fields(text), " ")
	p.wait(fmt.Sprintf("the text %q to go", want), func() bool {
		return !strings.Contains(p.visible(), want)
	})
}
