//go:build browser

package browsertest

import (
	"bytes"
	"fmt"
	"net/http"
	"path"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"hush/web/host"
)

// TestWithoutVectors serves a bundle whose scripts find that the browser cannot take 16 bytes at
// once: page, engine and service worker take the binary without such kernels, and it answers, also
// without a network.
func TestWithoutVectors(t *testing.T) {
	const asked = "WebAssembly.validate(Uint8Array"
	files, choosing := fstest.MapFS{}, map[string]bool{}
	all := readBundle(t)
	for name, text := range all {
		if bytes.Contains(text, []byte(asked)) {
			text = bytes.ReplaceAll(text, []byte(asked), []byte("!"+asked))
			choosing[path.Base(name)] = true
		}
		if path.Base(name) == "index.html" { // it asks for the other one early
			before, rest, _ := bytes.Cut(text, []byte(`<link as="fetch"`))
			_, after, _ := bytes.Cut(rest, []byte(">"))
			text = append(bytes.Clone(before), after...)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	if len(choosing) != 3 {
		t.Fatalf("%v choose the binary, want the scripts of the page, the engine and the service "+
			"worker", choosing)
	}
	bundle := host.New(knowing(files, all))
	var mu sync.Mutex
	binaries := map[string]bool{}
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".wasm") {
			mu.Lock()
			binaries[path.Base(r.URL.Path)] = true
			mu.Unlock()
		}
		bundle.ServeHTTP(w, r)
	}), "/")
	p := open(t, s.url)
	p.installed()
	p.clickSelector(tryExample)
	p.waitText(histogramSays)
	mu.Lock()
	defer mu.Unlock()
	if fmt.Sprint(binaries) != "map[app-plain.wasm:true]" {
		t.Errorf("loaded are %v, want app-plain.wasm only", binaries)
	}
	var kept []string
	p.eval(`(async () => {
		const caches_ = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
		return caches_.flat().map(({ url }) => url.replace(/.*\//, "")).filter((name) => name.endsWith(".wasm"));
	})()`, &kept)
	if fmt.Sprint(kept) != "[app-plain.wasm]" {
		t.Errorf("kept for later are %q, want app-plain.wasm only", kept)
	}
}
