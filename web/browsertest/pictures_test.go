//go:build browser

package browsertest

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// heaviest is what a picture of the README may weigh, in bytes.
const heaviest = 120_000

// TestReadmePictures checks that the README shows every picture of static/pictures, and that none
// is heavy. With -update they are taken again, of the page as it is, with the made-up patients.
func TestReadmePictures(t *testing.T) {
	const dir = "../../static/pictures"
	if *update {
		takePictures(t, dir)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(found) < 6 {
		t.Fatalf("%d pictures, %v", len(found), err)
	}
	for _, path := range found {
		name := filepath.Base(path)
		if !strings.Contains(string(readme), "](static/pictures/"+name+")") &&
			!strings.Contains(string(readme), `"static/pictures/`+name+`"`) {
			t.Errorf("the README does not show %s", name)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if picture, err := png.Decode(bytes.NewReader(data)); err != nil || picture.Bounds().
			Dx() < 300 || len(data) > heaviest {
			t.Errorf("%s: %d bytes, want at most %d; %v", name, len(data), heaviest, err)
		}
	}
}

// takePictures walks through the page: a release, the ledger, a lesson, a proof.
func takePictures(t *testing.T, dir string) {
	t.Helper()
	p := open(t, serveBundle(t).url)
	take := func(name string, width, height int64, theme, top string) {
		t.Helper()
		p.size(width, height)
		p.theme(theme)
		p.eval(`void (document.querySelector(`+"`"+top+"`"+`).scrollIntoView(), scrollBy(0, -16))`,
			nil)
		p.until("the charts",
			`[...document.querySelectorAll(".chart")].every((chart) => !chart.checkVisibility() || chart.querySelector("svg"))`)
		picture := p.screenshot("readme-"+name, width, height, theme)
		if err := os.WriteFile(filepath.Join(dir, name+".png"), paletted(t, picture),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.click("button", "Try it with made-up patients")
	p.waitText("Ask another question")
	p.click("button", "Ask another question")
	p.waitPrice()
	take("workbench-dark", 1280, 900, "dark", ".page")
	p.click("button", "Release")
	p.waitText("spent ε = 0.5 of 3")
	take("workbench", 1280, 900, "light", ".page")
	take("narrow", 360, 720, "light", ".page")
	p.size(1280, 900)
	goTo(p, "Ledger")
	p.waitText("Spent of the limit")
	take("ledger", 1280, 900, "dark", ".page")
	goTo(p, "Learn")
	p.click("link", "Typical value")
	p.waitText("How 10 draws differ")
	p.click("button", "Draw 100 times")
	p.waitText("How 100 draws differ")
	take("learn", 1280, 900, "light", ".page")
	goTo(p, "Proof")
	p.waitText("Holds.")
	take("prove", 1280, 900, "light", ".page")
}

// paletted writes a picture again with its 256 most frequent colours, for a quarter of the bytes.
func paletted(t *testing.T, text []byte) []byte {
	t.Helper()
	from, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[color.Color]int{}
	bounds := from.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			counts[from.At(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int {
		return cmp.Compare(counts[b], counts[a])
	})
	palette := color.Palette(colours[:min(256, len(colours))])
	to := image.NewPaletted(bounds, palette)
	near := map[color.Color]uint8{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := from.At(x, y)
			at, known := near[c]
			if !known {
				at = uint8(palette.Index(c))
				near[c] = at
			}
			to.SetColorIndex(x, y, at)
		}
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, to); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
