//go:build browser

package browsertest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "draw the icons again from the SVG")

// The PNG icons are pictures of icon.svg; -update draws them again. Browsers may smooth edges a
// little differently.
func TestIconsShowTheDrawing(t *testing.T) {
	const dir = "../../static/icons"
	for _, c := range []struct {
		file string
		// a maskable icon keeps its content within a circle of 80 % and fills the square
		size, margin int
		background   string
	}{
		{"icon-192.png", 192, 0, "transparent"},
		{"icon-512.png", 512, 0, "transparent"},
		{"maskable-512.png", 512, 56, "#0d655c"},
	} {
		html := fmt.Sprintf(
			`<!doctype html><title>icon</title><link rel="icon" href="data:,"><body style="margin: 0; background: %s">`+
				`<img src="icon.svg" style="display: block; margin: %dpx" width=%d height=%[3]d>`,
			c.background, c.margin, c.size-2*c.margin)
		p := open(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if filepath.Base(r.URL.Path) == "icon.svg" {
				http.ServeFile(w, r, filepath.Join(dir, "icon.svg"))
				return
			}
			w.Write([]byte(html))
		}), "/").url)
		p.size(int64(c.size), int64(c.size))
		var drawn []byte
		p.do(
			emulation.SetDefaultBackgroundColorOverride().
				WithColor(&cdp.RGBA{R: 0, G: 0, B: 0, A: 0}),
			chromedp.ActionFunc(func(ctx context.Context) (err error) {
				drawn, err = page.CaptureScreenshot().Do(ctx)
				return err
			}),
		)
		file := filepath.Join(dir, c.file)
		if *update {
			if err := os.WriteFile(file, drawn, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if far := distance(t, kept, drawn); far > 0.005 {
			t.Errorf("%s differs from the drawing by %.4f of full scale: run this test with "+
				"-update", c.file, far)
		}
	}
}

// distance is the mean difference of two pictures' channels, from 0 to 1.
func distance(t *testing.T, a, b []byte) float64 {
	t.Helper()
	decode := func(text []byte) image.Image {
		picture, err := png.Decode(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return picture
	}
	p, q := decode(a), decode(b)
	if p.Bounds() != q.Bounds() {
		return 1
	}
	var sum, count float64
	for y := range p.Bounds().Dy() {
		for x := range p.Bounds().Dx() {
			r1, g1, b1, a1 := p.At(x, y).RGBA()
			r2, g2, b2, a2 := q.At(x, y).RGBA()
			for _, pair := range [][2]uint32{{r1, r2}, {g1, g2}, {b1, b2}, {a1, a2}} {
				sum += max(float64(pair[0])-float64(pair[1]), float64(pair[1])-float64(pair[0])) /
					0xffff
				count++
			}
		}
	}
	return sum / count
}
