//go:build browser

package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"hush/core/publication"
	"hush/web/chart"
	"hush/web/chart/svg"
	"hush/web/report"
	"hush/web/webtest/clinicpage"
)

// publicationOf is a page of figures with the pictures that the page draws of them.
func publicationOf(t *testing.T, page publication.Page) report.Report {
	t.Helper()
	p := chartPage(t)
	draw := func(option json.RawMessage, tall bool, width int) *svg.Picture {
		height := 200
		if tall {
			height = 400
		}
		var drawn string
		p.eval(fmt.Sprintf(`(() => {
			const frame = document.createElement("div");
			frame.className = "daylight picture";
			frame.style.width = "%dpx";
			frame.style.height = "%dpx";
			document.body.append(frame);
			const chart = library.mount(frame, JSON.stringify(%s));
			const drawn = library.toSVG(chart);
			library.dispose(chart);
			frame.remove();
			return drawn;
		})()`, width, height, option), &drawn)
		picture, err := svg.New(drawn)
		if err != nil {
			t.Fatal(err)
		}
		return picture
	}
	r := report.Report{Page: page}
	for _, f := range page.Figures() {
		option, tall, width := chart.Bare(f.Release)
		r.Pictures = append(r.Pictures, report.Picture{Wide: draw(option, tall, width),
			Narrow: draw(option, tall, chart.NarrowWidth)})
	}
	return r
}

// TestPublication: eight figures take at most six screens and 900 words beside their tables, ids
// are those of one element, nothing runs, nothing is asked of a network, and the page that a reader
// opens is the one that was written.
func TestPublication(t *testing.T) {
	made := clinicpage.Make(t)
	path := filepath.Join(t.TempDir(), "publication.html")
	text := publicationOf(t, made).HTML()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if again := report.Rewrite([]byte(text), made); again.HTML != text || again.Strange != nil ||
		again.Bare != nil {
		t.Errorf("the page written again is another, or its pictures say %v", again.Strange)
	}
	if dir := os.Getenv("HUSH_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "publication.html"), []byte(text),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, "file://"+path)
	p.waitText("What is promised")
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{360, 1280} {
			p.screenshot(fmt.Sprintf("publication-%s-%d", theme, width), width, 4500, theme)
			p.axe()
			p.until("no sideways scrolling",
				`document.documentElement.scrollWidth <= innerWidth`)
		}
	}
	p.size(1280, 900)
	var seen struct {
		Screens                           float64
		Words, Requests, Images, Drawn    int
		Tables, Narrow, Marked, Reachable int
		Twice, Loose                      []string
		Ran                               bool
		Appendix                          string
	}
	p.eval(`(() => {
		const all = [...document.querySelectorAll("[id]")].map((e) => e.id);
		const shapes = [...document.querySelectorAll("svg *")];
		const refers = (value) => /^url\(#(.*)\)$/.exec(value ?? "")?.[1];
		const words = document.body.cloneNode(true);
		words.querySelectorAll("table, svg, details > :not(summary), script").forEach((e) => e.remove());
		document.body.append(words);
		const count = words.innerText.split(/\s+/).filter(Boolean).length;
		words.remove();
		return {
			Screens: document.documentElement.scrollHeight / 900,
			Words: count,
			Requests: performance.getEntriesByType("resource").length,
			Images: document.images.length,
			Drawn: [...document.querySelectorAll("figure .wide svg")].filter((e) => e.getBoundingClientRect().height > 80).length,
			Narrow: [...document.querySelectorAll("figure .narrow svg")].filter((e) => e.getBoundingClientRect().height > 0).length,
			Tables: document.querySelectorAll("figure details table tbody").length,
			Twice: all.filter((id, i) => all.indexOf(id) !== i),
			Loose: shapes.flatMap((e) => ["clip-path", "fill", "stroke"].map((name) => [e, refers(e.getAttribute(name))]))
				.filter(([e, id]) => id && !e.closest("svg").querySelector("#" + id)).map(([, id]) => id),
			Ran: [...document.scripts].some((e) => e.type !== "application/json"),
			Appendix: document.getElementById("hush-publication").textContent,
		};
	})()`, &seen)
	t.Logf("%.1f screens, %d words, %d bytes", seen.Screens, seen.Words, len(text))
	if seen.Screens > 6 || seen.Words > 900 || seen.Words < 200 {
		t.Errorf("eight figures take %.1f screens and %d words", seen.Screens, seen.Words)
	}
	if seen.Drawn != 8 || seen.Narrow != 0 || seen.Tables != 8 {
		t.Errorf("%d pictures are drawn, %d of telephones, with %d tables", seen.Drawn, seen.Narrow,
			seen.Tables)
	}
	if seen.Requests != 0 || seen.Images != 0 || seen.Ran {
		t.Errorf("the page asks for %d things, has %d images, and scripts that run: %v",
			seen.Requests, seen.Images, seen.Ran)
	}
	if len(seen.Twice) > 0 || len(seen.Loose) > 0 {
		t.Errorf("ids of two elements: %q; of none: %q", seen.Twice, seen.Loose)
	}
	read, err := publication.Read([]byte(seen.Appendix))
	if err != nil || publication.Digest(read) != publication.Digest(made) {
		t.Errorf("the appendix is %v, %v", read.Title, err)
	}
	p.publicationPrints(t)
}

// publicationPrints: on A4, headings stay with their figures, and no picture or row is cut.
func (p *webPage) publicationPrints(t *testing.T) {
	var sheets []byte
	p.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		sheets, _, err = page.PrintToPDF().WithPreferCSSPageSize(true).WithPrintBackground(true).
			Do(ctx)
		return err
	}))
	if dir := os.Getenv("HUSH_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "publication.pdf"), sheets, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(regexp.MustCompile(`/Type\s*/Page\b[^s]`).FindAll(sheets, -1)); n < 2 || n > 6 {
		t.Errorf("eight figures take %d sheets", n)
	}
	if !strings.Contains(string(sheets), "595") {
		t.Error("the sheets are not A4")
	}
	p.do(emulation.SetEmulatedMedia().WithMedia("print"))
	var loose []string
	p.eval(`[["h1, h2, h3, .sub, thead", "breakAfter"], ["figure, .picture, tr, .keys", "breakInside"]].flatMap(([what, how]) =>
		[...document.querySelectorAll(what)].filter((e) => getComputedStyle(e)[how] !== "avoid").map((e) => e.tagName + " " + how))`, &loose)
	if len(loose) > 0 {
		t.Errorf("these may be cut or left alone on paper: %q", loose)
	}
}
