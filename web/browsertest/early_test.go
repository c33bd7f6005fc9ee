//go:build browser

package browsertest

import (
	"context"
	"io/fs"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"hush/web/host"
)

// early opens an address of the bundle whose program does not come before start is called.
func early(t *testing.T, path string) (p *webPage, start func()) {
	t.Helper()
	return earlyOf(t, open(t, "about:blank"), bundleFiles(t), path)
}

// heldBundle serves a bundle whose program does not come before start is called.
func heldBundle(t *testing.T, files fs.FS) (s *site, start func()) {
	t.Helper()
	come, bundle := make(chan struct{}), host.New(files)
	s = serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/app.wasm") {
			select {
			case <-come:
			case <-r.Context().Done():
			}
		}
		bundle.ServeHTTP(w, r)
	}), "/")
	return s, func() { close(come) }
}

// earlyOf is early in a page that is open, of any bundle.
func earlyOf(t *testing.T, p *webPage, files fs.FS, path string) (_ *webPage, start func()) {
	t.Helper()
	s, come := heldBundle(t, files)
	p.record.mu.Lock()
	p.record.origin = strings.TrimSuffix(s.url, "/")
	p.record.mu.Unlock()
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, _, _, _, err := page.Navigate(s.url + path).Do(ctx)
		return err
	}))
	p.until("the page before its program",
		`document.readyState !== "loading" && location.protocol === "http:" && document.getElementById("app-wasm-loader")`)
	return p, func() {
		t.Helper()
		come()
		p.alive()
	}
}

// What a person does before the program runs is answered, and done when it runs.
func TestUsedBeforeTheProgramRuns(t *testing.T) {
	people := visitors(t, 100)
	for name, c := range map[string]struct {
		act  func(p *webPage)
		kept bool
		then string
	}{
		"a sample": {func(p *webPage) { p.sample("Clinic visits") }, true, "wait_minutes"},
		"two samples, the last of which counts": {func(p *webPage) {
			p.sample("Salaries")
			p.sample("Clinic visits")
		}, true, "wait_minutes"},
		"the example": {func(p *webPage) {
			p.click("button", "Try it with made-up patients")
		}, true, histogramSays},
		"a file chosen":  {func(p *webPage) { p.upload("#file", people) }, true, "visitors.csv"},
		"a file dropped": {func(p *webPage) { p.drop("#drop", people) }, true, "visitors.csv"},
		"a pasted table": {func(p *webPage) {
			p.clickSelector("#begin summary")
			p.clickSelector("#pasted")
			p.press("age\n31\n32\n")
			p.press(kb.Tab + kb.Enter)
		}, true, "pasted table"},
		"a dialog": {func(p *webPage) {
			p.menu("button", "Keyboard shortcuts")
		}, true, "Turn single keys off"},
		"another page": {func(p *webPage) {
			p.click("link", "Ledger")
		}, false, "Budget spent and left"},
	} {
		t.Run(name, func(t *testing.T) {
			p, start := early(t, "")
			c.act(p)
			if busy := p.evalBool(
				`document.querySelector("[aria-busy=true]") !== null`); busy != c.kept {
				t.Errorf("the page says that something waits: %v", busy)
			}
			start()
			p.waitText(c.then)
		})
	}
}

// What stands on the page when the program takes over stays, and typing goes on where it was.
func TestProgramTakesThePageOver(t *testing.T) {
	p, start := early(t, "#/")
	p.screenshot("early-wide", 1280, 800, "light")
	p.screenshot("early-narrow", 360, 800, "dark")
	const outline = `(() => {
		const write = (e, told) => [e.tagName, e.id, e.type ?? "", ...[...e.childNodes].map((c) => c.nodeType === 1 ? write(c, told || c.id === "content") : told ? c.data.trim() : "").filter(Boolean)].join("|");
		globalThis.outline ??= [];
		outline.push(write(document.querySelector(".page")));
	})()`
	p.eval(outline, nil)
	p.clickSelector("#begin summary")
	p.clickSelector("#pasted")
	p.press("age\n31\n3")
	p.eval(`new MutationObserver((_, o) => { if (!document.getElementById("app-wasm-loader")) { o.disconnect(); `+outline+` } }).observe(document.body, { childList: true })`, nil)
	start()
	if !p.evalBool(`outline.length === 2 && outline[0] === outline[1]`) {
		var drawn []string
		p.eval(`outline`, &drawn)
		t.Errorf("the program draws another page than the bundle holds:\n%s",
			strings.Join(drawn, "\n"))
	}
	p.press("2\n40\n")
	if got := p.value("textbox", "The table as text"); got != "age\n31\n32\n40\n" {
		t.Errorf("the text that was typed across the start is %q", got)
	}
	p.click("button", "Read the pasted table")
	p.waitText("pasted table")
}

// A page that the document does not hold waits behind the loader, where nothing can be pressed by
// mistake.
func TestOtherPagesWaitForTheProgram(t *testing.T) {
	p, start := early(t, "#/ledger")
	p.until("the loader above all",
		`document.elementFromPoint(200, 200).closest("#app-wasm-loader") !== null`)
	start()
	p.waitText("Budget spent and left")
}

// A file that misses its field does not make the browser leave the page for it.
func TestAFileDroppedBesideIsNoLoss(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.sample("Clinic visits")
	p.waitText("wait_minutes")
	p.drop(".brand", visitors(t, 10))
	p.waitText("wait_minutes")
	if got := p.address(); !strings.HasPrefix(got, "http://") {
		t.Errorf("the browser went to %s", got)
	}
}

// A program that cannot be had is reported, with what to do.
func TestProgramCannotBeLoaded(t *testing.T) {
	bundle := host.New(bundleFiles(t))
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/app.wasm") {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		bundle.ServeHTTP(w, r)
	}), "/")
	p := open(t, "about:blank#"+s.url)
	p.expect("503")
	p.expect("loading wasm failed")
	p.do(chromedp.Navigate(s.url))
	p.waitText("Hush could not be loaded.")
	p.screenshot("failed-wide", 1280, 800, "dark")
	p.screenshot("failed-narrow", 360, 800, "light")
	p.do(chromedp.Navigate(s.url + "embed.html"))
	p.waitText("Hush could not be loaded.")
	p.screenshot("failed-embed", 360, 400, "light")
}
