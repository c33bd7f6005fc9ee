//go:build browser

package browsertest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// downloads are the files that the page saves.
type downloads struct {
	mu  sync.Mutex
	all []*download
}

// download is a saved file.
type download struct {
	name string // as the page proposes it
	data []byte
	guid string
	path string // once it is complete
}

func (d *downloads) watch(p *webPage) {
	chromedp.ListenBrowser(p.ctx, func(event any) {
		d.mu.Lock()
		defer d.mu.Unlock()
		switch e := event.(type) {
		case *browser.EventDownloadWillBegin:
			d.all = append(d.all, &download{name: e.SuggestedFilename, guid: e.GUID})
		case *browser.EventDownloadProgress:
			for _, file := range d.all {
				if file.guid == e.GUID && e.State == browser.DownloadProgressStateCompleted {
					file.path = e.FilePath
				}
			}
		}
	})
	browserDo(p.t, browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllowAndName).
		WithBrowserContextID(p.profile).WithDownloadPath(p.t.TempDir()).WithEventsEnabled(true).Do)
}

// download returns the file that the page saves when act is done.
func (p *webPage) download(act func()) download {
	p.t.Helper()
	d := &p.downloads
	d.mu.Lock()
	before := len(d.all)
	d.mu.Unlock()
	act()
	var file download
	p.wait("a download", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		if len(d.all) <= before || d.all[before].path == "" {
			return false
		}
		file = *d.all[before]
		return true
	})
	var err error
	if file.data, err = os.ReadFile(file.path); err != nil {
		p.t.Fatal(err)
	}
	return file
}

// screenshot returns a picture of the window at a size and in a theme, as PNG, and keeps it when
// HUSH_SHOTS is set. Size and theme stay.
func (p *webPage) screenshot(name string, width, height int64, theme string) []byte {
	p.t.Helper()
	p.size(width, height)
	p.theme(theme)
	var picture []byte
	p.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		picture, err = page.CaptureScreenshot().Do(ctx)
		return err
	}))
	if dir := os.Getenv("HUSH_SHOTS"); dir != "" {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			p.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
	return picture
}

// axe fails the test for each violation that axe-core finds in the page as it is now, all rules on.
// The library comes through the debugger, so the page's policy stays as it is.
func (p *webPage) axe() {
	p.t.Helper()
	p.axeOf("the page")
}

// axeOf runs axe with a name for the page's state, and with the given rules only where there are
// any.
func (p *webPage) axeOf(what string, rules ...string) {
	p.t.Helper()
	for _, violation := range p.axeViolations(rules...) {
		p.t.Errorf("axe, %s: %s (%s): %s\n  %s", what, violation.ID, violation.Impact,
			violation.Help, strings.Join(violation.Where, "\n  "))
	}
}

type axeViolation struct {
	ID, Impact, Help string
	Where            []string
}

func (p *webPage) axeViolations(rules ...string) []axeViolation {
	p.t.Helper()
	only := "null" // all rules
	if len(rules) > 0 {
		only = `["` + strings.Join(rules, `", "`) + `"]`
	}
	if !p.evalBool(`Boolean(globalThis.axe)`) {
		library, err := os.ReadFile("../../static/node_modules/axe-core/axe.min.js")
		if err != nil {
			p.t.Fatalf("axe-core is not installed: run ./build.sh build (%v)", err)
		}
		p.do(chromedp.ActionFunc(func(ctx context.Context) error {
			_, exception, err := runtime.Evaluate(string(library)).Do(ctx)
			if err == nil && exception != nil {
				return exception
			}
			return err
		}))
	}
	var found []axeViolation
	p.eval(`axe.run(document, { resultTypes: ["violations"], runOnly: `+only+
		` ?? undefined }).then(({ violations }) => violations.map((v) => ({
		ID: v.id, Impact: v.impact, Help: v.help,
		Where: v.nodes.map((n) => n.target.join(" ") + ": " + n.html + "\n    " + n.failureSummary.replaceAll("\n", "\n    ")),
	})))`, &found)
	return found
}
