// Package pictures draws a page's pictures without a browser. An interpreter of JavaScript runs the
// page's own chart library on the page's own options, so that both draw the same; only the widths
// of letters are estimated. The script sees options of releases and colours, and can reach nothing
// else: no file, no network, no clock.
package pictures

import (
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/dop251/goja"

	"hush/web/chart/svg"
)

//go:embed made
var made embed.FS

// ErrNone is the error of a program that was built without the chart library.
var ErrNone = errors.New("this hush was built without them; with Node, ./build.sh tool builds it " +
	"with them")

// Pen draws pictures, one at a time.
type Pen struct {
	still func(option string, width, height int) (string, error)
}

// New starts the chart library.
func New() (*Pen, error) {
	packed, err := made.Open("made/charts.js.gz")
	if err != nil {
		return nil, ErrNone
	}
	script, err := unpacked(packed)
	if err != nil {
		return nil, fmt.Errorf("the chart library cannot be unpacked: %w", err)
	}
	runtime, p := goja.New(), &Pen{}
	if _, err := runtime.RunScript("charts.js", string(script)); err != nil {
		return nil, fmt.Errorf("the chart library does not start: %w", err)
	}
	still := runtime.Get("hush").ToObject(runtime).Get("still")
	if err := runtime.ExportTo(still, &p.still); err != nil {
		return nil, fmt.Errorf("the chart library has nothing to draw with: %w", err)
	}
	return p, nil
}

func unpacked(packed io.Reader) ([]byte, error) {
	text, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(text)
}

// The heights in points of pictures whose options do not say: those of the style sheet.
const (
	tallHeight  = 400
	shortHeight = 200
)

// Draw draws an option of [hush/web/chart] at a width in points.
func (p *Pen) Draw(option json.RawMessage, tall bool, width int) (*svg.Picture, error) {
	height := shortHeight
	if tall {
		height = tallHeight
	}
	drawn, err := p.still(string(option), width, height)
	if err != nil {
		return nil, err
	}
	return svg.New(drawn)
}
