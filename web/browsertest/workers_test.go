//go:build browser

package browsertest

import (
	"context"
	"strings"
	"sync/atomic"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// worker is a dedicated or shared worker of a page's profile.
type worker struct {
	ctx context.Context
	url atomic.Value // string; known a moment after the worker
}

func (w *worker) script() string {
	url, _ := w.url.Load().(string)
	return url[strings.LastIndex(url, "/")+1:]
}

// attach listens to a worker from the moment it is known, except to a service worker: now and then
// Chromium (156) never answers a client that attaches to one that is being started or replaced, and
// cannot start it any more. The server that stands in for other servers sees that worker's requests
// all the same.
func (p *webPage) attach(info *target.Info) {
	if info.Type == "service_worker" || !strings.HasSuffix(info.Type, "worker") ||
		info.BrowserContextID != p.profile {
		return
	}
	ctx, end := chromedp.NewContext(p.ctx, chromedp.WithTargetID(info.TargetID))
	w := &worker{ctx: ctx}
	w.url.Store(info.URL)
	if _, known := p.workers.LoadOrStore(info.TargetID, w); known {
		end()
		return
	}
	chromedp.ListenTarget(ctx, func(event any) {
		p.record.hear(strings.TrimSpace(info.Type+" "+w.script()), event)
	})
	var url string
	if chromedp.Run(ctx, evaluate("location.href", &url)) != nil {
		// gone before it could be watched
		p.workers.Delete(info.TargetID)
		return
	}
	w.url.Store(url)
}

// try runs actions of chromedp in the worker.
func (w *worker) try(actions ...chromedp.Action) error {
	ctx, cancel := context.WithTimeout(w.ctx, 2*patience)
	defer cancel()
	return chromedp.Run(ctx, actions...)
}

// inWorker evaluates an expression in the worker whose script has that name, once there is one.
func (p *webPage) inWorker(script, expression string, into any) {
	p.t.Helper()
	p.wait("the worker "+script+" to evaluate "+expression, func() bool {
		found := p.worker(script)
		return found != nil && found.try(evaluate(expression, into)) == nil
	})
}

// worker returns the running worker whose script has that name, or nil.
func (p *webPage) worker(script string) *worker {
	var found *worker
	p.workers.Range(func(_, value any) bool {
		if w := value.(*worker); w.script() == script {
			found = w
		}
		return found == nil
	})
	return found
}
