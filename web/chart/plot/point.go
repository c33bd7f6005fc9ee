package plot

import (
	"cmp"
	"math"
	"unicode/utf8"

	"hush/web/say"
)

// Point is one number on its own scale.
type Point struct {
	Kind          string // the axis's; empty: "value"
	Name          string // the series's
	Says          string // the value as it is released, and its tooltip's first line
	At, Low, High float64
	Known, Ranged bool // at can be drawn; low and high are an interval
	Lo, Hi        float64
	Scaled        bool // lo and hi are the scale
	Label         string
}

// widest is the largest ratio of a number's scale to its interval: beyond it, the interval would be
// an unreadable stroke.
const widest = 25

// Near returns the part of a scale from lo to hi around an interval, with round ends.
func Near(lo, hi, low, high float64) (from, to float64) {
	wide := widest * (high - low)
	if !(high > low) || wide >= hi-lo {
		return lo, hi
	}
	middle, unit := (low+high)/2, math.Pow(10, math.Floor(math.Log10(wide/2)))
	return max(lo, math.Floor((middle-wide/2)/unit)*unit),
		min(hi, math.Ceil((middle+wide/2)/unit)*unit)
}

// Alone draws one number with its interval on the scale of its possible values. A value that is not
// a number, such as a text, is drawn without a scale.
func Alone(p Point) Picture {
	x, y := ValueOnly(cmp.Or(p.Kind, "value")), ValueOnly("category")
	y["data"], y["axisLabel"], y["axisTick"], y["axisLine"] = []string{""}, object{"show": false},
		object{"show": false}, object{"show": false}
	y["splitLine"] = object{"show": false}
	var series []object
	if p.Scaled {
		x["min"], x["max"] = p.Lo, p.Hi
		Numbered(x, p.Lo, p.Hi)
	} else {
		x["scale"] = true
	}
	if p.Ranged {
		series = append(series, object{"type": "custom", "name": say.Text("95 % range"),
			"renderItem": "errorBarHorizontal", "data": [][]any{{0, p.Low, p.High}}, "cap": 9,
			"encode": object{"x": []int{1, 2}, "y": 0}, "itemStyle": object{"color": Ink},
			"silent": true, "groundColor": Card, "z": 5})
	}
	at := p.At
	dot := object{"type": "scatter", "name": p.Name, "symbolSize": 14, "z": 4,
		"itemStyle": object{"color": Accent, "opacity": 1}}
	if !p.Known {
		x["show"], x["min"], x["max"], at, dot["symbolSize"] = false, 0, 1, 0.5, 1
		dot["tooltip"] = object{"show": false}
	}
	label := object{"show": true, "position": "top", "distance": 12, "formatter": p.Label,
		"color": Ink, "fontSize": 22, "fontWeight": 600}
	if p.Known && p.Scaled && p.Hi > p.Lo { // near an end, the number is placed inwards of it
		switch share := (p.At - p.Lo) / (p.Hi - p.Lo); {
		case share < 0.2:
			label["align"] = "left"
			label["offset"] = []int{-7, 0}
		case share > 0.8:
			label["align"] = "right"
			label["offset"] = []int{7, 0}
		}
	}
	if utf8.RuneCountInString(p.Label) > 24 {
		label["fontSize"], label["width"], label["overflow"] = 15, 260, "break"
		label["lineHeight"] = 20
	}
	dot["data"] = []object{{"value": []any{at, 0}, "says": p.Says}}
	dot["label"] = label
	series = append(series, dot)
	above := 64 // the number's own room
	if p.Label == "" {
		above = 16
	}
	return Picture{Height: above + 86, Plot: object{
		"grid":    object{"left": 24, "right": 24, "top": above, "bottom": 32},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x, "yAxis": y, "series": series,
	}}
}
