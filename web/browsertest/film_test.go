//go:build browser

package browsertest

import (
	"fmt"
	"os"
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

// Each film that a lesson or a paper's page lets a visitor choose goes on to its last frame, and is
// drawn whole, wide and narrow.
func TestChosenFilms(t *testing.T) {
	p := open(t, serveBundle(t).url+"#/learn")
	for _, at := range [][2]string{{"interior-points", "heavypaths"}, {"cuts", "weights"},
		{"labels", "relabelling"}, {"candidates", "search"}, {"clusters", "stopping"},
		{"clusters", "clusters"}} {
		p.eval(fmt.Sprintf(`void (location.hash = "#/learn/%s")`, at[0]), nil)
		p.until("the films of "+at[0], fmt.Sprintf(
			`[...document.querySelectorAll("#learn-film option")].some((o) => o.value === %q)`,
			at[1]))
		p.set("learn-film", at[1])
		p.until("the film, no longer the one before",
			fmt.Sprintf(`document.querySelector('#film[data-film="%s"]') !== null`, at[1]))
		p.waitText("Step 1 of")
		var steps int
		p.eval(`Number(document.getElementById("film-text").textContent.match(/of (\d+)/)[1])`,
			&steps)
		for step := 2; step <= steps; step++ {
			p.eval(`document.getElementById("film-next").click()`, nil)
			p.waitText(fmt.Sprintf("Step %d of %d", step, steps))
			if os.Getenv("HUSH_SHOTS") != "" {
				p.eval(`document.getElementById("film").scrollIntoView()`, nil)
				p.screenshot(fmt.Sprintf("film-%s-%d", at[1], step), 700, 620, "light")
			}
		}
		p.eval(`document.getElementById("film").scrollIntoView()`, nil)
		p.screenshot("film-"+at[1]+"-narrow", 390, 700, "dark")
		p.axeOf("the film " + at[1])
	}
}
