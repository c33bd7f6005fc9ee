//go:build browser

package browsertest

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// otherSite serves a page of another site that shows something of a bundle, with a policy that
// allows what the example page says. Its name is not the bundle's, so that the browser takes the
// two for strangers.
func otherSite(t *testing.T, bundle *site, body string) *site {
	page := `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Another site</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"></head><body><main><h1>Another site</h1>` + body + `</main></body></html>`
	from := strings.TrimSuffix(bundle.url, "/")
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy",
			"default-src 'none'; img-src data:; script-src "+from+"/; frame-src "+from+
				"/; require-trusted-types-for 'script'; trusted-types 'none'")
		w.Write([]byte(page))
	}), "/")
	s.url = strings.Replace(s.url, "127.0.0.1", "localhost", 1)
	return s
}

// openOther opens a page of another site, which may ask the bundle too.
func openOther(t *testing.T, s, bundle *site) *webPage {
	p := open(t, "about:blank")
	p.record.mu.Lock()
	p.record.origin, p.record.also = strings.TrimSuffix(s.url, "/"),
		[]string{"http://" + bundle.addr}
	p.record.mu.Unlock()
	p.visit(s.url)
	return p
}

// frame returns the frame whose address begins so, once it is alive. It is a page of its own, as
// far as the browser goes.
func (p *webPage) frame(address string) *webPage {
	p.t.Helper()
	ctx, end := chromedp.NewContext(p.ctx, chromedp.WithTargetID(p.frameID(address)))
	f := &webPage{t: p.t, ctx: ctx, profile: p.profile, asked: p.asked}
	f.record.origin = address[:strings.Index(address[len("http://"):], "/")+len("http://")]
	chromedp.ListenTarget(ctx, func(event any) { f.record.hear("frame", event) })
	p.t.Cleanup(func() {
		f.verify()
		end()
	})
	f.alive()
	return f
}

// frameID waits for a frame whose address begins so, in a process of its own.
func (p *webPage) frameID(address string) (id target.ID) {
	p.t.Helper()
	p.wait("a frame at "+address, func() bool {
		var all []*target.Info
		browserDo(p.t, func(ctx context.Context) (err error) {
			all, err = target.GetTargets().Do(ctx)
			return err
		})
		i := slices.IndexFunc(all, func(info *target.Info) bool {
			return info.Type == "iframe" && info.BrowserContextID == p.profile &&
				strings.HasPrefix(info.URL, address)
		})
		if i >= 0 {
			id = all[i].TargetID
		}
		return id != ""
	})
	return id
}

// pressButton presses the button of that name, also one within an element's own tree.
func (p *webPage) pressButton(name string) {
	p.t.Helper()
	p.on("button", name, `function() { this.focus(); this.click(); }`, nil)
}

const theFrame = `document.querySelector("hush-demo").shadowRoot.querySelector("iframe")`

// TestEmbedWithoutStorage: in a browser that refuses a frame of another site all storage, so that a
// look at it throws, the demo starts all the same.
func TestEmbedWithoutStorage(t *testing.T) {
	p := open(t, "about:blank")
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(
			`for (const name of ["localStorage", "sessionStorage"])
			Object.defineProperty(window, name, { configurable: true, get() { throw new DOMException("denied", "SecurityError"); } });`).Do(ctx)
		return err
	}))
	p.visit(serveBundle(t).url + "embed.html#task=mean&epsilon=0.6")
	p.waitText("A private answer Mean salary of those with a value is about")
}

// TestEmbed: a page of another site shows a demo when it is asked to, as high as it is, in the
// colours it wants, with requests to the bundle only, and after a first visit without the bundle's
// server.
func TestEmbed(t *testing.T) {
	bundle := serveBundle(t)
	s := otherSite(t, bundle, `<script src="`+bundle.url+`embed.js" async></script>
<hush-demo task="mean" epsilon="0.6" theme="dark"><p>What stood here before.</p></hush-demo>
<p>Text between the demos.</p>`)
	p := openOther(t, s, bundle)
	p.waitText("What stood here before.")
	p.find("button", "Run this demo")
	p.axe()
	if asked := bundle.answers(); len(asked) != 1 || asked[0].path != "/embed.js" {
		t.Errorf("before the demo is asked for, the bundle's server is asked for %v", asked)
	}
	p.pressButton("Run this demo")
	f := p.frame(bundle.url + "embed.html")
	f.waitText("On made-up data, not a release")
	f.waitText("A private answer Mean salary of those with a value is about")
	p.waitGone("What stood here before.")
	f.until("the chart", `document.querySelector("#embed-chart svg")`)
	f.until("its colours",
		`document.documentElement.dataset.theme === "dark" && getComputedStyle(document.body).backgroundColor === "rgb(18, 23, 29)"`)
	whole := `document.documentElement.scrollHeight <= innerHeight && Math.abs(document.body.getBoundingClientRect().height - innerHeight) <= 1`
	f.until("the frame to be as high as the demo", whole)

	p.eval(`void document.querySelector("hush-demo").setAttribute("theme", "light")`, nil)
	f.until("other colours", `document.documentElement.dataset.theme === "light"`)
	f.on("slider", "Privacy loss ε",
		`function() { this.value = 3; this.dispatchEvent(new Event("change", { bubbles: true })); }`, nil)
	f.until("another ε",
		`document.getElementById("embed-epsilon").getAttribute("aria-valuetext") === "0.1"`)
	var before string
	f.eval(`document.getElementById("embed-draw").textContent`, &before)
	f.pressButton("Draw again")
	f.until("another answer",
		fmt.Sprintf(`document.getElementById("embed-draw").textContent !== %q`, before))
	f.eval(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`, nil)
	f.until("the frame to grow with the demo", whole)
	for _, theme := range []string{"light", "dark"} {
		p.eval(`void document.querySelector("hush-demo").setAttribute("theme", "`+theme+`")`, nil)
		f.until("the colours", `document.documentElement.dataset.theme === "`+theme+`"`)
		f.axeOf("the demo, " + theme)
		p.axe()
		p.screenshot("embed-"+theme, 1280, 1000, "light")
		p.screenshot("embed-narrow-"+theme, 360, 1200, "light")
		f.until("the frame to be as high as the demo", whole)
		p.size(1280, 900)
	}

	// Neither side listens to anybody else.
	var height, after float64
	p.eval(theFrame+`.getBoundingClientRect().height`, &height)
	p.eval(`new Promise((done) => { addEventListener("message", () => setTimeout(done), { once: true }); postMessage({ hush: "height", height: 9000 }, "*"); })`, nil)
	if p.eval(theFrame+`.getBoundingClientRect().height`, &after); after != height {
		t.Errorf("a message of the page itself made the frame %v high", after)
	}

	for _, request := range append(append(p.sentRequests(), f.sentRequests()...),
		requested(bundle)...) {
		if request == s.url || isOfBundle(t, bundle, request) {
			continue
		}
		t.Errorf("%s is asked for, which is no file of the bundle", request)
	}

	f.installed()
	f.until("the document to be kept",
		`caches.match(location.href.replace(/#.*/, "")).then(Boolean)`)
	f.expect("ERR_FAILED") // what is refused is an error in the console
	f.expect("the page is switched offline")
	f.on("checkbox", "Go offline now", `function() { this.click(); }`, nil)
	f.waitText("Offline: every request is refused")
	f.waitText("a test request made just now was refused.")
	answered := len(bundle.answers())
	p.visit(s.url)
	p.pressButton("Run this demo")
	again := p.frame(bundle.url + "embed.html")
	again.expect("ERR_FAILED")
	again.expect("the page is switched offline")
	again.waitText("A private answer Mean salary of those with a value is about")
	again.waitText("Offline: every request is refused")
	for _, answer := range bundle.answers()[answered:] {
		if answer.path != "/app-worker.js" { // which the browser itself looks at
			t.Errorf("%s reached the server", answer.path)
		}
	}
	again.eval(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`, nil)
	again.on("checkbox", "Go offline now", `function() { this.click(); }`, nil)
	again.waitText("Nothing leaves this frame")

	bundle.stop()
	p.expect("ERR_CONNECTION_REFUSED") // the browser looks for a newer service worker
	again.expect("ERR_CONNECTION_REFUSED")
	p.visit(s.url)
	p.pressButton("Run this demo")
	offline := p.frame(bundle.url + "embed.html")
	offline.expect("ERR_CONNECTION_REFUSED")
	offline.waitText("A private answer Mean salary of those with a value is about")
	offline.until("the chart", `document.querySelector("#embed-chart svg")`)
}

// isOfBundle tells whether an address is that of a file of the bundle that the site serves.
func isOfBundle(t *testing.T, s *site, address string) bool {
	t.Helper()
	name, ours := strings.CutPrefix(address, s.url)
	name, _, _ = strings.Cut(name, "#")
	if name == "" {
		name = "index.html"
	}
	return ours && bundleHas(t, name)
}

func bundleHas(t *testing.T, name string) bool {
	_, err := fs.Stat(bundleFiles(t), name)
	return err == nil
}

// TestWorkbenchIsNotFramed: by header, and where a server sets none by itself; the document for
// other sites is, in both places.
func TestWorkbenchIsNotFramed(t *testing.T) {
	for _, place := range places {
		t.Run(place.name, func(t *testing.T) {
			bundle := place.serve(t)
			frames := `<iframe id="a" src="` + bundle.url +
				`" width="600" height="400" title="a"></iframe><iframe id="b" src="` + bundle.url +
				`embed.html#task=count" width="600" height="760" title="b"></iframe>`
			s := otherSite(t, bundle, frames)
			p := openOther(t, s, bundle)
			f := p.frame(bundle.url + "embed.html")
			f.waitText("A private answer")
			f.axe()
			if place.name == "our server" {
				p.expect("frame-ancestors")
				p.wait("the refusal", func() bool {
					return strings.Contains(strings.Join(p.record.all(), " "), "frame-ancestors")
				})
				return
			}
			workbench := p.frame(bundle.url)
			workbench.waitText("Hush handles data about people, so it does not start inside " +
				"another page. Open Hush in a tab of its own")
			var scripts int
			if workbench.eval(`document.scripts.length`, &scripts); scripts > 0 {
				t.Errorf("%d scripts are left in the page", scripts)
			}
			workbench.until("no program",
				`typeof Go === "undefined" && typeof hushPage === "undefined"`)
			workbench.eval(`new Promise((painted) => { requestAnimationFrame(() => painted()); })`,
				nil)
			workbench.axe()
		})
	}
}

// TestExamplePage: what the bundle says about itself for authors is true of it.
func TestExamplePage(t *testing.T) {
	for _, place := range places {
		t.Run(place.name, func(t *testing.T) {
			s := place.serve(t)
			p := open(t, s.url+"example.html")
			p.waitText("Demos of differential privacy in your own pages")
			p.axe()
			p.pressButton("Run this demo")
			p.until("the demo",
				theFrame+`.contentDocument.getElementById("embed-draw")?.textContent.includes("Mean salary of those with a value is about")`)
			p.until("its height", theFrame+`.clientHeight > 400`)
			p.until("the plain frame",
				`(document.querySelector("main > iframe").scrollIntoView(), document.querySelector("main > iframe").contentDocument.getElementById("embed-draw"))`)
			p.until("the charts",
				`[...document.querySelectorAll("main > iframe"), `+theFrame+
					`].every((frame) => frame.contentDocument.querySelector("#embed-chart svg"))`)
			p.eval(`scrollTo(0, 0)`, nil)
			for _, theme := range []string{"light", "dark"} {
				p.theme(theme)
				p.axe()
				p.screenshot("example-"+theme, 1280, 1000, theme)
				p.screenshot("example-narrow-"+theme, 360, 1000, theme)
			}
			p.installed()
			p.until("the document to be kept", `caches.match(location.href).then(Boolean)`)
			s.stop()
			p.expect("ERR_CONNECTION_REFUSED")
			p.reload()
			p.pressButton("Run this demo")
			p.until("the demo",
				theFrame+`.contentDocument.getElementById("embed-draw")?.textContent.includes("Mean salary of those with a value is about")`)
		})
	}
}

// TestEmbedDialog: what the dialog of a lesson and that of a question write, put into a page of
// another site, shows the same.
func TestEmbedDialog(t *testing.T) {
	bundle := serveBundle(t)
	p := open(t, bundle.url+"#/learn/mean")
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		return browser.SetPermission(&browser.PermissionDescriptor{Name: "clipboard-read"},
			browser.PermissionSettingGranted).
			WithBrowserContextID(p.profile).
			Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser))
	}))
	p.waitText("How 10 draws differ")
	p.click("button", "Embed this…")
	p.choose("Colours", "dark")
	p.choose("The demo is loaded", "when it is scrolled into view")
	p.axe()
	p.screenshot("embed-dialog", 360, 900, "dark")
	p.screenshot("embed-dialog", 1280, 900, "light")
	var element, frame string
	p.clickSelector("#embed-lesson-element ~ div button")
	p.waitText("Copied.")
	p.eval(`navigator.clipboard.readText()`, &element)
	for _, want := range []string{`<script src="` + bundle.url + `embed.js" async></script>`,
		`<hush-demo task="mean" data="pay" epsilon="1" theme="dark" start="visible">`,
		"One private answer: Mean salary of those with a value is about"} {
		if !strings.Contains(element, want) {
			t.Errorf("copied was %s\nwhich does not hold %s", element, want)
		}
	}
	q := openOther(t, otherSite(t, bundle, element), bundle) // nobody has to ask
	q.frame(bundle.url + "embed.html").waitText(
		"A private answer Mean salary of those with a value is about")

	p.click("button", "Close")
	p.visit(bundle.url)
	p.sample("Salaries")
	p.describe("salary", "0", "9000")
	p.askAbout("histogram", "salary")
	p.waitPrice()
	p.eval(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`, nil)
	p.click("button", "Embed this…")
	p.clickSelector("#embed-question-frame ~ div button")
	p.waitText("Copied.")
	p.eval(`navigator.clipboard.readText()`, &frame)
	q = openOther(t, otherSite(t, bundle, frame), bundle)
	alone := q.frame(bundle.url + "embed.html")
	alone.waitText("A private answer")
	alone.waitText(histogramSays)
}
