package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"hush/core/audit"
	"hush/core/phrase"
	"hush/core/task"
	"hush/web"
	"hush/web/host"
)

var register = sync.OnceFunc(web.Register)

// made writes what build.sh makes, in small, and returns the inputs over the real static files.
func made(t *testing.T, wasm string) inputs {
	t.Helper()
	register()
	dir := t.TempDir()
	// one section, which says nothing
	module := "\x00asm\x01\x00\x00\x00\x00" + string(rune(len(wasm))) + wasm
	for name, text := range map[string]string{
		binaryName: module, "wasm_exec.js": "exec", "charts.js": "charts",
		"licences-go.txt": "licence"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return inputs{wasm: filepath.Join(dir, binaryName), exec: filepath.Join(dir, "wasm_exec.js"),
		static: "../../static", core: "../../core", made: dir}
}

// TestUnknownLayout: a binary that shrink cannot read is shipped as it is, and the build says so.
func TestUnknownLayout(t *testing.T) {
	in := made(t, "")
	in.whole = filepath.Join(in.made, "whole")
	// data without Go's table
	binary := []byte("\x00asm\x01\x00\x00\x00\x0b\x08\x01\x00\x41\x08\x0b\x02ab")
	if err := os.WriteFile(in.wasm, binary, 0o600); err != nil {
		t.Fatal(err)
	}
	all, version := bundleOf(t, in)
	if got := all[folder(version)+"app.wasm"]; !bytes.Equal(got, binary) {
		t.Errorf("shipped is %q, want the binary as it is", got)
	}
	why, err := os.ReadFile(in.whole)
	if err != nil || !strings.Contains(string(why), "table of functions") {
		t.Errorf("the build is told %q (%v), want why", why, err)
	}

	if err := os.WriteFile(in.wasm, []byte("<html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := in.bundle(); err == nil {
		t.Error("what is no binary is shipped")
	}
}

func bundleOf(t *testing.T, in inputs) (files, string) {
	t.Helper()
	all, err := in.bundle()
	if err != nil {
		t.Fatal(err)
	}
	for name := range all {
		if rest, ok := strings.CutPrefix(name, host.Versioned); ok {
			version, _, _ := strings.Cut(rest, "/")
			return all, version
		}
	}
	t.Fatal("nothing is versioned")
	return nil, ""
}

func TestSameContentSameBundle(t *testing.T) {
	in := made(t, "wasm")
	first, version := bundleOf(t, in)
	second, again := bundleOf(t, in)
	if version != again || !maps.EqualFunc(first, second, bytes.Equal) {
		t.Errorf("two runs over the same files give versions %s and %s", version, again)
	}
	if _, other := bundleOf(t, made(t, "WASM")); other == version {
		t.Error("another binary has the same version")
	}
}

func TestEverythingIsInOnePlace(t *testing.T) {
	all, version := bundleOf(t, made(t, "wasm"))
	var entry []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !strings.HasPrefix(name, host.Versioned+version+"/") {
			entry = append(entry, name)
		}
	}
	if want := []string{".assetsignore", "_headers", "app-worker.js", "embed.html", "embed.js",
		"example.html", "hashes.txt", "hush.tgz", "index.html", "manifest.webmanifest",
		"package.html"}; !slices.Equal(
		entry, want) {
		t.Errorf("outside the versioned folder are %q, want %q", entry, want)
	}
	for _, name := range []string{
		binaryName, "wasm_exec.js", "app.js", "app.css", "hush.js", "engine.js",
		"page.js", "update.js", "charts.js",
		"style.css", "evidence.json", "icons/icon.svg", "icons/icon-192.png",
		"icons/icon-512.png", "icons/maskable-512.png", "licences-go.txt",
	} {
		if len(all[host.Versioned+version+"/"+name]) == 0 {
			t.Errorf("%s is missing or empty", name)
		}
	}
	for name := range all {
		if strings.Contains(name, ".src.") || strings.Contains(name, "node_modules") ||
			strings.HasSuffix(name, ".mjs") {
			t.Errorf("%s is a source, not a part of the bundle", name)
		}
	}
}

// references finds what a document asks for: attributes, strings with a path in scripts, and the
// manifest's members.
var references = regexp.MustCompile(`(?:src|href)="([^"#]+)"|"(\./[^"]*)"`)

// Every address in an entry document is relative, and the host answers it with 200.
func TestEveryAddressIsAnswered(t *testing.T) {
	all, version := bundleOf(t, made(t, "wasm"))
	served := fstest.MapFS{}
	for name, text := range all {
		served[name] = &fstest.MapFile{Data: text, Mode: fs.FileMode(0o644)}
	}
	seen := map[string]bool{}
	for _, from := range []string{"index.html", "manifest.webmanifest", "app-worker.js",
		"embed.html", "example.html", "package.html", host.Versioned + version + "/app.js"} {
		for _, match := range references.FindAllSubmatch(all[from], -1) {
			address, _, _ := strings.Cut(string(match[1])+string(match[2]), "#")
			if !strings.HasPrefix(address, "./") {
				t.Errorf("%s: %q is not relative", from, address)
				continue
			}
			if address == "./"+host.Versioned+version { // a prefix that scripts complete
				continue
			}
			base := &url.URL{Path: "/"} // scripts resolve against the document
			w := httptest.NewRecorder()
			host.New(served).
				ServeHTTP(w,
					httptest.NewRequest("GET", base.ResolveReference(&url.URL{Path: address}).Path,
						nil))
			if w.Code != 200 {
				t.Errorf("%s: %q is answered with %d", from, address, w.Code)
			}
			seen[address] = true
		}
	}
	worker := string(all["app-worker.js"])
	for name := range all {
		listed := strings.Contains(worker, `"./`+name+`"`)
		if name == "index.html" {
			listed = strings.Contains(worker, `"./"`)
		}
		if name == packageFile || path.Base(path.Dir(name)) == packageFolder {
			if listed {
				t.Errorf("every visitor loads %s", name)
			}
			continue
		}
		if slices.Contains([]string{host.FrameFile, host.ScriptFile, exampleTemplate,
			packageTemplate}, name) {
			if listed {
				t.Errorf("every visitor loads %s", name)
			}
			listed = strings.Contains(worker, `"`+name+`"`) // kept when it is used
		}
		if !listed &&
			!slices.Contains([]string{"app-worker.js", hashesFile, host.RulesFile,
				host.IgnoreFile}, name) { // hashesFile says what the host serves
			t.Errorf("%s is not in the service worker's list, so it is missing offline", name)
		}
	}
	if len(seen) < 15 {
		t.Errorf("only %d addresses were found; the test has lost its eyes", len(seen))
	}
}

// The list of hashes names every file that is served but itself.
func TestHashesAreThoseOfTheFiles(t *testing.T) {
	all, _ := bundleOf(t, made(t, "wasm"))
	listed := string(all[hashesFile])
	for name, text := range all {
		line := fmt.Sprintf("%x  %s\n", sha256.Sum256(text), name)
		if served := host.Known(name) &&
			name != hashesFile; strings.Contains(listed, line) != served {
			t.Errorf("%s is listed: %v, want %v", name, !served, served)
		}
	}
}

// The service worker knows the hash of every file that is served, but its own and the list for
// people, and the headers of the documents; and the version is the hash of a list by which a later
// service worker tells the files of this one.
func TestServiceWorkerKnowsTheFiles(t *testing.T) {
	all, version := bundleOf(t, made(t, "wasm"))
	worker := string(all[workerTemplate])
	list := all[folder(version)+listFile]
	if hash := fmt.Sprintf("%x", sha256.Sum256(list)); hash[:16] != version {
		t.Errorf("the version is %s, and its list has the hash %s", version, hash)
	}
	certified := 0
	for name, text := range all {
		hash := fmt.Sprintf("%x", sha256.Sum256(text))
		known := host.Known(name) && name != workerTemplate && name != hashesFile
		if strings.Contains(worker, fmt.Sprintf("%q:%q", name, hash)) != known {
			t.Errorf("the service worker knows %s: %v, want %v", name, !known, known)
		}
		if below, versioned := strings.CutPrefix(name, folder(version)); versioned {
			named := bytes.Contains(text, []byte(version)) || below == listFile
			if bytes.Contains(list, []byte(hash+"  "+below+"\n")) == named {
				t.Errorf("the list has %s as it is: %v, want %v", name, named, !named)
			}
			certified++
		}
	}
	if certified < 15 || !bytes.Contains(list, []byte("  ../../index.html\n")) {
		t.Errorf("%d files, list %s", certified, list)
	}
	for _, header := range []string{`"Cross-Origin-Opener-Policy":"same-origin"`,
		`frame-ancestors 'none'`, `frame-ancestors *`} {
		if !strings.Contains(worker, header) {
			t.Errorf("the service worker answers without %s", header)
		}
	}
}

func TestDocumentsCarryThePolicy(t *testing.T) {
	all, _ := bundleOf(t, made(t, "wasm"))
	for _, name := range []string{"index.html", host.FrameFile, exampleTemplate,
		packageTemplate} {
		page := string(all[name])
		policy := strings.Index(
			page, `<meta http-equiv="Content-Security-Policy" content="`+host.Policy+`">`)
		if policy < 0 || policy > strings.Index(page, "<script") ||
			policy > strings.Index(page, "<link") {
			t.Errorf("%s: the policy must stand before all that it governs", name)
		}
		trust, first := strings.Index(page, "/trust.js"), strings.Index(page, "/wasm_exec.js")
		if first > 0 && (trust < policy || trust > first) {
			t.Errorf("%s: the script of Trusted Types must stand between the policy and all "+
				"other scripts", name)
		}
		for _, forbidden := range []string{"<style", " style=", "<script>", "javascript:",
			" onclick=", "://"} {
			if strings.Contains(page, forbidden) {
				t.Errorf("%s contains %q", name, forbidden)
			}
		}
	}
}

// The workbench does not start in a frame, even where no header forbids it, and waits for no update
// of another document.
func TestOnlyOneDocumentIsFramed(t *testing.T) {
	all, _ := bundleOf(t, made(t, "wasm"))
	for name, want := range map[string][]string{
		"index.html":   {"/alone.js\"></script>", "/update.js"},
		host.FrameFile: {"/frame.js", "Loading the demo"}} {
		for _, part := range []string{"/alone.js\"></script>", "/update.js", "/frame.js",
			"Loading the demo"} {
			if got := strings.Contains(string(all[name]), part); got != slices.Contains(
				want, part) {
				t.Errorf("%s contains %s: %v", name, part, got)
			}
		}
	}
	if page := string(all["index.html"]); strings.Index(page, "/alone.js") > strings.Index(
		page, "/trust.js") {
		t.Error("something is loaded before it is known whether the page stands alone")
	}
}

// What other sites load is small, and loads nothing but the one document.
func TestScriptOfOtherSites(t *testing.T) {
	all, _ := bundleOf(t, made(t, "wasm"))
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(all[host.ScriptFile])
	}
	if err = errors.Join(err, w.Close()); err != nil || packed.Len() > 5000 {
		t.Errorf("it has %d bytes of gzip (%v), want at most 5000", packed.Len(), err)
	}
	for _, forbidden := range []string{"import ", "import(", "fetch(", "innerHTML", "Storage",
		"document.cookie", "eval("} {
		if strings.Contains(string(all[host.ScriptFile]), forbidden) {
			t.Errorf("it contains %q", forbidden)
		}
	}
}

// An author reads of every task and of every attribute that there is.
func TestExamplePage(t *testing.T) {
	all, _ := bundleOf(t, made(t, "wasm"))
	page, script := string(all[exampleTemplate]), string(all[host.ScriptFile])
	for _, task := range task.Catalogue() {
		if !strings.Contains(page, "<code>"+task.ID+"</code>") {
			t.Errorf("it does not name the task %s", task.ID)
		}
	}
	for _, name := range []string{"task", "data", "question", "epsilon", "theme", "start"} {
		if !strings.Contains(page, "<td><code>"+name+"</code></td>") ||
			!strings.Contains(script, `"`+name+`"`) {
			t.Errorf("the attribute %s is not explained, or not there", name)
		}
	}
	for _, left := range []string{"POLICY", "TASKS", "SAMPLES", "SPEECH", "/web/",
		"<code>lang</code>"} {
		if strings.Contains(page, left) {
			t.Errorf("%s is left in it", left)
		}
	}
}

func TestManifest(t *testing.T) {
	all, _ := bundleOf(t, made(t, "wasm"))
	var manifest struct {
		Name     string `json:"name"`
		Scope    string `json:"scope"`
		StartURL string `json:"start_url"`
		Icons    []struct{ Src, Sizes, Purpose string }
	}
	if err := json.Unmarshal(all["manifest.webmanifest"], &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Name != "Hush" || manifest.Scope != "./" || manifest.StartURL != "./" ||
		len(manifest.Icons) != 4 {
		t.Errorf("the manifest is %+v", manifest)
	}
}

func TestRewritePageRefuses(t *testing.T) {
	const head = `<meta charset="UTF-8">`
	for name, page := range map[string]string{
		"a foreign picture":  head + `<img src="https://example.org/x.png">`,
		"an absolute script": head + `<script src="/app.js"></script>`,
		"no character set":   `<p>`,
		"two character sets": head + head,
	} {
		if _, err := rewritePage([]byte(page), ""); err == nil {
			t.Errorf("%s is let through", name)
		}
	}
}

func TestMendTag(t *testing.T) {
	for in, want := range map[string]string{
		`<p id="b" class="a">`:                      `<p class="a" id="b">`,
		`<button hidden="false" disabled>`:          `<button disabled>`,
		`<div aria-hidden aria-expanded="false">`:   `<div aria-expanded="false" aria-hidden="true">`,
		`<p title="say \"no\" & <go>">`:             `<p title="say &#34;no&#34; &amp; &lt;go&gt;">`,
		`<svg viewBox="0 0 1 1" data-x2="">`:        `<svg data-x2="" viewBox="0 0 1 1">`,
		`<p title="ε ≤ 1">`:                         `<p title="ε ≤ 1">`,
		`<script type="module" src="./a.js" defer>`: `<script defer src="./a.js" type="module">`,
	} {
		if got := string(mendTag([]byte(in))); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
}

// The evidence is what the tests wrote down, of every package that they wrote it for.
func TestEvidence(t *testing.T) {
	all, version := bundleOf(t, made(t, "wasm"))
	var records []audit.Record
	if err := json.Unmarshal(all[host.Versioned+version+"/evidence.json"], &records); err != nil {
		t.Fatal(err)
	}
	tables, err := filepath.Glob("../../core/*/AUDIT.md")
	if err != nil || len(tables) != len(records) {
		t.Errorf("%d packages of %d tables (%v)", len(records), len(tables), err)
	}
	for _, r := range records {
		if r.Package == "task" && (len(r.Intervals) < 50 || r.Intervals[0][1] != "1000") ||
			r.Package != "task" && r.Intervals != nil {
			t.Errorf("%s: intervals %q", r.Package, r.Intervals)
		}
		text, err := os.ReadFile("../../core/" + r.Package + "/AUDIT.md")
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(text), "\n| ") - 2; len(r.Claims)+
			len(r.Planted) != lines || r.About == "" || strings.HasPrefix(r.About, "Package") {
			t.Errorf("%s (%s): %d and %d lines of %d", r.Package, r.About, len(r.Claims),
				len(r.Planted), lines)
		}
	}
	if _, err := evidence(t.TempDir()); err == nil {
		t.Error("a bundle without evidence is let through")
	}
}

// A translation is part of the bundle, and nothing of it is loaded by who needs none; one that does
// not fit stops the build.
func TestTranslations(t *testing.T) {
	in := made(t, "wasm")
	all, version := bundleOf(t, in)
	script, err := os.ReadFile(filepath.Join(in.static, host.ScriptFile))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(all["index.html"]), languageScript) ||
		all[folder(version)+languageScript] != nil || !bytes.Equal(all[host.ScriptFile], script) {
		t.Error("a bundle without translations chooses a language")
	}
	static := filepath.Join(t.TempDir(), "static")
	for _, pattern := range []string{"*.*", "icons/*", "package/*"} {
		found, err := filepath.Glob(filepath.Join(in.static, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			inside, err := filepath.Rel(in.static, name)
			text, unread := os.ReadFile(name)
			target := filepath.Join(static, inside)
			if err := errors.Join(err, unread, os.MkdirAll(filepath.Dir(target), 0o700),
				os.WriteFile(target, text, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	write := func(text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(static, messagesFolder), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(static, messagesFolder, "de.json"), []byte(text),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	in.static = static
	write(`{"language": "de", "name": "Deutsch", "messages": {"Cancel": {"text": "Abbrechen"}, "Run this demo": {"text": "Vorführen </x>"}}}`)
	all, version = bundleOf(t, in)
	for _, name := range []string{"index.html", host.FrameFile} {
		if page := string(all[name]); !strings.Contains(page, languageScript) ||
			name == "index.html" &&
				strings.Index(page, languageScript) > strings.Index(page, "/alone.js") {
			t.Errorf("%s does not choose a language, or chooses it too late", name)
		}
	}
	for _, name := range []string{host.ScriptFile, folder(version) + languageScript} {
		const want = `languages: {"de":{"texts":{"Run this demo":"Vorführen \u003c/x\u003e"}}},`
		if !strings.Contains(string(all[name]), want) {
			t.Errorf("%s does not know what the bundle speaks", name)
		}
	}
	if !strings.Contains(string(all[exampleTemplate]), "<code>lang</code></td><td>the language, "+
		"which may also be said of any element around it: <code>en</code>, <code>de</code>") {
		t.Error("the page for authors does not say which languages there are")
	}
	if all[folder(version)+"messages/de.json"] == nil ||
		strings.Contains(string(all["app-worker.js"]),
			`"./`+folder(version)+"messages/de.json") {
		t.Error("the translation is missing, or every visitor loads it")
	}
	for _, text := range []string{
		`{"language": "de", "name": "Deutsch", "messages": {"Cancle": {"text": "x"}}}`,
		`{"language": "fr", "name": "Français", "messages": {}}`, `{`} {
		write(text)
		if _, err := in.bundle(); err == nil || !strings.Contains(err.Error(), "de.json") {
			t.Errorf("%s: %v, want an error that names the file", text, err)
		}
	}
}

// TestLoneTexts: what alone.js and embed.js say is in the catalogue, and so in every translation.
func TestLoneTexts(t *testing.T) {
	said, shown := regexp.MustCompile(`say\("([^"]+)"\)`),
		regexp.MustCompile(`(?:textContent|title|ariaLabel)(?:: | = )(["\x60][^"\x60]+["\x60])`)
	found := map[phrase.Key]bool{}
	for _, name := range []string{"alone.js", "past.js", host.ScriptFile} {
		script, err := os.ReadFile(filepath.Join("../../static", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range said.FindAllStringSubmatch(string(script), -1) {
			found[phrase.Key(m[1])] = true
		}
		for _, m := range shown.FindAllStringSubmatch(string(script), -1) {
			if m[1] != `"Hush"` {
				t.Errorf("%s shows %s in English", name, m[1])
			}
		}
	}
	if want := slices.Sorted(slices.Values(loneTexts)); !slices.Equal(
		slices.Sorted(maps.Keys(found)), want) {
		t.Errorf("the scripts say %q, want the list %q", slices.Sorted(maps.Keys(found)), want)
	}
}
