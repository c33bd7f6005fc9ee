//go:build browser

package browsertest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"hush/web/host"
)

// versionOf returns the version of a bundle, by the folder that its files are in.
func versionOf(t *testing.T, bundle map[string][]byte) string {
	t.Helper()
	for name := range bundle {
		if rest, ok := strings.CutPrefix(name, host.Versioned); ok {
			version, _, _ := strings.Cut(rest, "/")
			return version
		}
	}
	t.Fatal("the bundle has no version")
	return ""
}

// nextVersion is the bundle under another version, as after a change: the service worker knows the
// files as they are now. Variants are left out.
func nextVersion(t *testing.T, bundle map[string][]byte, version, next string) fs.FS {
	t.Helper()
	files, hashes := fstest.MapFS{}, []string{}
	for name, text := range bundle {
		if ext := path.Ext(name); ext == ".br" || ext == ".gz" {
			continue
		}
		if path.Ext(name) != ".wasm" {
			// as the worker has it now: the hash of the list of files begins with the version
			before := strings.ReplaceAll(hashOf(text), version, next)
			text = bytes.ReplaceAll(text, []byte(version), []byte(next))
			hashes = append(hashes, before, hashOf(text))
		}
		files[strings.ReplaceAll(name, version, next)] = &fstest.MapFile{Data: text, Mode: 0o644}
	}
	worker := files["app-worker.js"]
	worker.Data = []byte(strings.NewReplacer(hashes...).Replace(string(worker.Data)))
	return files
}

// knowing has the service worker of a bundle know its files as they are now, where a test has
// changed some of them. Variants of those are left out.
func knowing(files fstest.MapFS, before map[string][]byte) fstest.MapFS {
	const name = "app-worker.js"
	worker := string(files[name].Data)
	for changed, file := range files {
		if bytes.Equal(file.Data, before[changed]) && changed != name {
			continue
		}
		worker = strings.ReplaceAll(worker, hashOf(before[changed]), hashOf(file.Data))
		delete(files, changed+".br")
		delete(files, changed+".gz")
	}
	files[name] = &fstest.MapFile{Data: []byte(worker)}
	return files
}

// hashOf is the SHA-256 of a file as the service worker writes it.
func hashOf(text []byte) string {
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:])
}

const pageVersion = `document.querySelector("script[src$='app.js']").src.split("/").at(-2)`

// A new version is fetched behind the reader's back, but only taken when one asks; a second page
// that still shows the old one goes on working.
func TestUpdateWaitsToBeAsked(t *testing.T) {
	bundle := readBundle(t)
	old, next := versionOf(t, bundle), "00000000next0000"
	s := serveBundle(t)
	p := open(t, s.url)
	p.installed()
	other := p.another(s.url)

	s.replace(host.New(nextVersion(t, bundle, old, next)))
	p.eval(`globalThis.marked = true`, nil)
	p.eval(`navigator.serviceWorker.getRegistration().then((r) => r.update()).then(() => 0)`, nil)
	p.until("the new version to wait", `(await navigator.serviceWorker.getRegistration()).waiting`)

	var marked, stillMarked bool
	p.eval(`marked === true`, &marked)
	// a page opened meanwhile is of the old version too: all pages agree
	reloaded := p.another(s.url)
	var version string
	if reloaded.eval(pageVersion, &version); !marked || version != old {
		t.Errorf("nobody asked, and yet the page was reloaded (%v) or the version is %s", !marked,
			version)
	}

	p.expect("WebAssembly compilation aborted") // the page is loaded again, whatever it was loading
	p.eval(`void hushUpdate()`, nil)
	p.until("the new version", pageVersion+` === "`+next+`" && !globalThis.marked`)
	p.alive()

	other.eval(`globalThis.stillHere = true`, nil)
	for _, name := range []string{"charts.js", "engine.js", "app.wasm", "evidence.json"} {
		// the server has them no more
		var status int
		other.eval(`fetch(new URL("`+name+
			`", document.querySelector("script[src$='app.js']").src)).then(({ status }) => status)`,
			&status)
		if status != http.StatusOK {
			t.Errorf("the page of the old version gets %d for %s", status, name)
		}
	}
	if other.eval(`stillHere === true`, &stillMarked); !stillMarked {
		t.Error("the other page was reloaded")
	}
}

// One update later the files of the version before last are gone, and other programs' caches are
// not touched.
func TestOldFilesAreDeleted(t *testing.T) {
	bundle := readBundle(t)
	version := versionOf(t, bundle)
	s := serveBundle(t)
	// without the page, so that nothing is installed yet
	p := open(t, s.url+host.Versioned+version+"/icons/icon.svg")
	p.expect("favicon.ico") // a picture alone has none
	for _, name := range []string{"hush " + s.url + " 1", "hush " + s.url + " 2",
		"hush " + s.url + "elsewhere/ 1", "of another program"} {
		p.eval(`caches.open("`+name+`").then(() => 0)`, nil)
	}
	p.visit(s.url)
	p.installed()
	var kept []string
	p.until("the oldest cache to go", `(await caches.keys()).length === 4`)
	p.eval(`caches.keys()`, &kept)
	if want := []string{"hush " + s.url + " 2", "hush " + s.url + "elsewhere/ 1",
		"of another program", "hush " + s.url + " " + version}; !slices.Equal(kept, want) {
		t.Errorf("the caches are %q, want %q", kept, want)
	}
}

// While a new version is being put on the server, files and page may not belong together: then
// nothing is taken.
func TestHalfAnUpdateIsNotTaken(t *testing.T) {
	bundle := readBundle(t)
	old, next := versionOf(t, bundle), "00000000next0000"
	s := serveBundle(t)
	p := open(t, s.url)
	p.installed()
	before := host.New(bundleFiles(t))
	after := host.New(nextVersion(t, bundle, old, next))
	s.replace(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "app-worker.js") || strings.Contains(r.URL.Path, next) {
			after.ServeHTTP(w, r)
			return
		}
		before.ServeHTTP(w, r) // the old page
	}))
	p.expect("the page on the server is another version")
	var state string
	p.eval(`new Promise(async (resolve) => {
		const registration = await navigator.serviceWorker.getRegistration();
		registration.addEventListener("updatefound", () => {
			const fresh = registration.installing;
			fresh.addEventListener("statechange", () => { if (fresh.state !== "installing") resolve(fresh.state); });
		});
		registration.update().catch((error) => resolve("not updated: " + error));
	})`, &state)
	if state != "redundant" {
		t.Errorf("the new service worker became %s, want redundant", state)
	}
	var kept []string
	if p.eval(`caches.keys()`, &kept); len(kept) != 1 || !strings.Contains(kept[0], old) {
		t.Errorf("the caches are %q, want the old version's only", kept)
	}
	s.stop()
	p.expect("ERR_CONNECTION_REFUSED")
	p.reload()
}
