//go:build browser

package browsertest

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Chromium's “Fast 3G”.
const (
	slowLatency = 562.5          // ms there and back
	slowDown    = 1.6e6 / 8 * .9 // bytes a second
	slowUp      = 750e3 / 8 * .9 // bytes a second
	slowGross   = 40_000         // ms to the program: a test fails above
	slowPicture = 5_000          // ms to the first picture
)

// TestSlowNetwork says what a first visit waits for on a slow network (go test -v): when the page
// is drawn, when its program runs, and what was loaded until then. It fails for gross excess, and
// where the program, or a script that the document waits for, waits for another script.
func TestSlowNetwork(t *testing.T) {
	s := serveBundle(t)
	p := open(t, "about:blank#"+s.url)
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := network.EmulateNetworkConditionsByRule(false, []*network.Conditions{{
			Latency: slowLatency, DownloadThroughput: slowDown, UploadThroughput: slowUp,
		}}).Do(ctx)
		return err
	}), chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(stopwatch).Do(ctx)
		return err
	}))
	p.visit(s.url)
	usable, started, _, _, _ := watched(p)
	var files []struct {
		Name       string
		Start, End float64
		Bytes      int
	}
	p.eval(`performance.getEntriesByType("resource").map((e) => ({ name: e.name.split("/").pop(),
		start: e.startTime, end: e.responseEnd, bytes: e.transferSize }))`, &files)
	var all int
	for _, f := range files {
		t.Logf("%6.0f to %6.0f ms %9d bytes %s", f.Start, f.End, f.Bytes, f.Name)
		all += f.Bytes
	}
	at := func(name string) float64 {
		for _, f := range files {
			if f.Name == name {
				return f.Start
			}
		}
		t.Fatalf("%s was not loaded", name)
		return 0
	}
	for _, name := range []string{"app.wasm", "past.js", "early.js"} {
		if wait := at(name) - at("alone.js"); wait > slowLatency/2 {
			t.Errorf("%s is asked for %.0f ms after the first script", name, wait)
		}
	}
	t.Logf("drawn after %.0f ms, its program after %.0f ms, %d bytes", usable, started, all)
	if usable > slowPicture || started > slowGross {
		t.Errorf("drawn after %.0f ms and run after %.0f ms", usable, started)
	}
}
