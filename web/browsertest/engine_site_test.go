//go:build browser

package browsertest

import (
	"io/fs"
	"path"
	"testing"
	"testing/fstest"

	"hush/web/host"
)

// The engine's tests run on a page of their own beside the bundle's scripts, which holds nothing
// but the client: that needs no other script of the page, under the policy of the bundle.
const enginePage = `<!doctype html><html lang="en"><title>engine</title>
<link rel="icon" href="icons/icon.svg"><input type="file" id="file"><script type="module" src="engine-test.js"></script>`

// enginePageScript says what came of a promise as {value} or {error}, and makes files and
// questions.
const enginePageScript = `
import { Hush } from "./hush.js";
globalThis.outcome = (promise) => promise.then(
  (value) => ({ value }),
  ({ name, code, message, field, value, want, reason }) => ({ error: { name, code, message, field, value, want, reason } }));
globalThis.picked = () => document.getElementById("file").files[0];
globalThis.ages = (rows) => new File(["age\n" + Array.from({ length: rows }, (_, i) => (i % 100) + "\n").join("")], "ages.csv");
globalThis.question = (opening, changes) => ({
  version: 1, task: "histogram", table: opening.options, column: 1,
  domain: { kind: "integer", lo: "0", hi: "99" }, epsilon: "1/10", ...changes });
globalThis.events = [];
globalThis.start = (options) => {
  const hush = new Hush(options);
  for (const kind of ["died", "restarted"]) hush.addEventListener(kind, ({ type, detail }) => events.push(detail ? type + " " + detail.reason : type));
  return globalThis.hush = hush;
};
globalThis.next = (kind) => new Promise((resolve) => hush.addEventListener(kind, resolve, { once: true }));
`

// openEngine opens the engine's page in a fresh profile, whose ledger is empty.
func openEngine(t *testing.T) *webPage {
	t.Helper()
	files, page := engineFiles(t)
	return open(t, serve(t, host.New(files), page).url)
}

// engineFiles is the bundle with the engine's page, and the page's path.
func engineFiles(t *testing.T) (files fstest.MapFS, page string) {
	t.Helper()
	return engineFilesOf(t, bundleFiles(t))
}

func engineFilesOf(t *testing.T, bundle fs.FS) (files fstest.MapFS, page string) {
	t.Helper()
	files = fstest.MapFS{}
	var dir string
	for name, data := range readFiles(t, bundle) {
		files[name] = &fstest.MapFile{Data: data}
		if path.Base(name) == "hush.js" {
			dir = path.Dir(name)
		}
	}
	files[dir+"/engine-test.html"] = &fstest.MapFile{Data: []byte(enginePage)}
	files[dir+"/engine-test.js"] = &fstest.MapFile{Data: []byte(enginePageScript)}
	return files, "/" + dir + "/engine-test.html"
}

// script runs the body of an async function in the page and decodes what it returns.
func (p *webPage) script(body string, into any) {
	p.t.Helper()
	p.eval("(async () => {"+body+"})()", into)
}

// address is where the page is.
func (p *webPage) address() (address string) {
	p.t.Helper()
	p.eval("location.href", &address)
	return address
}

// What cannot be had on demand is brought about inside the engine's worker.
const (
	// Takes all the memory there is, so that Go's next wish for more fails as it does on a full
	// machine.
	starve = `(() => { const { mem } = go._inst.exports; mem.grow(65536 - mem.buffer.byteLength / 65536); go.mem = new DataView(mem.buffer); })()`
	// Hears nothing for three seconds.
	block = `void setTimeout(() => { for (const end = performance.now() + 3000; performance.now() < end; ); })`
	// Is as in a browser that keeps nothing.
	refuseStorage = `void Object.defineProperty(globalThis, "indexedDB", { value: { open() { throw new DOMException("denied", "SecurityError"); } } })`
	// Makes the next run meet a defect.
	sabotage = `void (hushEngine.step = () => { throw new Error("a secret of row 17"); })`
	// Is as in a browser whose file streams are no byte streams.
	refuseBYOB = `(() => {
		const { getReader } = ReadableStream.prototype;
		ReadableStream.prototype.getReader = function (options) { if (options) throw new TypeError("no byte stream"); return getReader.call(this); };
	})()`
)
