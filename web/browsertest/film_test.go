//go:build browser

package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// A picture that moves is stepped by its buttons and by the keyboard alone; what happens is read
// out, and the picture is drawn.
func TestFilm(t *testing.T) {
	p := open(t, serveBundle(t).url+"#/learn/median")
	p.waitText("Step 1 of")
	p.until("the picture", `document.querySelectorAll("#film svg rect").length > 50`)
	p.click("button", "Next")
	p.waitText("Step 2 of")
	p.press(kb.ArrowRight)
	p.press(kb.ArrowRight)
	p.waitText("Step 4 of")
	p.press(kb.ArrowLeft)
	p.waitText("Step 3 of")
	p.until("words for everybody",
		`document.querySelector("#film-text").ariaLive === "polite" && document.querySelector("#film svg desc").textContent.length > 20`)
	for _, theme := range []string{"light", "dark"} {
		p.theme(theme)
		p.axe()
	}
	p.screenshot("film-narrow", 360, 800, "dark")
	p.until("no film that plays where motion is unwanted",
		`document.querySelector("#film-play").checkVisibility() === false`)
	p.click("button", "Other coins")
	p.waitText("Step 1 of")
}
