package editor

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/edit"
)

// The field of a small picture, and the limits on its content.
const (
	miniWide, miniHigh = 132, 72
	miniMost           = 24
)

// mini is the small picture of a figure: of its numbers, or of the frame for them with the error to
// expect. The words beside it say the same.
func mini(piece *edit.Piece) app.UI {
	body := []app.UI{}
	if piece.Drawn() {
		body = drawn(piece.Release)
	} else if piece.Price != nil && piece.Price.Frame != nil {
		body = framed(piece.Price.Frame, piece.Noise())
	}
	return parts.SVG("svg").Class("mini").Attr("viewBox", "0 0 132 72").Aria("hidden", "true").
		Body(body...)
}

// drawn returns bars for the first column of numbers of an answer.
func drawn(r *task.Release) []app.UI {
	var values []float64
	rows := r.Table(say.Language())
	if len(rows) > 1 {
		is := chart.NumberColumns(rows[1:])
		i := 0
		for i < len(rows[0])-1 && !is(i) {
			i++
		}
		for _, row := range rows[1:min(len(rows), 1+miniMost)] {
			values = append(values, value(row[i]))
		}
	}
	largest := 0.0
	for _, v := range values {
		largest = max(largest, v)
	}
	var body []app.UI
	if largest > 0 {
		step := miniWide / float64(len(values))
		for i, v := range values {
			class, high := "bar", max(v, 0)/largest*(miniHigh-8)
			if v == largest {
				class = "bar key"
			}
			body = append(body, rect(class, float64(i)*step+0.5, miniHigh-high, step-1, high))
		}
	}
	return append(body, line("mini-axis", "M0 71.5H132"))
}

// value reads a number of a table, as it is written for people.
func value(text string) float64 {
	plain := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return -1
	}, strings.ReplaceAll(text, "−", "-"))
	v, _ := strconv.ParseFloat(plain, 64)
	return v
}

// framed draws the frame of an answer: all values alike, each with its error.
func framed(f *ask.Frame, bad bool) []app.UI {
	class := "err"
	if bad {
		class = "err bad"
	}
	span := f.Hi - f.Lo
	off := 12.0 // half the length of an error's line
	if f.Error >= 0 && span > 0 {
		off = min(max(f.Error/span*miniHigh, 2), 34)
	}
	var body []app.UI
	switch f.Kind {
	case ask.FrameTable:
		rows, columns := min(max(len(f.Rows), 1), 6), min(max(len(f.Labels), 1), 6)
		for y := range rows {
			for x := range columns {
				wide, high := miniWide/float64(columns), miniHigh/float64(rows)
				body = append(body, rect("even-bar", float64(x)*wide+1, float64(y)*high+1, wide-2,
					high-2))
			}
		}
		if bad {
			body = append(body, upright(class, miniWide/2, miniHigh/2, 30))
		}
		return body
	case ask.FrameCurve:
		return []app.UI{line("even-band", "M4 52L128 10V30L4 66Z"),
			line("even-line", "M4 59L128 20"), line("mini-axis", "M0 71.5H132")}
	case ask.FrameNumber:
		return []app.UI{line("mini-axis", "M4 36H128"), rect("even-bar", 34, 30, 64, 12),
			line(class, fmt.Sprintf("M%.1f 36H%.1fM%.1f 30V42M%.1f 30V42", 66-off, 66+off,
				66-off, 66+off))}
	}
	n := len(f.Labels)
	if f.Kind == ask.FrameBins {
		n = len(f.Edges) - 1
	}
	n = min(max(n, 1), miniMost)
	step, high := miniWide/float64(n), 36.0
	for i := range n {
		x := float64(i) * step
		body = append(body, rect("even-bar", x+0.5, miniHigh-high, step-1, high),
			upright(class, x+step/2, miniHigh-high, min(off, 34)))
	}
	return append(body, line("mini-axis", "M0 71.5H132"))
}

func rect(class string, x, y, wide, high float64) app.UI {
	return parts.SVG("rect").Class(class).Attr("x", fixed(x)).Attr("y", fixed(y)).
		Attr("width", fixed(max(wide, 0.5))).Attr("height", fixed(high))
}

func line(class, path string) app.UI {
	return parts.SVG("path").Class(class).Attr("d", path)
}

// upright is the line of an error around a position.
func upright(class string, x, y, off float64) app.UI {
	return line(class, fmt.Sprintf("M%.1f %.1fV%.1fM%.1f %.1fH%.1fM%.1f %.1fH%.1f", x, y-off,
		y+off, x-3, y-off, x+3, x-3, y+off, x+3))
}
