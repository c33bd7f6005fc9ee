package chart

import (
	"cmp"
	"math"
	"unicode/utf8"

	"hush/web/say"
)

// bar is a value with a name, and the range that holds in 95 of 100 releases.
type bar struct {
	name             string
	value, low, high float64
	hatched          bool
	says             string // its tooltip
}

const (
	hatchColour = softColour
	manyBars    = 6  // more than so many names do not fit side by side
	longName    = 12 // and neither do names that are longer
)

// wide reports whether a name does not fit below a column.
func wide(name string) bool { return utf8.RuneCountInString(name) > longName }

// narrow keeps an axis's own names out of the picture, whose words have them.
func valueOnly(kind string) object {
	o := axis(kind, "")
	delete(o, "name")
	delete(o, "nameTextStyle")
	return o
}

// drawnBars are the two series of bars and their errors: a renderer's name for each, and the items.
func drawnBars(name, bars, errors string, items []object, ranges [][]any, encode,
	cap object) []object {
	list := []object{{"type": "custom", "name": name, "renderItem": bars, "data": items,
		"encode": encode, "itemStyle": object{"color": accentColour}, "groundColor": cardColour,
		"hatchColor": hatchColour, "z": 2, "clip": true}}
	if len(ranges) > 0 {
		o := object{"type": "custom", "name": say.Text("95 % range"), "renderItem": errors,
			"data": ranges, "itemStyle": object{"color": inkColour}, "groundColor": cardColour,
			"silent": true, "tooltip": object{"show": false}, "z": 3}
		for key, value := range cap {
			o[key] = value
		}
		list = append(list, o)
	}
	return list
}

// standing draws bars beside one another over their names, or lying ones below one another where
// the names are long or many. lo and hi are the range of all possible values; an error bar never
// leaves it.
func standing(series string, list []bar, lo, hi float64, sorted bool) picture {
	lying := len(list) > manyBars
	for _, b := range list {
		lying = lying || wide(b.name)
	}
	if lying {
		if sorted {
			list = byValue(list)
		}
		return lyingBars(series, list, lo, hi)
	}
	x, y := valueOnly("category"), valueOnly("value")
	x["axisTick"] = object{"show": false}
	x["splitLine"] = object{"show": false}
	y["min"] = math.Min(0, axisStart(list, lo))
	names := make([]string, len(list))
	items, ranges := make([]object, len(list)), make([][]any, 0, len(list))
	for i, b := range list {
		names[i] = b.name
		// Half the place of a name on either side is air.
		items[i] = object{"value": []any{i, value(b.value, lo), flag(b.hatched)}, "says": b.says}
		if b.low <= b.high {
			ranges = append(ranges, []any{i, within(b.low, lo, hi), within(b.high, lo, hi)})
		}
	}
	x["data"] = names
	return picture{tall: true, height: 300, plot: object{
		"grid":    grid(),
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x, "yAxis": y,
		"series": drawnBars(series, "standing", "errorBar", items, ranges,
			object{"x": 0, "y": 1}, object{"encode": object{"x": 0, "y": []int{1, 2}}}),
	}}
}

// lyingBars draws bars from left to right, the first one at the top, with names that are never cut.
func lyingBars(series string, list []bar, lo, hi float64) picture {
	x, y := valueOnly("value"), valueOnly("category")
	y["inverse"], y["axisTick"], y["splitLine"] = true, object{"show": false},
		object{"show": false}
	x["min"] = math.Min(0, axisStart(list, lo))
	names := make([]string, len(list))
	items, ranges := make([]object, len(list)), make([][]any, 0, len(list))
	for i, b := range list {
		names[i] = b.name
		items[i] = object{"value": []any{i, value(b.value, lo), flag(b.hatched)}, "says": b.says}
		if b.low <= b.high {
			ranges = append(ranges, []any{i, within(b.low, lo, hi), within(b.high, lo, hi)})
		}
	}
	y["data"] = names
	return picture{tall: true, rows: names, plot: object{
		"grid":    object{"left": 8, "right": 24, "top": 8, "bottom": 8, "containLabel": true},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x, "yAxis": y,
		"series": drawnBars(series, "lying", "errorBarHorizontal", items, ranges,
			object{"x": 1, "y": 0}, object{"encode": object{"x": []int{1, 2}, "y": 0}}),
	}}
}

// byValue sorts bars, the largest first; those that are equal stay in their order.
func byValue(list []bar) []bar {
	list = append([]bar{}, list...)
	for i := range list { // as few as they are, by insertion
		for k := i; k > 0 && list[k].value > list[k-1].value; k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	return list
}

// axisStart is where an axis must begin to hold all bars.
func axisStart(list []bar, lo float64) float64 {
	least := 0.0
	for _, b := range list {
		least = math.Min(least, within(math.Min(b.low, b.value), lo, math.Inf(1)))
	}
	return least
}

func value(x, lo float64) float64 { return math.Max(x, lo) }

func within(x, lo, hi float64) float64 { return math.Min(math.Max(x, lo), hi) }

func grid() object {
	return object{"left": 8, "right": 24, "top": 8, "bottom": 8, "containLabel": true}
}

// point is one number on its own scale.
type point struct {
	kind          string // of the axis; empty: "value"
	name          string // of the series
	says          string // the value as it is released, and its tooltip's first line
	at, low, high float64
	known, ranged bool // at can be drawn; low and high are an interval
	lo, hi        float64
	scaled        bool // lo and hi are the scale
	label         string
}

// alone draws one number with its interval on the scale of what is possible. A value that is no
// number, as a text, stands alone.
func alone(p point) picture {
	x, y := valueOnly(cmp.Or(p.kind, "value")), valueOnly("category")
	y["data"], y["axisLabel"], y["axisTick"], y["axisLine"] = []string{""}, object{"show": false},
		object{"show": false}, object{"show": false}
	y["splitLine"] = object{"show": false}
	var series []object
	if p.scaled {
		x["min"], x["max"] = p.lo, p.hi
		numbered(x, p.lo, p.hi)
	} else {
		x["scale"] = true
	}
	if p.ranged {
		series = append(series, object{"type": "custom", "name": say.Text("95 % range"),
			"renderItem": "errorBarHorizontal", "data": [][]any{{0, p.low, p.high}}, "cap": 9,
			"encode": object{"x": []int{1, 2}, "y": 0}, "itemStyle": object{"color": inkColour},
			"silent": true, "groundColor": cardColour, "z": 5})
	}
	at := p.at
	dot := object{"type": "scatter", "name": p.name, "symbolSize": 14, "z": 4,
		"itemStyle": object{"color": accentColour, "opacity": 1}}
	if !p.known {
		x["show"], x["min"], x["max"], at, dot["symbolSize"] = false, 0, 1, 0.5, 1
		dot["tooltip"] = object{"show": false}
	}
	label := object{"show": true, "position": "top", "distance": 12, "formatter": p.label,
		"color": inkColour, "fontSize": 22, "fontWeight": 600}
	if p.known && p.scaled && p.hi > p.lo { // near an end the number stands inwards of it
		switch share := (p.at - p.lo) / (p.hi - p.lo); {
		case share < 0.2:
			label["align"] = "left"
			label["offset"] = []int{-7, 0}
		case share > 0.8:
			label["align"] = "right"
			label["offset"] = []int{7, 0}
		}
	}
	if utf8.RuneCountInString(p.label) > 24 {
		label["fontSize"], label["width"], label["overflow"] = 15, 260, "break"
		label["lineHeight"] = 20
	}
	dot["data"] = []object{{"value": []any{at, 0}, "says": p.says}}
	dot["label"] = label
	series = append(series, dot)
	above := 64 // the number's own room
	if p.label == "" {
		above = 16
	}
	return picture{height: above + 86, plot: object{
		"grid":    object{"left": 24, "right": 24, "top": above, "bottom": 32},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x, "yAxis": y, "series": series,
	}}
}
