//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"hush/web/gallery"
	"hush/web/host"
)

// galleryWidths are a phone, a tablet, a laptop and a large screen.
var galleryWidths = []int64{360, 768, 1280, 1920}

// serveGallery serves dist with the gallery in its program.
func serveGallery(t *testing.T) *site {
	t.Helper()
	program, err := os.ReadFile("../../.cache/gallery.wasm")
	if err != nil {
		t.Fatalf("there is no program with the gallery: run ./build.sh test (%v)", err)
	}
	files, bundle := fstest.MapFS{}, readBundle(t)
	for name, text := range bundle {
		switch base := path.Base(name); {
		case base == "app.wasm":
			text = program
		case strings.HasPrefix(base, "app.wasm"): // packed
			continue
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	return serve(t, host.New(knowing(files, bundle)), "/")
}

// TestGalleryInTheBrowser walks every specimen: nothing sticks out at any width, and axe-core finds
// nothing in either theme with all disclosures open. Two pages share the walk. With HUSH_SHOTS it
// keeps a picture of each at each width in both themes.
func TestGalleryInTheBrowser(t *testing.T) {
	t.Parallel()
	s := serveGallery(t)
	const pages = 2
	for first := range pages {
		t.Run(fmt.Sprint(first+1), func(t *testing.T) {
			t.Parallel()
			p := open(t, s.url+"#/gallery")
			p.waitText("Every part of this page, in every state")
			if first == 0 {
				p.axe()
			}
			for i, s := range gallery.Specimens() {
				if i%pages == first {
					p.walkSpecimen(s)
				}
			}
		})
	}
}

func (p *webPage) walkSpecimen(s gallery.Specimen) {
	p.t.Helper()
	name := s.Name()
	// takes the one before down, with all that was opened in it
	p.eval(`void (location.hash = "#/gallery")`, nil)
	p.until("the list", `!document.getElementById("specimen")`)
	p.eval(fmt.Sprintf(`void (location.hash = "#/gallery/%s")`, name), nil)
	p.until(name, fmt.Sprintf(`document.querySelector("h1").textContent === %q &&
		document.getElementById("specimen")`, string(s.Part)+": "+s.State))
	p.until("charts", `[...document.querySelectorAll("#specimen div.chart")]
		.every((c) => !c.checkVisibility() || c.querySelector("svg"))`)
	if os.Getenv("HUSH_SHOTS") != "" {
		for _, theme := range []string{"light", "dark"} {
			p.theme(theme)
			for _, width := range galleryWidths {
				p.screenshot(fmt.Sprintf("gallery/%s/%d-%s", name, width, theme), width, 900,
					theme)
			}
		}
	}
	p.eval(`document.querySelectorAll("#specimen details").forEach((d) => { d.open = true; })`, nil)
	p.theme("light")
	for _, width := range galleryWidths {
		p.size(width, 900)
		var out []string
		p.eval(outside, &out)
		for _, what := range out {
			p.t.Errorf("%s, %d wide: %s", name, width, what)
		}
	}
	p.axeOf(name)
	p.theme("dark")
	p.axeOf(name+", dark", "color-contrast")
}

// outside lists what reaches beyond the window's sides and is not in a frame that scrolls.
const outside = `[...document.querySelectorAll("#specimen, #specimen *")].filter((e) => {
	const box = e.getBoundingClientRect();
	return box.width > 1 && box.right > innerWidth + 1 && e.checkVisibility() && !e.closest(".scroll, .heat-wrap, .code, div.chart, .hidden-visually");
}).slice(0, 3).map((e) => e.tagName.toLowerCase() + "." + e.className + " reaches " + Math.round(e.getBoundingClientRect().right) + ": " + e.textContent.slice(0, 60))`
