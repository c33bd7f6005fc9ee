package host_test

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"hush/web/host"
)

// bundle is a small one; the bodies name the variant, so that a test sees which was sent.
func bundle() fstest.MapFS {
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s), Mode: 0o644} }
	return fstest.MapFS{
		"index.html":           text("index"),
		"index.html.br":        text("index as br"),
		"index.html.gz":        text("index as gzip"),
		"manifest.webmanifest": text("{}"),
		"app-worker.js":        text("worker"),
		"embed.html":           text("embed"),
		"embed.js":             text("embed script"),
		"notes.secret":         text("not of a known type"),
		"v/abc/app.wasm":       text("wasm"),
		"v/abc/app.wasm.br":    text("wasm as br"),
		"v/abc/app.wasm.gz":    text("wasm as gzip"),
		"v/abc/app.js":         text("script"),
		"v/abc/a.csv.gz":       text("a variant of a file that is not there"),
		"v/abc/icon.png":       text("png"),
		"v/abc/icon.png.br":    text("never sent"),
		"v/abc/folder.css/x":   text("a folder with an extension"),
		".notes.txt":           text("a hidden file"),
		".git/config.txt":      text("a file of a hidden folder"),
		"v/.abc/app.js":        text("a file of a hidden folder, too"),
	}
}

func get(t *testing.T, method, path string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	host.New(bundle()).ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestFiles(t *testing.T) {
	const immutable, revalidated = "public, max-age=31536000, immutable", "no-cache"
	for _, c := range []struct {
		name, path, accept          string
		status                      int
		body, mime, encoding, cache string
	}{
		{"root is the index", "/", "", 200, "index", "text/html; charset=utf-8", "", revalidated},
		{"index by name", "/index.html", "", 200, "index", "text/html; charset=utf-8", "",
			revalidated},
		{"query is ignored", "/?a=b", "", 200, "index", "text/html; charset=utf-8", "",
			revalidated},
		{"service worker", "/app-worker.js", "br", 200, "worker", "text/javascript; charset=utf-8",
			"", revalidated},
		{"manifest", "/manifest.webmanifest", "", 200, "{}", "application/manifest+json", "",
			revalidated},
		{"binary, br", "/v/abc/app.wasm", "gzip, deflate, br, zstd", 200, "wasm as br",
			"application/wasm", "br", immutable},
		{"binary, gzip only", "/v/abc/app.wasm", "gzip", 200, "wasm as gzip", "application/wasm",
			"gzip", immutable},
		{"binary, nothing accepted", "/v/abc/app.wasm", "", 200, "wasm", "application/wasm", "",
			immutable},
		{"br refused by weight", "/v/abc/app.wasm", "br;q=0, gzip;q=0.5", 200, "wasm as gzip",
			"application/wasm", "gzip", immutable},
		{"small weight is enough", "/v/abc/app.wasm", "BR; Q=0.001", 200, "wasm as br",
			"application/wasm", "br", immutable},
		{"star", "/v/abc/app.wasm", "*", 200, "wasm as br", "application/wasm", "br", immutable},
		{"star without br", "/v/abc/app.wasm", "br;q=0, *", 200, "wasm as gzip", "application/wasm",
			"gzip", immutable},
		{"star of weight zero", "/v/abc/app.wasm", "*;q=0", 200, "wasm", "application/wasm", "",
			immutable},
		{"unreadable weight", "/v/abc/app.wasm", "br;q=x", 200, "wasm", "application/wasm", "",
			immutable},
		{"entry document, br", "/", "br", 200, "index as br", "text/html; charset=utf-8", "br",
			revalidated},
		{"no variant there", "/v/abc/app.js", "br, gzip", 200, "script",
			"text/javascript; charset=utf-8", "", immutable},
		{"packed kinds only", "/v/abc/icon.png", "br", 200, "png", "image/png", "", immutable},
		{"missing", "/nothing.html", "", 404, "", "text/html; charset=utf-8", "", revalidated},
		{"missing with a variant", "/v/abc/a.csv", "br", 404, "", "text/html; charset=utf-8", "",
			revalidated},
		{"variants are not files of their own", "/v/abc/app.wasm.br", "br", 404, "",
			"text/html; charset=utf-8", "", revalidated},
		{"unknown type", "/notes.secret", "", 404, "", "text/html; charset=utf-8", "", revalidated},
		{"folder", "/v/abc/", "", 404, "", "text/html; charset=utf-8", "", revalidated},
		{"folder with an extension", "/v/abc/folder.css", "", 404, "", "text/html; charset=utf-8",
			"", revalidated},
		{"way out", "/../index.html", "", 404, "", "text/html; charset=utf-8", "", revalidated},
		{"double slash", "//index.html", "", 404, "", "text/html; charset=utf-8", "", revalidated},
	} {
		t.Run(c.name, func(t *testing.T) {
			var header []string
			if c.accept != "" {
				header = []string{"Accept-Encoding", c.accept}
			}
			full := get(t, "GET", c.path, header...)
			text := body(t, full)
			if full.StatusCode != c.status || (c.status == 200 && text != c.body) {
				t.Errorf("answer is %d %q, want %d %q", full.StatusCode, text, c.status, c.body)
			}
			for name, want := range map[string]string{
				"Content-Type": c.mime, "Content-Encoding": c.encoding, "Cache-Control": c.cache,
			} {
				if got := full.Header.Get(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if full.ContentLength != int64(len(text)) {
				t.Errorf("Content-Length is %d, the body has %d bytes", full.ContentLength,
					len(text))
			}
			head := get(t, "HEAD", c.path, header...)
			for _, name := range []string{"Content-Type", "Content-Encoding", "Content-Length",
				"ETag", "Vary"} {
				if head.Header.Get(name) != full.Header.Get(name) {
					t.Errorf("HEAD says %s %q, GET %q", name, head.Header.Get(name),
						full.Header.Get(name))
				}
			}
			if c.status == 200 && body(t, head) != "" {
				t.Error("HEAD has a body")
			}
		})
	}
}

func TestRevalidation(t *testing.T) {
	tag := func(path, accept string) string {
		return get(t, "GET", path, "Accept-Encoding", accept).Header.Get("ETag")
	}
	index, packed := tag("/", ""), tag("/", "br")
	if index == "" || packed == "" || index == packed {
		t.Fatalf("tags of two variants are %q and %q, want two", index, packed)
	}
	for _, c := range []struct {
		name, path, accept, tag string
		status                  int
	}{
		{"same", "/", "", index, 304},
		{"weak", "/", "", "W/" + index, 304},
		{"in a list", "/", "", `"x", ` + index, 304},
		{"anything", "/", "", "*", 304},
		{"other variant", "/", "br", index, 200},
		{"other", "/", "", `"x"`, 200},
		{"unquoted", "/", "", strings.Trim(index, `"`), 200},
		{"versioned", "/v/abc/app.wasm", "br", tag("/v/abc/app.wasm", "br"), 304},
		{"versioned, other variant", "/v/abc/app.wasm", "gzip", tag("/v/abc/app.wasm", "br"), 200},
		{"missing", "/nothing.html", "", "*", 404},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := get(t, "GET", c.path, "Accept-Encoding", c.accept, "If-None-Match", c.tag)
			if r.StatusCode != c.status {
				t.Errorf("status is %d, want %d", r.StatusCode, c.status)
			}
			if c.status == 304 && (body(t, r) != "" || r.Header.Get("ETag") == "") {
				t.Error("304 must have the tag and no body")
			}
		})
	}
}

// A range is answered with the whole file, in whichever variant, and every answer says that there
// are none.
func TestRangesAreNotAnswered(t *testing.T) {
	for _, c := range []struct{ path, accept, want string }{
		{"/v/abc/app.wasm", "", "wasm"}, {"/v/abc/app.wasm", "br", "wasm as br"},
		{"/", "gzip", "index as gzip"}, {"/", "", "index"},
	} {
		for _, asked := range []string{"bytes=1-2", "bytes=0-0,2-2", "bytes=99999-", "bytes=-1"} {
			r := get(t, "GET", c.path, "Accept-Encoding", c.accept, "Range", asked, "If-Range",
				`"abc"`)
			if text := body(t, r); r.StatusCode != 200 || text != c.want ||
				r.Header.Get("Content-Range") != "" || r.Header.Get("Accept-Ranges") != "none" {
				t.Errorf("%s of %s is answered with %d %q, Accept-Ranges %q", asked, c.path,
					r.StatusCode, text, r.Header.Get("Accept-Ranges"))
			}
		}
	}
	for _, r := range []*http.Response{get(t, "HEAD", "/"), get(t, "GET", "/missing"),
		get(t, "GET", "/", "If-None-Match", "*")} {
		if r.Header.Get("Accept-Ranges") != "none" {
			t.Errorf("an answer with %d says Accept-Ranges: %q", r.StatusCode,
				r.Header.Get("Accept-Ranges"))
		}
	}
}

func TestEntryTagFollowsContent(t *testing.T) {
	files := bundle()
	tag := func() string {
		w := httptest.NewRecorder()
		host.New(files).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		return w.Header().Get("ETag")
	}
	before := tag()
	files["index.html"].Data = []byte("INDEX") // same length, same time
	if tag() == before {
		t.Error("the tag did not change with the content")
	}
}

// What is hidden is not served, whatever its type.
func TestHidden(t *testing.T) {
	for _, path := range []string{"/.notes.txt", "/.git/config.txt", "/v/.abc/app.js"} {
		if r := get(t, "GET", path); r.StatusCode != 404 {
			t.Errorf("%s is answered with %d: %s", path, r.StatusCode, body(t, r))
		}
	}
}

func TestMethods(t *testing.T) {
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
		r := get(t, method, "/")
		if r.StatusCode != 405 || r.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s is answered with %d, Allow %q", method, r.StatusCode,
				r.Header.Get("Allow"))
		}
	}
}

func TestPolicy(t *testing.T) {
	want := map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self' " +
			"'wasm-unsafe-eval'; style-src 'self' '" + host.ReportStyle + "'; " +
			"img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
			"worker-src 'self' blob:; manifest-src 'self'; frame-src 'self' blob:; " +
			"base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; " +
			"trusted-types default; frame-ancestors 'none'",
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
	}
	for _, c := range []struct{ method, path, tag string }{
		{"GET", "/", ""}, {"GET", "/", "*"}, {"HEAD", "/app-worker.js", ""},
		{"GET", "/v/abc/app.js", ""}, {"GET", "/missing", ""}, {"POST", "/", ""},
		{"GET", "/embed.html", ""}, {"GET", "/embed.html", "*"}, {"HEAD", "/embed.html", ""},
		{"GET", "/v/abc/embed.html", ""}, {"GET", "/embed.js", ""},
	} {
		r := get(t, c.method, c.path, "If-None-Match", c.tag)
		want := maps.Clone(want)
		switch c.path {
		case "/embed.html":
			want["Content-Security-Policy"] = strings.Replace(want["Content-Security-Policy"],
				"ancestors 'none'", "ancestors *", 1)
			want["Cross-Origin-Resource-Policy"] = "cross-origin"
		case "/embed.js":
			want["Cross-Origin-Resource-Policy"] = "cross-origin"
		}
		for name, value := range want {
			if got := r.Header.Get(name); got != value {
				t.Errorf("%s %s (%d): %s is %q, want %q", c.method, c.path, r.StatusCode, name, got,
					value)
			}
		}
	}
}
