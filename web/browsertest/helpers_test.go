//go:build browser

package browsertest

import (
	"bytes"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// A page with one of each thing that the helpers act on.
const helpersPage = `<!doctype html><html lang="en"><title>Helpers</title><meta name="viewport" content="width=device-width">
<style>body { background: white } @media (prefers-color-scheme: dark) { body { background: black } } #far { margin-top: 3000px }</style>
<main><h1>Helpers</h1>
<p><button id="b1">Run</button> <button>Run again and again</button> <button disabled id="late">Later</button>
<label>Name <input id="name"></label> <label>Kind <select id="kind"><option>one</option><option>two</option></select></label>
<input type="file" id="file" multiple aria-label="Files">
<div id="drop">drop here</div> <button id="far">Far below</button> <p role="status" id="log"></p></main>
<script>
const say = (text) => document.getElementById("log").textContent += text + "; ";
b1.onclick = () => { say("run"); setTimeout(() => late.disabled = false, 50); };
late.onclick = () => say("later"); far.onclick = () => say("far");
document.getElementById("name").onchange = (e) => say("name " + e.target.value);
kind.onchange = () => say("kind " + kind.value);
const show = async (files) => { for (const f of files) say(f.name + " " + (await f.text()).trim()); };
file.onchange = () => show(file.files);
drop.ondragover = (e) => e.preventDefault();
drop.ondrop = (e) => { e.preventDefault(); show(e.dataTransfer.files); };
const save = (name, text) => { const a = document.createElement("a"); a.href = URL.createObjectURL(new Blob([text])); a.download = name; a.click(); };
</script>`

func serveHelpers(t *testing.T, page string) *site {
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/worker.js" {
			w.Header().Set("Content-Type", "text/javascript")
			w.Write([]byte(`globalThis.answer = 42; fetch("/from-the-worker")`))
			return
		}
		w.Write([]byte(page))
	}), "/")
}

func TestHelpersAct(t *testing.T) {
	p := open(t, serveHelpers(t, helpersPage+`<link rel="icon" href="data:,">`).url)
	file := filepath.Join(t.TempDir(), "ages.csv")
	if err := os.WriteFile(file, []byte("age\n34\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.click("button", "Run")           // exact name wins over a longer one
	p.click("button", "Later")         // waits until it is enabled
	p.click("button", "Far")           // the start of a name is enough; scrolls
	p.fill("textbox", "Name", "Ada")   // leaves the field
	p.fill("textbox", "Name", "Grace") // replaces
	p.fill("textbox", "Name", "")
	p.choose("Kind", "two")
	p.upload("#file", file, file)
	p.drop("#drop", file)
	p.waitText("run; later; far; name Ada; name Grace; name ; kind two; ages.csv age 34; " +
		"ages.csv age 34; ages.csv age 34;")
	p.eval(`void (log.textContent = "")`, nil)
	p.waitGone("name Ada")
	if names := p.names("button"); !slices.Contains(names, "Run again and again") {
		t.Errorf("the buttons are %q", names)
	}
	if p.has("button", "Walk") || !p.has("button", "Run") || p.value("textbox", "Name") != "" {
		t.Error("has or value is wrong")
	}
	p.clickSelector("#name")
	p.press(kb.Tab)
	if role, name := p.focused(); role != "combobox" || name != "Kind" {
		t.Errorf("after Tab the focus is on the %s %q", role, name)
	}
}

func TestHelpersLook(t *testing.T) {
	p := open(t, serveHelpers(t, helpersPage+`<link rel="icon" href="data:,">`).url)
	saved := p.download(func() { p.eval(`save("answer.json", "{}")`, nil) })
	if saved.name != "answer.json" || string(saved.data) != "{}" {
		t.Errorf("the download is %q with %q", saved.name, saved.data)
	}
	for theme, want := range map[string]uint32{"light": 0xffff, "dark": 0} {
		picture, err := png.Decode(bytes.NewReader(p.screenshot("helpers-"+theme, 320, 480, theme)))
		if err != nil {
			t.Fatal(err)
		}
		if r, _, _, _ := picture.At(319, 479).RGBA(); picture.Bounds().Dx() != 320 ||
			picture.Bounds().Dy() != 480 || r != want {
			t.Errorf("%s: the picture is %v with red %x at its corner", theme, picture.Bounds(), r)
		}
	}
	if found := p.axeViolations(); len(found) > 0 {
		t.Errorf("axe finds %+v in a page without fault", found)
	}
	p.eval(`void document.querySelector("main").append(Object.assign(document.createElement("img"), { src: "data:," }))`, nil)
	if found := p.axeViolations(); len(found) != 1 || found[0].ID != "image-alt" {
		t.Errorf("axe finds %+v, want the picture without a text", found)
	}
}

func TestHelpersReachWorkers(t *testing.T) {
	p := open(t, serveHelpers(t, `<!doctype html><title>w</title><link rel="icon" href="data:,">`).
		url)
	p.eval(`void (globalThis.w = new Worker("worker.js"))`, nil)
	var answer int
	if p.inWorker("worker.js", "answer", &answer); answer != 42 {
		t.Errorf("the worker answers %d", answer)
	}
	p.inWorker("worker.js", `console.error("from the worker")`, nil)
	p.wait("the worker's error", func() bool {
		return strings.Contains(strings.Join(p.problems(), " "),
			`in worker worker.js: "from the worker"`)
	})
	p.expect("from the worker")
	p.eval(`w.terminate()`, nil)
	p.wait("the worker to go", func() bool { return p.worker("worker.js") == nil })
}
