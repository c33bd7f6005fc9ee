//go:build browser

package browsertest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// chromium is the browser that all tests share; each page has its own profile in it.
var chromium struct {
	ctx     context.Context
	options []chromedp.ExecAllocatorOption // that start another like it
	foreign foreign
}

func TestMain(m *testing.M) {
	proxy := httptest.NewServer(&chromium.foreign)
	chromium.options = append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.Flag("headless", "new"),
		chromedp.NoSandbox, // tests run as root in containers, on pages of our own
		chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-features",
			"OptimizationHints,MediaRouter,Translate,InterestFeedContentSuggestions"),
		chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck,
		chromedp.ProxyServer(proxy.URL), // for all but the loopback addresses
	)
	if path := os.Getenv("CHROMIUM"); path != "" {
		chromium.options = append(chromium.options, chromedp.ExecPath(path))
	}
	allocator, release := chromedp.NewExecAllocator(context.Background(), chromium.options...)
	// events newer than chromedp
	ctx, quit := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	if err := chromedp.Run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "browsertest: Chromium does not start:", err)
		os.Exit(1)
	}
	chromium.ctx = ctx
	code := m.Run()
	quit()
	release()
	proxy.Close()
	os.Exit(code)
}

// foreign stands in for the rest of the world: whatever the browser asks of it, from a page, a
// worker or anything else, is noted and refused.
type foreign struct {
	mu    sync.Mutex
	asked []string
}

func (f *foreign) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !browsersOwn.MatchString(r.URL.Hostname()) {
		f.mu.Lock()
		f.asked = append(f.asked, r.Method+" "+r.RequestURI)
		f.mu.Unlock()
	}
	http.Error(w, "there is no other server here", http.StatusForbidden)
}

// browsersOwn are the servers that Chromium itself calls, whatever page it shows. A page that
// called one would still be seen by its own record.
var browsersOwn = regexp.MustCompile(`(^|\.)(google\.com|googleapis\.com|gstatic\.com|gvt1\.com)$`)

// since returns what was asked after the first n.
func (f *foreign) since(n int) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.asked[min(n, len(f.asked)):])
}

// forget drops what a test asked for on purpose.
func (f *foreign) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = nil
}
