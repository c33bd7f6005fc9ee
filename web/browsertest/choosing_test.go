//go:build browser

package browsertest

import "testing"

// The lesson on the most frequent value sets the ways to choose side by side, those that only
// lessons offer too; the workbench offers none of these.
func TestChoosingIsCompared(t *testing.T) {
	p := open(t, serveBundle(t).url+"#/learn")
	p.click("link", "Most frequent value")
	p.waitText("How 10 draws differ")
	p.click("button", "Compare the algorithms")
	p.until("ten ways",
		`document.querySelectorAll("dl.known dt").length === 10 && !document.querySelector("#learn .status").innerText`)
	for _, text := range []string{"how many candidates were drawn", "Proven price: 3 × one run",
		"Proven price: 6 × one run", "Proven price: 2 × one run, and ε",
		"With fewer runs they leave less of ε"} {
		p.waitText(text)
	}
	p.axe()
	p.screenshot("choosing", 1280, 1000, "light")
	p.screenshot("choosing-narrow", 360, 800, "dark")
}
