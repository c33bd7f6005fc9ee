//go:build browser

package browsertest

import (
	"strings"
	"testing"
)

// alter has the page that is shown write into every cache of this origin, as any page of it can:
// each of these files, below the address, becomes another. It returns how many were there.
func (p *webPage) alter(names ...string) (altered int) {
	p.t.Helper()
	p.eval(`(async (names) => {
		let altered = 0;
		for (const name of await caches.keys()) {
			const cache = await caches.open(name);
			for (const { url } of await cache.keys()) {
				if (!names.some((end) => end === "" ? url === location.origin + "/" : url.endsWith(end))) continue;
				const kept = await cache.match(url);
				const text = url.endsWith(".js") ? "globalThis.altered = true;" : "<title>altered</title>";
				await cache.put(url, new Response(text, { headers: { "Content-Type": kept?.headers.get("Content-Type") ?? "text/html" } }));
				altered++;
			}
		}
		return altered;
	})(["`+strings.Join(names, `", "`)+`"])`, &altered)
	return altered
}

// TestAlteredFilesAreNotServed: what another page of the origin puts in the place of a file that
// the service worker keeps is not handed out, neither as the page nor to it: with a network the
// file comes from the server and is kept again, without one there is none.
func TestAlteredFilesAreNotServed(t *testing.T) {
	s := serveBundle(t)
	version := versionOf(t, readBundle(t))
	p := open(t, s.url)
	p.installed()
	for _, names := range [][]string{{""}, {"/page.js"}, {"/app.wasm"},
		{"", "/page.js", "/engine.js", "/app.js", "/charts.js"}} {
		if altered := p.alter(names...); altered != len(names) {
			t.Fatalf("%d of %q are altered", altered, names)
		}
		p.reload()
		p.alive()
		var title string
		if p.eval(`document.title`, &title); title == "altered" ||
			p.evalBool(`globalThis.altered === true`) {
			t.Errorf("altered, %q are served", names)
		}
	}
	p.alter("", "/charts.js", "/engine.js")
	p.eval(`fetch("v/`+version+`/charts.js").then((answer) => answer.text()).then(() => 0)`, nil)
	p.eval(`fetch("./").then((answer) => answer.text()).then(() => 0)`, nil)
	s.stop()
	p.expect("ERR_CONNECTION_REFUSED")
	p.expect("Failed to fetch")
	p.expect("ERR_FAILED")
	for _, name := range []string{"", "v/" + version + "/charts.js"} { // kept again
		var text string
		p.eval(`fetch("./`+name+`").then((answer) => answer.text(), () => "none")`, &text)
		if text == "none" || strings.Contains(text[:min(len(text), 60)], "altered") {
			t.Errorf("without a network %q is answered: %.60q", name, text)
		}
	}
	if altered := p.alter("", "/charts.js", "/engine.js"); altered != 3 {
		t.Fatalf("%d of 3 are altered", altered)
	}
	for _, name := range []string{"", "v/" + version + "/charts.js", "v/" + version +
		"/engine.js"} { // what the browser itself still has may be as it was
		var text string
		p.eval(`fetch("./`+name+`").then((answer) => answer.text(), () => "none")`, &text)
		if strings.Contains(text[:min(len(text), 60)], "altered") {
			t.Errorf("without a network %q is answered: %.60q", name, text)
		}
	}
}

// TestServiceWorkerAddsHeaders: where a host sends no headers, the page that the service worker
// answers has them: no page of its origin can frame it.
func TestServiceWorkerAddsHeaders(t *testing.T) {
	s := servePlain(t, "/hush/")
	p := open(t, s.url)
	framed := func() (seen string) { // a document of another origin cannot be looked into
		p.eval(`(async () => {
			const frame = document.createElement("iframe");
			frame.src = "./?framed";
			document.body.append(frame);
			await new Promise((later) => setTimeout(later, 2000));
			const seen = frame.contentDocument ? "open" : "shut";
			frame.remove();
			return seen;
		})()`, &seen)
		return seen
	}
	if seen := framed(); seen != "open" {
		t.Fatalf("the host sends headers: framed, the page is %s", seen)
	}
	p.installed()
	p.expect("frame-ancestors")
	if seen := framed(); seen != "shut" {
		t.Errorf("framed by a page of its origin, the page is %s", seen)
	}
	p.visit(s.url + "embed.html#/learn/mean")
	p.reload() // that of the service worker, once it is kept
	p.visit(s.url)
	p.alive()
}
