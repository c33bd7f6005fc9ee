//go:build browser

package browsertest

import (
	"fmt"
	"testing"
)

// TestDifferenceLesson: the lesson about paying the difference shows both answers beside what the
// data say, what the first adds to either second one, and the film; it follows its sliders.
func TestDifferenceLesson(t *testing.T) {
	p := open(t, serveBundle(t).url+"#/learn")
	p.waitText("Why pay only the difference?")
	p.eval(`document.querySelector("a[href='#/learn/difference']").click()`, nil)
	p.waitText("averaged with the first")
	p.until("a film", `document.querySelector("#learn svg") && document.querySelector("#learn-chart")`)
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{360, 1280} {
			p.screenshot(fmt.Sprintf("difference-%s-%d", theme, width), width, 900, theme)
		}
	}
	if found := p.axeViolations(); len(found) > 0 {
		t.Errorf("axe finds %+v", found)
	}
	text := func() (text string) {
		p.eval(`document.querySelector("[aria-labelledby=learn-spread-title]").innerText`, &text)
		return text
	}
	before := text()
	p.click("button", "Draw again")
	p.until("other noise", fmt.Sprintf(
		`document.querySelector("[aria-labelledby=learn-spread-title]").innerText !== %q`, before))
	p.eval(`(() => {
		const slider = document.getElementById("difference-then");
		slider.value = Number(slider.value) + 1;
		slider.dispatchEvent(new Event("change"));
	})()`, nil)
	p.waitText("ε = 0.7 in all")
}
