package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/phrase"
	"hush/core/sample"
	"hush/core/task"
	"hush/web/host"
	"hush/web/state/lesson"
)

// What a document says before the program runs: static/language.js translates it there.
const (
	title       phrase.Key = "Hush: publish figures about people, not the people"
	description phrase.Key = "Drop a CSV file, ask a question about the people in it, and get an " +
		"answer that is safe to publish. Differential privacy, entirely in your browser: the " +
		"file never leaves the tab."
	loading phrase.Key = "Loading…" // rewriteScript leaves no progress to tell
	failed  phrase.Key = "Hush could not be loaded. Check the connection to the network, " +
		"then load this page again."
	unable phrase.Key = "This browser cannot run Hush: it lacks the vector instructions of " +
		"WebAssembly (SIMD). Open this page in Chrome 91, Firefox 89, Safari 16.4 or any later " +
		"version."

	paper = "#f7f5f0" // the style sheet's --paper
)

// generate makes what go-app makes: its script and style sheet, which are versioned, and the entry
// documents.
func generate(parts, templates files, version string) (versioned, documents files, err error) {
	workbench := handler(parts, string(templates[workerTemplate]), version, "page.js", "update.js")
	embed := handler(parts, "", version, "page.js", "frame.js")
	get := func(from *app.Handler, path string) []byte {
		w := httptest.NewRecorder()
		from.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != 200 {
			err = errors.Join(err, fmt.Errorf("go-app answers %s with %d", path, w.Code))
		}
		return w.Body.Bytes()
	}
	spoken := chooser(parts, version)
	soon := ahead(version, "past.js", "early.js")
	index, err1 := rewritePage(get(workbench, "/"),
		soon+spoken+script("alone.js", version)+script("past.js", version)+
			script("early.js", version, " data-usable")+
			module("trust.js", version))
	frame, err2 := rewritePage(get(embed, lesson.EmbedDocument),
		soon+spoken+script("past.js", version)+script("early.js", version)+
			module("trust.js", version))
	manifest, err3 := rewriteManifest(get(workbench, "/manifest.webmanifest"))
	program, err4 := rewriteScript(get(workbench, "/app.js"))
	versioned = files{"app.js": program, "app.css": get(workbench, "/app.css")}
	documents = files{
		"index.html": index, host.FrameFile: frame, "manifest.webmanifest": manifest,
		workerTemplate:  get(workbench, "/app-worker.js"),
		host.ScriptFile: templates[host.ScriptFile],
		exampleTemplate: example(string(templates[exampleTemplate]), version, spokenTags(parts)),
		packageTemplate: packagePage(string(templates[packageTemplate]), version,
			string(parts[exampleScript])),
		packageFile: templates[packageFile],
	}
	return versioned, documents, errors.Join(err, err1, err2, err3, err4)
}

// ahead asks for the program, and for scripts that a document waits for, before the first of these:
// a browser reads no further ahead than a policy that stands in the document, so that on a slow
// network each script would cost the time there and back, and the program would come after them.
func ahead(version string, scripts ...string) string {
	link := func(as, name string) string {
		return `<link as="` + as + `" href="` + resolver(version).Resolve("/web/"+name) +
			`" rel="preload">`
	}
	tags := link(`fetch" crossorigin="anonymous`, binaryName)
	for _, name := range scripts {
		tags += link("script", name)
	}
	return tags
}

// handler is go-app's for an entry document that needs these scripts. worker is the template of the
// service worker.
func handler(parts files, worker, version string, scripts ...string) *app.Handler {
	var cacheable []string
	var styles []string
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		switch {
		case strings.HasSuffix(name, ".css"):
			styles = append(styles, "/web/"+name)
		case path.Dir(name) == messagesFolder, path.Dir(name) == readersFolder,
			path.Dir(name) == packageFolder:
			// who needs them loads them
		case name != "wasm_exec.js": // go-app lists it
			cacheable = append(cacheable, "/web/"+name)
		}
	}
	var head []string
	for _, name := range []string{"fonts/sans.woff2", "fonts/serif.woff2"} {
		if _, made := parts[name]; made {
			head = append(head, `<link as="font" crossorigin href="`+resolver(version).
				Resolve("/web/"+name)+`" rel="preload" type="font/woff2">`)
		}
	}
	for _, name := range scripts {
		head = append(head, module(name, version))
	}
	return &app.Handler{
		Name:        "Hush",
		Title:       string(title),
		Description: string(description),
		Author:      "Hush",
		Icon: app.Icon{Default: "/web/icons/icon-192.png",
			Large: "/web/icons/icon-512.png", Maskable: "/web/icons/maskable-512.png",
			SVG: "/web/icons/icon.svg"},
		BackgroundColor:       paper,
		ThemeColor:            paper,
		Styles:                styles,
		RawHeaders:            head,
		CacheableResources:    cacheable,
		Resources:             resolver(version),
		Version:               version,
		LoadingLabel:          string(loading),
		WasmContentLength:     strconv.Itoa(len(parts[binaryName])),
		ServiceWorkerTemplate: worker,
	}
}

// rewriteScript makes go-app's script start sooner, and say what to do where it cannot. It hands
// the binary to the browser as it comes: what goes through a script on its way is never kept
// compiled. And the service worker, which fetches every file, begins when the page stands:
// static/early.js begins it, and takes the loader away. Where the page came past the switch that
// closes the network, nothing starts before the reader has decided.
func rewriteScript(script []byte) ([]byte, error) {
	for _, change := range [][2]string{
		{"goappInitServiceWorker();\ngoappWatchForUpdate();", "goappWatchForUpdate();"},
		{"    loader.remove();\n  } catch", "  } catch"},
		{"    const go = new Go();", "    if (!able) throw new Error(\"no vectors\");\n" +
			"    await globalThis.hushDecided; // static/past.js\n    const go = new Go();"},
		{"  const loaderIcon =", "  const able = " + vectors + ";\n  const loaderIcon ="},
		{"    go.run(wasm.instance);", "    await new Promise((rested) => setTimeout(rested)); " +
			"// the first run is a task of its own\n    go.run(wasm.instance);"},
		{"fetchWithProgress(\"", "fetch(\""},
		{"\", showProgress),", "\"),"},
		{"loaderLabel.innerText = err;", "loaderLabel.hidden = true;\n    " +
			"document.getElementById(able ? \"app-failed\" : \"app-unable\").hidden = false;"},
	} {
		if bytes.Count(script, []byte(change[0])) != 1 {
			return nil, fmt.Errorf("go-app's script has changed: %q is not there once", change[0])
		}
		script = bytes.Replace(script, []byte(change[0]), []byte(change[1]), 1)
	}
	return script, nil
}

// example completes the page of examples: the policy, addresses, and what an author can name;
// languages where there are more than one.
func example(template, version string, languages []string) []byte {
	var tasks, samples []string
	for _, t := range task.Catalogue() {
		if t.Example != nil {
			tasks = append(tasks, "<code>"+t.ID+"</code>")
		}
	}
	for _, s := range sample.Sets() {
		samples = append(samples, "<code>"+s.Name+"</code>")
	}
	speech := ""
	if len(languages) > 0 {
		speech = "<tr><td><code>lang</code></td><td>the language, which may also be said of any " +
			"element around it: <code>en</code>, <code>" +
			strings.Join(languages, "</code>, <code>") + "</code></td><td>that of your page, or " +
			"of the reader's browser for a frame</td></tr>\n"
	}
	return []byte(strings.NewReplacer(
		"SPEECH", speech, "POLICY", policy, "/web/", resolver(version).Resolve("/web")+"/",
		"TASKS", strings.Join(tasks, ", "), "SAMPLES", strings.Join(samples, ", "),
	).Replace(template))
}

// packagePage completes the page that shows the package: the policy, addresses, and the function of
// the script that runs there.
func packagePage(template, version, script string) []byte {
	shown, _, _ := strings.Cut(script, "\nconst run =")
	return []byte(strings.NewReplacer("POLICY", policy, "/web/",
		resolver(version).Resolve("/web")+"/", "EXAMPLE",
		html.EscapeString(strings.TrimSpace(shown))).Replace(template))
}

// policy are the elements that govern all that follows them in a document.
const policy = `<meta http-equiv="Content-Security-Policy" content="` + host.Policy + `">` +
	`<meta content="no-referrer" name="referrer">`

// script runs a script at once, before the document is read any further.
func script(name, version string, attributes ...string) string {
	return `<script src="` + resolver(version).
		Resolve("/web/"+name) + `"` + strings.Join(attributes, "") + `></script>`
}

// module loads a script after the document was read, in the order of the page.
func module(name, version string) string {
	return `<script src="` + resolver(version).Resolve("/web/"+name) + `" type="module"></script>`
}

// resolver turns go-app's paths into ones relative to the entry documents, so that the bundle works
// at any sub-path. The value is the version.
type resolver string

// Resolve maps an entry document to itself and all else, with or without go-app's /web, to the
// versioned folder.
func (r resolver) Resolve(location string) string {
	switch location {
	case "/", "/" + workerTemplate, "/manifest.webmanifest":
		return "." + location
	case "/web":
		return "./" + strings.TrimSuffix(folder(string(r)), "/")
	}
	if name, ok := strings.CutPrefix(location, "/web/"); ok {
		return "./" + folder(string(r)) + name
	}
	if name, ok := strings.CutPrefix(location, "/"); ok {
		return "./" + folder(string(r)) + name
	}
	return location
}

var (
	tag       = regexp.MustCompile(`<[a-z][a-z0-9]*(?: [A-Za-z][\w:-]*(?:="(?:[^"\\]|\\.)*")?)+>`)
	attribute = regexp.MustCompile(` ([A-Za-z][\w:-]*)(?:=("(?:[^"\\]|\\.)*"))?`)
	address   = regexp.MustCompile(`\s*<meta [^>]*property="og:(?:url|image)"[^>]*>`)
	label     = regexp.MustCompile(`<p [^>]*id="app-wasm-loader-label"[^>]*>[^<]*</p>`)
	outward   = regexp.MustCompile(`(?:src|href|srcset|content)="(?:/|[a-z]+://)[^"]*"`)
)

// rewritePage completes what go-app cannot know and mends what it writes: the policy comes first,
// and then the scripts that must run before all others; addresses for social networks go, since the
// bundle does not know where it will be; the loader can say that the program cannot be had; and
// attributes get one order and valid HTML.
func rewritePage(page []byte, scripts string) ([]byte, error) {
	page = tag.ReplaceAllFunc(page, mendTag)
	page = address.ReplaceAll(page, nil)
	const first = `<meta charset="UTF-8">`
	if bytes.Count(page, []byte(first)) != 1 {
		return nil, errors.New("go-app's page has changed: " + first + " is not there once")
	}
	page = bytes.Replace(page, []byte(first), []byte(first+"\n    "+policy+"\n    "+scripts), 1)
	if len(label.FindAll(page, -1)) != 1 {
		return nil, errors.New("go-app's page has changed: its loader has no label")
	}
	page = label.ReplaceAll(
		page, []byte("$0\n      <p hidden id=\"app-failed\" role=\"alert\">"+string(failed)+"</p>"+
			"\n      <p hidden id=\"app-unable\" role=\"alert\">"+string(unable)+"</p>"))
	if found := outward.Find(page); found != nil {
		return nil, fmt.Errorf(
			"the page has an address that is not relative: %s (files of the bundle go by /web/…)",
			found)
	}
	return page, nil
}

// mendTag sorts the attributes, which go-app writes in random order and quotes as Go does.
func mendTag(text []byte) []byte {
	var mended []string
	for _, match := range attribute.FindAllSubmatch(text, -1) {
		name, quoted := string(match[1]), string(match[2])
		value, err := strconv.Unquote(quoted)
		switch {
		case quoted == "" && strings.HasPrefix(name, "aria-"):
			mended = append(mended, name+`="true"`) // go-app writes "true" as nothing
		case quoted == "":
			mended = append(mended, name)
		case err == nil && value == "false" && !strings.HasPrefix(name, "aria-"):
			// a switch that is off is one that is not there
		case err == nil:
			mended = append(mended, name+`="`+html.EscapeString(value)+`"`)
		default: // not of go-app's making
			mended = append(mended, name+"="+quoted)
		}
	}
	slices.Sort(mended)
	name, _, _ := bytes.Cut(text, []byte(" "))
	return []byte(strings.Join(append([]string{string(name)}, mended...), " ") + ">")
}

// rewriteManifest makes the scope relative too: go-app fixes it to the root of the host.
func rewriteManifest(text []byte) ([]byte, error) {
	var manifest map[string]any
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, err
	}
	manifest["scope"] = "./"
	return json.MarshalIndent(manifest, "", "  ")
}
