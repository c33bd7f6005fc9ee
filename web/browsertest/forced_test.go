//go:build browser

package browsertest

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// TestForcedColours: where the system gives the colours, it shows which place this is and which
// kind of question is asked, the blanks have borders, and bars and labels stand out.
func TestForcedColours(t *testing.T) {
	p := open(t, serveBundle(t).url)
	forced := func() {
		t.Helper()
		p.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
			{Name: "forced-colors", Value: "active"},
			{Name: "prefers-color-scheme", Value: "dark"},
			{Name: "prefers-reduced-motion", Value: "reduce"},
		}))
	}
	check := func(what, holds string) {
		t.Helper()
		p.until(what, `(() => {
			const style = (selector) => getComputedStyle(document.querySelector(selector));
			const canvas = style("body").backgroundColor;
			return (`+holds+`);
		})()`)
	}
	forced()
	check("the place to be marked", `
		style(".places a[aria-current]").borderBottomColor !== canvas &&
		style(".places a:not([aria-current])").borderBottomColor === canvas`)
	check("bars and labels of the example", `style("svg.chart .bar").fill !== canvas &&
		style("svg.chart text").fill !== canvas`)
	p.clickSelector(tryExample)
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	check("bars and labels of an answer", `[...document.querySelectorAll("#release-chart svg path")]
		.some((bar) => bar.getBBox().height > 20 && !["none", canvas].includes(
			getComputedStyle(bar).fill)) && style("#release-chart svg text").fill !== canvas`)
	p.clickSelector("#another")
	p.until("the sentence", `document.getElementById("sentence")`)
	check("blanks with borders", `["outline", "border"].some((edge) =>
		style("#sentence .blank")[edge + "Style"] !== "none")`)
	check("the kind that is asked to be marked",
		`style(".kind:has(:checked)").outlineWidth === "3px"`)
}
