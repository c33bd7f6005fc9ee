//go:build browser

package browsertest

import (
	"fmt"
	"strings"
	"testing"
)

// TestTrustedTypes: in the page and in its engine no text becomes a script or markup, and only our
// own workers start. That the page works all the same, every other test shows.
func TestTrustedTypes(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.installed()
	p.expect("") // all that is tried here is reported
	refused := func(what, expression string) string {
		return fmt.Sprintf(
			`(() => { try { %s; } catch (error) { return error.name; } return %q + " is let through"; })()`, expression, what)
	}
	for what, expression := range map[string]string{
		"markup":                     `document.createElement("p").innerHTML = "<b>bold</b>"`,
		"markup put before":          `document.body.insertAdjacentHTML("beforeend", "<b>bold</b>")`,
		"a document from text":       `new DOMParser().parseFromString("<b>bold</b>", "text/html")`,
		"a frame's document":         `document.createElement("iframe").srcdoc = "<b>bold</b>"`,
		"a script's text":            `document.createElement("script").text = "1"`,
		"a script's address":         `document.createElement("script").src = "page.js"`,
		"a worker that is none":      `new Worker("page.js")`,
		"an engine from elsewhere":   `new Worker("engine.js")`,
		"another policy":             `trustedTypes.createPolicy("mine", {})`,
		"the policy once more":       `trustedTypes.createPolicy("default", {})`,
		"a handler that is a string": `document.body.setAttribute("onclick", "1")`,
	} {
		var got string
		if p.eval(refused(what, expression), &got); got != "TypeError" {
			t.Errorf("%s: %s, want a TypeError", what, got)
		}
	}
	var got string
	p.eval(`navigator.serviceWorker.register("page.js").then(() => "let through", (error) => error.name)`, &got)
	if got != "TypeError" {
		t.Errorf("another service worker: %s, want a TypeError", got)
	}
	for what, expression := range map[string]string{
		"a worker that is none": `new Worker("page.js")`,
		"another policy":        `trustedTypes.createPolicy("mine", {})`} {
		if p.inWorker("engine.js", refused(what, expression), &got); got != "TypeError" {
			t.Errorf("in the engine, %s: %s, want a TypeError", what, got)
		}
	}
	if seen := strings.Join(p.record.all(), "\n"); !strings.Contains(
		seen, "policy violated: require-trusted-types-for") ||
		!strings.Contains(seen, "policy violated: trusted-types") {
		t.Errorf("the record does not show it:\n%s", seen)
	}
}
