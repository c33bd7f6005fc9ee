//go:build browser

package browsertest

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// record is what happened in a page and its workers.
type record struct {
	mu       sync.Mutex
	origin   string   // of the first request, which is the page itself
	also     []string // origins that a page of another site may ask too
	requests []string
	problems []string
}

// hear takes an event of the page or of the worker named where.
func (r *record) hear(where string, event any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	problem := func(kind, text string) {
		entry := fmt.Sprintf("%s in %s: %s", kind, where, text)
		if !slices.Contains(r.problems, entry) {
			r.problems = append(r.problems, entry)
		}
	}
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		problem("exception", describe(e.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeAssert {
			problem("console", words(e.Args))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError || e.Entry.Source == log.SourceSecurity {
			problem("log", e.Entry.Text+" "+e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		address, err := url.Parse(e.Request.URL)
		if err != nil || !slices.Contains([]string{"http", "https", "ws", "wss"}, address.Scheme) {
			return // data:, blob: and the like stay in the page
		}
		r.requests = append(r.requests, e.Request.URL)
		origin := address.Scheme + "://" + address.Host
		if r.origin == "" {
			r.origin = origin
		}
		if origin != r.origin && !slices.Contains(r.also, origin) {
			problem("foreign request", e.Request.URL)
		}
	}
}

func (r *record) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.problems)
}

// sentRequests lists the addresses asked for by the page and those of its workers that could be
// watched from the start.
func (p *webPage) sentRequests() []string {
	p.record.mu.Lock()
	defer p.record.mu.Unlock()
	return slices.Clone(p.record.requests)
}

func describe(e *runtime.ExceptionDetails) string {
	if e.Exception != nil && e.Exception.Description != "" {
		return e.Exception.Description
	}
	if e.Exception != nil && len(e.Exception.Value) > 0 {
		return e.Text + " " + string(e.Exception.Value)
	}
	return e.Text
}

func words(args []*runtime.RemoteObject) string {
	var parts []string
	for _, a := range args {
		if a.Description != "" {
			parts = append(parts, a.Description)
		} else {
			parts = append(parts, string(a.Value))
		}
	}
	return strings.Join(parts, " ")
}
