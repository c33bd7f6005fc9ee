//go:build browser

package browsertest

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// chartPage opens the page with an empty place for a chart in front of everything.
func chartPage(t *testing.T) *webPage {
	p := open(t, serveBundle(t).url)
	p.eval(`(async () => {
		globalThis.library = await import(document.querySelector("script[src$='page.js']").src.replace("page.js", "charts.js"));
		const place = document.createElement("div");
		place.id = "place";
		document.body.prepend(place);
		const style = new CSSStyleSheet(); // made by script, which the policy allows
		style.replaceSync("#place { width: 600px; height: 300px } body { overflow-anchor: none }");
		document.adoptedStyleSheets = [style];
	})()`, nil)
	return p
}

const bars = `{
	"color": ["var(--accent)"],
	"title": {"text": "People by age", "textStyle": {"color": "var(--ink)"}},
	"tooltip": {"trigger": "axis", "renderMode": "html"},
	"legend": {}, "xAxis": {"type": "category", "data": ["0 to 9", "10 to 19", "var(--ink)"]}, "yAxis": {"type": "value"},
	"series": [
		{"type": "bar", "name": "people", "data": [12, 30, -4]},
		{"type": "custom", "name": "95 %", "renderItem": "errorBar", "color": "var(--ink-soft)", "encode": {"x": 0, "y": [1, 2]},
			"data": [[0, 8, 16], [1, 26, 34], [2, -8, 0]]}
	]
}`

func TestChart(t *testing.T) {
	p := chartPage(t)
	p.eval(`void (globalThis.chart = library.mount(place, JSON.stringify(`+bars+`)))`, nil)
	p.until("a picture", `place.querySelector("svg")`)

	var label string
	if p.eval(`place.getAttribute("aria-label")`, &label); !strings.Contains(
		label, "People by age") {
		t.Errorf("for a screen reader the chart is %q", label)
	}
	var colours struct{ Accent, Used string }
	p.eval(`({ Accent: getComputedStyle(place).getPropertyValue("--accent").trim(),
		Used: [...place.querySelectorAll("path")].map((e) => e.getAttribute("fill")).join(" ") })`, &colours)
	if !strings.Contains(colours.Used, colours.Accent) || colours.Accent == "" {
		t.Errorf("the bars' colour is not the style sheet's %q but one of %q", colours.Accent,
			colours.Used)
	}
	if !strings.Contains(p.text(), "var(--ink)") {
		t.Error("a category that looks like a colour was taken for one")
	}

	// A tooltip is drawn in the picture, not as an element with a style.
	var x, y float64
	p.eval(`place.getBoundingClientRect().left + 300`, &x)
	p.eval(`place.getBoundingClientRect().top + 150`, &y)
	p.do(input.DispatchMouseEvent(input.MouseMoved, x-5, y),
		input.DispatchMouseEvent(input.MouseMoved, x, y))
	p.until("the tooltip",
		`[...place.querySelectorAll("svg text, svg tspan")].some((e) => e.textContent.includes("people"))
		&& place.querySelectorAll("svg text").length > 8`)

	var svg string
	p.eval(`library.toSVG(chart)`, &svg)
	if lines := errorBarLines(t, svg); lines != 9 {
		t.Errorf("three error bars are drawn with %d lines, want 9", lines)
	}

	p.eval(`library.update(chart, JSON.stringify({ ...`+bars+
		`, title: { text: "Changed" }, series: [] }))`, nil)
	p.until("the changed picture",
		`place.textContent.includes("Changed") && !place.textContent.includes("People by age")`)
	p.eval(`(place.ownerDocument.adoptedStyleSheets[0].replaceSync("#place { width: 400px; height: 200px }"), library.resize(chart))`, nil)
	p.until("the smaller picture", `place.querySelector("svg").getAttribute("width") === "400"`)
	p.eval(`library.dispose(chart)`, nil)
	p.until("the place to be empty", `!place.querySelector("svg")`)
}

// errorBarLines checks that a picture is a well-formed document and counts the lines of error bars
// in it.
func errorBarLines(t *testing.T, svg string) int {
	t.Helper()
	lines := 0
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatalf("the picture is not well-formed: %v in %s", err, svg)
		}
		if element, ok := token.(xml.StartElement); ok {
			for _, a := range element.Attr {
				if a.Name.Local == "stroke-width" && a.Value == "1.5" {
					lines++
				}
			}
		}
	}
}

// Each kind of series that the page uses draws without a violation; error bars also lie down.
func TestChartKinds(t *testing.T) {
	p := chartPage(t)
	for _, option := range []string{
		`{"xAxis": {}, "yAxis": {}, "series": [{"type": "line", "areaStyle": {}, "data": [[0, 1], [1, 3]]}]}`,
		`{"xAxis": {}, "yAxis": {}, "series": [{"type": "scatter", "data": [[0, 1], [1, 3]], "markLine": {"data": [{"xAxis": 0.5}]}}]}`,
		`{"xAxis": {"type": "category", "data": ["a", "b"]}, "yAxis": {"type": "category", "data": ["c", "d"]},
		  "visualMap": {"min": 0, "max": 9}, "series": [{"type": "heatmap", "label": {"show": true}, "data": [[0, 0, 1], [1, 1, 9]]}]}`,
		`{"xAxis": {}, "yAxis": {"type": "category", "data": ["a"]},
		  "series": [{"type": "custom", "renderItem": "errorBarHorizontal", "encode": {"x": [1, 2], "y": 0}, "data": [[0, 1, 2]]}]}`,
	} {
		p.eval(`(library.dispose(library.mount(place, JSON.stringify(`+option+
			`))), globalThis.chart = library.mount(place, JSON.stringify(`+option+`)), 0)`, nil)
		p.until("a picture", `place.querySelectorAll("svg path").length > 1`)
		p.eval(`library.dispose(chart)`, nil)
	}
}

func TestChartRefuses(t *testing.T) {
	p := chartPage(t)
	for want, option := range map[string]string{
		"no renderer":     `{"xAxis": {}, "yAxis": {}, "series": [{"type": "custom", "renderItem": "toString", "data": [1]}]}`,
		"the style sheet": `{"color": ["var(--no-such-colour)"]}`,
		"JSON":            `not JSON`,
	} {
		var message string
		p.eval("Promise.resolve().then(() => library.mount(place, `"+option+
			"`)).then(() => 'drawn', (e) => e.message)", &message)
		if !strings.Contains(message, want) {
			t.Errorf("%s: %q, want a message about %s", option, message, want)
		}
		p.eval(`place.replaceWith(Object.assign(document.createElement("div"), { id: "place" }))`,
			nil)
	}
}
