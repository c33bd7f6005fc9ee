//go:build browser

package browsertest

import (
	"fmt"
	"testing"
)

// A lesson draws by itself, draws again when something is turned, and compares the algorithms; in
// both themes axe has nothing to say.
func TestLearn(t *testing.T) {
	p := open(t, serveBundle(t).url+"#/learn")
	p.click("link", "Typical value")
	p.waitText("A private answer")
	p.waitText("How 10 draws differ")
	p.click("button", "Draw 100 times")
	p.waitText("How 100 draws differ")
	p.click("button", "Draw 10 times")
	p.waitText("How 10 draws differ")
	p.click("button", "Draw once")
	p.waitGone("How 10 draws differ")
	p.waitText("A private answer")
	p.click("button", "Draw 10 times")
	p.waitText("How 10 draws differ")
	for _, slider := range p.names("slider") {
		var before string
		p.eval(`document.querySelector("#learn-draw").textContent + document.querySelector("#learn-quiet").textContent`, &before)
		p.on("slider", slider,
			`function () { this.value = this.value === this.max ? this.min : this.max; this.dispatchEvent(new Event("change", { bubbles: true })); }`, nil)
		p.until("another draw by "+slider,
			fmt.Sprintf(
				`document.querySelector("#learn-draw").textContent + document.querySelector("#learn-quiet").textContent !== %q`, before))
	}
	if sliders := len(p.names("slider")); sliders != 3 {
		t.Errorf("%d sliders, want those of ε, the people and the possible values", sliders)
	}
	p.click("button", "Compare the algorithms")
	p.waitText("Typical distance by algorithm")
	p.until("both charts",
		`document.querySelectorAll("#learn-chart svg, #learn-spread svg").length === 2`)
	for _, theme := range []string{"light", "dark"} {
		p.theme(theme)
		p.axe()
	}
	p.screenshot("learn-narrow", 360, 800, "dark")
}
