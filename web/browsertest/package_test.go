//go:build browser

package browsertest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"path"
	"strings"
	"testing"
)

// installedPackage are the files of the package that the bundle serves, as npm installs them.
func installedPackage(t *testing.T) map[string][]byte {
	t.Helper()
	packed, err := gzip.NewReader(bytes.NewReader(readBundle(t)["hush.tgz"]))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for list := tar.NewReader(packed); ; {
		header, err := list.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(header.Name, "package/")
		if all[name], err = io.ReadAll(list); err != nil {
			t.Fatal(err)
		}
	}
}

// developersPage is a page of somebody else with the package in a folder of its own: it asks the
// questions of a test.
const developersPage = `<!doctype html><html lang="en"><title>A page with the package</title>
<link rel="icon" href="data:,"><script type="module" src="lib/hush.js" integrity="INTEGRITY"></script>
<script type="module" src="page.js"></script>`

const developersScript = `
import { Hush, HushError } from "./lib/hush.js";
globalThis.walk = async (file) => {
  const hush = await Hush.open();
  const failed = (promise) => promise.then(() => "", (error) => error instanceof HushError ? error.code : String(error));
  const codes = [await failed(hush.price({}))];
  const opening = await hush.file(file);
  const recipe = { version: 1, task: "mean", table: opening.options, column: 1,
    domain: { kind: "integer", lo: "0", hi: "99" }, epsilon: "1/2" };
  const plan = await hush.price(recipe);
  codes.push(await failed(hush.price({ ...recipe, epsilon: "no number" })), await failed(hush.release({ ...recipe, epsilon: "9" })));
  const release = await hush.release(recipe, { agreed: await hush.claims(recipe) });
  const { spent, count } = await hush.ledger();
  hush.close();
  codes.push(await failed(hush.price(recipe)));
  return { codes, people: plan.people, statement: release.statement, entry: release.entry, spent, count, format: opening.options.format ?? "" };
};
`

// TestPackageInAPage: in a page of somebody else, under a policy that allows no more than its
// README says, the package opens a file, prices a question and answers it, also of a kind of file
// that a reader opens; the ledger of that page's origin has what it cost.
func TestPackageInAPage(t *testing.T) {
	const policy = "default-src 'none'; img-src data:; script-src 'self' 'wasm-unsafe-eval'; " +
		"connect-src 'self'; worker-src blob:"
	files := installedPackage(t)
	_, said, _ := strings.Cut(policy, "data:; ")
	if !strings.Contains(string(files["README.md"]), said) {
		t.Errorf("the README does not say %s", said)
	}
	var integrity map[string]string
	if err := json.Unmarshal(files["integrity.json"], &integrity); err != nil {
		t.Fatal(err)
	}
	page := strings.Replace(developersPage, "INTEGRITY", integrity["hush.js"], 1)
	for name, text := range map[string]string{"index.html": page, "page.js": developersScript} {
		files["../"+name] = []byte(text)
	}
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		text, there := files["../"+name]
		if below, lib := strings.CutPrefix(name, "lib/"); lib {
			text, there = files[below]
		}
		if !there {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		w.Write(text)
	}), "/")
	p := open(t, s.url)
	p.until("the script of the page", `globalThis.walk`)
	const ages = `Array.from({ length: 1000 }, (_, i) => i % 100)`
	for i, c := range []struct{ name, file, format string }{
		{"a plain text", `"age\n" + ` + ages + `.join("\n")`, ""},
		{"JSON", `JSON.stringify(` + ages + `.map((age) => ({ age })))`, "json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got struct {
				Codes                           []string
				People, Count                   int
				Statement, Entry, Spent, Format string
			}
			p.script("return walk(new Blob(["+c.file+"]))", &got)
			if codes := strings.Join(got.Codes, " "); codes !=
				"no-file refused over-limit closed" {
				t.Errorf("the failures are %s", codes)
			}
			// the two are one data set, whose rows are known again
			if got.People != 1000 || got.Count != i+1 || got.Format != c.format ||
				len(got.Entry) != 36 ||
				!strings.HasPrefix(got.Statement, "Mean column 1 of those with a value is") {
				t.Errorf("the walk says %+v", got)
			}
		})
	}
}

// TestPackagePage: what the bundle shows of the package runs there, and stands in the ledger.
func TestPackagePage(t *testing.T) {
	for _, place := range places {
		t.Run(place.name, func(t *testing.T) {
			s := place.serve(t)
			p := open(t, s.url+"package.html")
			p.waitText("Hush in your own program")
			p.axe()
			p.pressButton("Run it")
			p.waitText("Mean column 1 of those with a value is about")
			p.waitText("Spent on this file in this browser: ε = 0.1 of 3.")
			p.pressButton("Run it")
			p.waitText("ε = 0.2 of 3.")
			for _, theme := range []string{"light", "dark"} {
				p.theme(theme)
				p.axe()
				p.screenshot("package-"+theme, 1280, 1000, theme)
				p.screenshot("package-narrow-"+theme, 360, 1000, theme)
			}
			var wide bool
			p.size(360, 900)
			p.eval(`document.documentElement.scrollWidth > innerWidth`, &wide)
			if wide {
				t.Error("the page is wider than a narrow screen")
			}
		})
	}
}
