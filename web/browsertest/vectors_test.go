//go:build browser

package browsertest

import (
	"bytes"
	"net/http"
	"path"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp"

	"hush/web/host"
)

// TestWithoutVectors serves a bundle whose scripts find that the browser cannot take 16 bytes at
// once: the page and a demo say what is missing, and so does the engine to a program that uses it.
func TestWithoutVectors(t *testing.T) {
	const asked = "WebAssembly.validate(Uint8Array"
	const says = "This browser cannot run Hush: it lacks the vector instructions of WebAssembly"
	files, asking := fstest.MapFS{}, map[string]bool{}
	all, page := engineFiles(t)
	for name, file := range all {
		text := file.Data
		if bytes.Contains(text, []byte(asked)) {
			text = bytes.ReplaceAll(text, []byte(asked), []byte("!"+asked))
			asking[path.Base(name)] = true
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	if len(asking) != 2 || !asking["app.js"] || !asking["engine.js"] {
		t.Fatalf("%v ask for vectors, want the scripts of the page and the engine", asking)
	}
	for name := range files {
		packed := strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".br")
		if packed && asking[strings.TrimSuffix(path.Base(name), path.Ext(name))] {
			delete(files, name)
		}
	}
	bundle := host.New(knowing(files, readBundle(t)))
	var engines atomic.Int32 // that asked for the binary
	counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/app.wasm") {
			engines.Add(1)
		}
		bundle.ServeHTTP(w, r)
	})
	s := serve(t, counted, "/")
	p := open(t, "about:blank#"+s.url)
	p.expect("no vectors")
	p.expect("was preloaded using link preload but not used")
	for _, document := range []string{"", "embed.html"} {
		p.do(chromedp.Navigate(s.url + document))
		p.waitText(says)
	}
	var got outcome[any]
	alone := open(t, serve(t, counted, page).url)
	before := engines.Load()
	alone.script(`start(); return await outcome(hush.catalogue());`, &got)
	got.want(t, "engine-start")
	if !strings.Contains(got.Error.Message, "vector instructions") {
		t.Errorf("the engine says %q, want what is missing", got.Error.Message)
	}
	if engines.Load() != before {
		t.Error("the engine loads a binary that the browser cannot run")
	}
}
