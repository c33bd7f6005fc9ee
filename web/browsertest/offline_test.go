//go:build browser

package browsertest

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"hush/web/host"
)

// TestOfflineSwitch: once switched, no request reaches the server from any route, until the switch
// is turned back, in every tab and after a reload; and the page shows that it tried.
func TestOfflineSwitch(t *testing.T) {
	s := serveBundle(t)
	p := open(t, s.url)
	p.installed()
	p.menu("button", "Work offline")
	p.waitText("All of the page is stored in this browser and works without a network.")
	p.axe()
	p.screenshot("offline", 360, 800, "dark")
	p.size(1280, 900)
	p.expect("ERR_FAILED") // what is refused is an error in the console
	p.expect("the page is switched offline")
	p.click("checkbox", "Go offline now")
	p.waitText("a test request made just now was refused.")
	p.axe()
	p.screenshot("offline-on", 1280, 900, "light")
	p.click("button", "Close")
	p.waitText("Offline: every request is refused")

	before := len(s.answers())
	p.reload()
	for _, address := range []string{"", "?from=a-link", "index.html", "#/ledger", "#/learn/mean",
		"#/words", "#/prove", "#/evidence", "no/such/page"} {
		p.visit(s.url + address)
		p.waitText("Offline: every request is refused")
	}
	p.visit(s.url + "#/learn/mean")
	p.waitText("How 10 draws differ")
	p.until("the chart", `document.querySelector("#learn-chart svg")`)
	for what, request := range map[string]string{
		"a file that no cache holds": `fetch("no-such-file.js")`,
		"the page past the cache":    `fetch("./?other", { cache: "no-store" })`,
		"a head":                     `fetch(".", { method: "HEAD" })`,
		"a post":                     `fetch(".", { method: "POST", body: "x" })`,
	} {
		var answer string
		if p.eval(request+`.then(({ status }) => "answered with " + status, () => "refused")`,
			&answer); answer != "refused" {
			t.Errorf("%s is %s", what, answer)
		}
	}
	bundle := readBundle(t)
	s.replace(host.New(nextVersion(t, bundle, versionOf(t, bundle), "00000000next0000")))
	p.eval(`navigator.serviceWorker.getRegistration().then((r) => r.update()).catch(() => 0).then(() => 0)`, nil)
	for _, answer := range s.answers()[before:] {
		if !strings.HasSuffix(answer.path, "/app-worker.js") { // which the browser itself looks at
			t.Errorf("%s reached the server", answer.path)
		}
	}

	q := p.another(s.url)
	q.expect("ERR_FAILED")
	q.expect("the page is switched offline")
	q.waitText("Offline: every request is refused")
	q.menu("button", "Work offline")
	q.click("checkbox", "Go offline now")
	q.waitText("All of the page is stored")
	p.waitText("Nothing leaves this tab")
	var status int
	if p.eval(`fetch(".", { method: "HEAD" }).then(({ status }) => status)`,
		&status); status != 200 {
		t.Errorf("switched back, a request is answered with %d", status)
	}
}

// TestLoadedPastTheSwitch: a page that is loaded past the service worker while the network is
// switched off does not start, nor asks for anything more, before its reader has decided.
func TestLoadedPastTheSwitch(t *testing.T) {
	s := serveBundle(t)
	p := open(t, s.url)
	p.installed()
	p.expect("ERR_FAILED") // what is refused is an error in the console
	p.expect("the page is switched offline")
	p.menu("button", "Work offline")
	p.click("checkbox", "Go offline now")
	p.waitText("a test request made just now was refused.")
	past := func() {
		t.Helper()
		p.do(chromedp.ActionFunc(func(ctx context.Context) error {
			return page.Reload().WithIgnoreCache(true).Do(ctx)
		}))
		p.waitText("This page came past the offline switch")
		p.until("all that the document names", `document.readyState === "complete"`)
	}
	past()
	p.axe()
	p.screenshot("past-the-switch", 1280, 900, "light")
	before := len(s.answers())
	p.press(kb.Escape)
	if !p.there("past") || p.evalBool(pageStarted) || p.worker("engine.js") != nil {
		t.Error("the page starts unasked")
	}
	for _, answer := range s.answers()[before:] {
		t.Errorf("%s reached the server before the reader decided", answer.path)
	}

	before = len(s.answers())
	p.click("button", "Load it from this browser")
	p.waitText("Offline: every request is refused")
	for _, answer := range s.answers()[before:] {
		if !strings.HasSuffix(answer.path, "/app-worker.js") { // which the browser itself looks at
			t.Errorf("%s reached the server", answer.path)
		}
	}

	past()
	p.click("button", "Go on with the network")
	p.alive()
	p.menu("button", "Work offline")
	p.waitText("this page was loaded past the switch. Reload it.")
}

// TestInstall: the browser finds nothing amiss with the page as an app, and the page offers it only
// while the browser does.
func TestInstall(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.installed()
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		faults, err := page.GetInstallabilityErrors().Do(ctx)
		for _, fault := range faults {
			if fault.ErrorID != "in-incognito" { // as every page of these tests
				t.Errorf("it cannot be installed: %s %v", fault.ErrorID, fault.ErrorArguments)
			}
		}
		return err
	}))
	const button = "Install Hush"
	menu := func() { p.clickSelector(".menu > summary") }
	menu()
	if p.has("button", button) {
		t.Error("it is offered before the browser does")
	}
	p.eval(`void (() => {
		const offer = new Event("beforeinstallprompt", { cancelable: true });
		offer.prompt = () => { globalThis.asked = (globalThis.asked ?? 0) + 1; };
		dispatchEvent(offer);
		globalThis.held = offer.defaultPrevented;
	})()`, nil)
	p.click("button", button)
	p.until("the browser's question", `held === true && asked === 1`)
	menu()
	p.wait("the offer to go", func() bool { return !p.has("button", button) })
	p.eval(`void dispatchEvent(Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt() {} }))`, nil)
	p.find("button", button)
	p.eval(`void dispatchEvent(new Event("appinstalled"))`, nil)
	p.wait("the offer to go", func() bool { return !p.has("button", button) })
}
