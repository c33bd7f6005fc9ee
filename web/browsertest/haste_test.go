//go:build browser

package browsertest

import (
	"fmt"
	"strings"
	"testing"
)

// hurry does one thing after another to whatever is on the page, chosen by a small generator of its
// own, mostly without waiting for it to be drawn. It leaves alone what opens dialogs of the system,
// saves files, loads the page again or leaves it.
const hurry = `async (seed, steps) => {
	const next = (n) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % n;
	const apart = /…$|CSV|JSON|SVG|PNG|ZIP|Report|Export|Save|Print|Copy|what the data really|Start again|this page|Embed/i;
	const at = () => [...document.querySelectorAll("nav a, main :is(button, a[href^='#'], input:not([type=file]), select, textarea, summary)")]
		.filter((e) => !e.disabled && e.checkVisibility() && !apart.test(e.textContent + e.ariaLabel));
	for (let i = 0; i < steps; i++) {
		const all = at();
		const e = next(6) === 0 && document.querySelector("#run:enabled") || all[next(all.length)];
		if (e.matches("select")) {
			e.selectedIndex = next(e.options.length);
			e.dispatchEvent(new Event("change", { bubbles: true }));
		} else if (e.matches("textarea, [type=text], [type=range]")) {
			e.value = ["", "0", "7", "99", "0.5", "a", "1e9"][next(7)];
			e.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
		} else e.click();
		await new Promise((done) => setTimeout(done, [0, 0, 3, 10, 30, 100][next(6)]));
	}
}`

// TestInHaste: the page works for a person who acts again and again before it has drawn the last
// change. Drawing is suspended between two actions and resumed (wasm/_goapp/frames.go), so the
// screen may show something that no longer exists.
func TestInHaste(t *testing.T) {
	t.Parallel()
	p := open(t, serveBundle(t).url)
	p.upload("#file", visitors(t, 200))
	askAge(p)
	// Go's last words
	p.eval(`void (globalThis.said = [], console.log = (text) => void said.push(text))`, nil)
	for seed := range 5 {
		p.eval(fmt.Sprintf(`(%s)(%d, 150)`, hurry, seed+1), nil)
		var said []string
		if p.eval(`said`, &said); len(said) > 0 {
			t.Fatalf("seed %d: %s", seed+1, strings.Join(said, "\n"))
		}
		// a lesson that is presented has no links
		p.eval(`void (location.hash = "#/")`, nil)
		p.until("the way to other pages", `document.querySelector("nav a")?.checkVisibility()`)
	}
	p.menu("link", "In plain words")
	p.waitText("Every technical term of this page")
}
