//go:build browser

package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"hush/web/host"
)

// TestKeys: single keys go where they say, never while a text is typed, and not at all once they
// are turned off, which lasts.
func TestKeys(t *testing.T) {
	s := serveBundle(t)
	p := open(t, s.url)
	p.press("l")
	p.waitText("Budget spent and left")
	p.press("h")
	p.until("the words", `document.querySelector("h1").textContent === "In plain words"`)
	p.axe()
	p.press("w")
	p.waitText(landed)

	p.press("?")
	p.until("the dialog", `document.querySelector("dialog:modal")?.id === "keys"`)
	p.axe()
	p.press("l") // the page below is not to be reached
	p.press(kb.Escape)
	p.until("the dialog to close", `!document.querySelector("dialog[open]")`)
	var view string
	if p.eval(`location.hash`, &view); view != "#/" {
		t.Errorf("a key reached the page behind the dialog: %s", view)
	}

	p.sample("Clinic")
	p.waitText("left afterwards") // all steps are there
	p.press("2")
	p.until("the columns", `document.activeElement.id === "step-columns"`)
	p.press("3")
	p.until("the question", `document.activeElement.id === "step-question"`)
	p.on("textbox", "Privacy loss ε (epsilon)", `function() { this.select(); }`, nil)
	p.press("l?w4")
	p.until("the text", `document.getElementById("epsilon").value === "l?w4"`)
	var open bool
	if p.eval(`Boolean(document.querySelector("dialog[open]")) || location.hash.startsWith("#/ledger")`, &open); open {
		t.Error("a key typed into a field did something else too")
	}

	p.menu("button", "Keyboard shortcuts")
	p.click("checkbox", "Turn single keys off")
	p.click("button", "Close")
	p.press("l")
	p.visit(s.url) // it is remembered
	p.press("l?")
	p.eval(`new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame)).then(() => 0)`, nil)
	p.eval(`location.hash + document.querySelectorAll("dialog[open]").length`, &view)
	if view != "0" && view != "#/0" {
		t.Errorf("keys that are turned off did something: %s", view)
	}
}

// TestUpdateIsOffered: a first visit is no update. A new version is offered quietly, says what
// would be lost, and comes only when it is asked for.
func TestUpdateIsOffered(t *testing.T) {
	bundle := readBundle(t)
	old, next := versionOf(t, bundle), "00000000next0000"
	s := serveBundle(t)
	p := open(t, s.url)
	p.installed()
	p.sample("Clinic")
	p.waitText("Clinic visits · 3 200 patients")
	if p.has("region", "New version") {
		t.Fatal("the first visit is offered an update")
	}
	s.replace(host.New(nextVersion(t, bundle, old, next)))
	p.eval(`navigator.serviceWorker.getRegistration().then((r) => r.update()).then(() => 0)`, nil)
	p.waitText("A new version of this page is ready. Reloading closes the file.")
	p.axe()
	p.click("button", "Later")
	p.waitGone("A new version of this page is ready.")
	p.waitText("Clinic visits · 3 200 patients") // the file is still open

	q := p.another(s.url) // a page of the old version that starts while the new one waits
	q.waitText("A new version of this page is ready. Nothing is open here that would be lost.")
	q.click("button", "Reload now")
	q.until("the new version", pageVersion+` === "`+next+`"`)
	q.alive()
	p.until("the first page to stand", pageVersion+` === "`+old+`"`)
	p.waitText("Clinic visits · 3 200 patients")
}
