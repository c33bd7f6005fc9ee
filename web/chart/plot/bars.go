package plot

import (
	"math"
	"unicode/utf8"

	"hush/web/say"
)

// Bar is a value with a name, and the range that holds in 95 of 100 releases.
type Bar struct {
	Name             string
	Value, Low, High float64
	Hatched          bool
	Says             string // its tooltip
}

const (
	Hatch    = Soft
	ManyBars = 6  // more than this many names do not fit side by side
	LongName = 12 // nor do longer names
	AllNames = 42 // nor, on a telephone, more letters in all, each name as wide as the longest
)

// drawnBars returns the series of the bars and that of their errors: a renderer's name for each,
// and the items.
func drawnBars(name, bars, errors string, items []object, ranges [][]any, encode,
	cap object) []object {
	list := []object{{"type": "custom", "name": name, "renderItem": bars, "data": items,
		"encode": encode, "itemStyle": object{"color": Accent}, "groundColor": Card,
		"hatchColor": Hatch, "z": 2, "clip": true}}
	if len(ranges) > 0 {
		o := object{"type": "custom", "name": say.Text("95 % range"), "renderItem": errors,
			"data": ranges, "itemStyle": object{"color": Ink}, "groundColor": Card,
			"silent": true, "tooltip": object{"show": false}, "z": 3}
		for key, value := range cap {
			o[key] = value
		}
		list = append(list, o)
	}
	return list
}

// Standing draws bars beside one another above their names, or lying ones below one another if the
// names are long or many. lo and hi are the range of all possible values; an error bar never leaves
// it.
func Standing(series string, list []Bar, lo, hi float64, sorted bool) Picture {
	longest := 0
	for _, b := range list {
		longest = max(longest, utf8.RuneCountInString(b.Name))
	}
	if n := len(list); n > ManyBars || longest > LongName || n*(longest+1) > AllNames {
		if sorted {
			list = byValue(list)
		}
		return LyingBars(series, list, lo, hi)
	}
	x, y := ValueOnly("category"), ValueOnly("value")
	x["axisTick"] = object{"show": false}
	x["splitLine"] = object{"show": false}
	y["min"] = math.Min(0, axisStart(list, lo))
	names := make([]string, len(list))
	items, ranges := make([]object, len(list)), make([][]any, 0, len(list))
	for i, b := range list {
		names[i] = b.Name
		// Half the room of a name on either side is left empty.
		items[i] = object{"value": []any{i, max(b.Value, lo), flag(b.Hatched)}, "says": b.Says}
		if b.Low <= b.High {
			ranges = append(ranges, []any{i, Within(b.Low, lo, hi), Within(b.High, lo, hi)})
		}
	}
	x["data"] = names
	return Picture{Tall: true, Height: 300, Plot: object{
		"grid":    Grid(),
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x, "yAxis": y,
		"series": drawnBars(series, "standing", "errorBar", items, ranges,
			object{"x": 0, "y": 1}, object{"encode": object{"x": 0, "y": []int{1, 2}}}),
	}}
}

// LyingBars draws bars from left to right, the first one at the top, with names that are never cut.
func LyingBars(series string, list []Bar, lo, hi float64) Picture {
	x, y := ValueOnly("value"), ValueOnly("category")
	y["inverse"], y["axisTick"], y["splitLine"] = true, object{"show": false},
		object{"show": false}
	x["min"] = math.Min(0, axisStart(list, lo))
	names := make([]string, len(list))
	items, ranges := make([]object, len(list)), make([][]any, 0, len(list))
	for i, b := range list {
		names[i] = b.Name
		items[i] = object{"value": []any{i, max(b.Value, lo), flag(b.Hatched)}, "says": b.Says}
		if b.Low <= b.High {
			ranges = append(ranges, []any{i, Within(b.Low, lo, hi), Within(b.High, lo, hi)})
		}
	}
	y["data"] = names
	return Picture{Tall: true, Rows: names, Plot: object{
		"grid":    object{"left": 8, "right": 24, "top": 8, "bottom": 8, "containLabel": true},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x, "yAxis": y,
		"series": drawnBars(series, "lying", "errorBarHorizontal", items, ranges,
			object{"x": 1, "y": 0}, object{"encode": object{"x": []int{1, 2}, "y": 0}}),
	}}
}

// byValue sorts bars, the largest first; equal ones keep their order.
func byValue(list []Bar) []Bar {
	list = append([]Bar{}, list...)
	for i := range list { // insertion sort, since they are few
		for k := i; k > 0 && list[k].Value > list[k-1].Value; k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	return list
}

// axisStart returns where an axis must begin to hold all bars.
func axisStart(list []Bar, lo float64) float64 {
	least := 0.0
	for _, b := range list {
		least = math.Min(least, Within(math.Min(b.Low, b.Value), lo, math.Inf(1)))
	}
	if math.IsInf(lo, -1) && least < 0 { // a round number: its label is on the axis
		round := math.Pow(10, math.Floor(math.Log10(-least))) / 2
		least = math.Floor(least/round) * round
	}
	return least
}

// Dots draws a point with its interval for each name, for scales without a 0 for bars to start
// from.
func Dots(name string, list []Bar, lo, hi float64) Picture {
	p := LyingBars(name, list, lo, hi)
	x, y := p.Plot["xAxis"].(object), p.Plot["yAxis"].(object)
	x["min"], x["max"] = lo, hi
	Numbered(x, lo, hi)
	series := p.Plot["series"].([]object)
	points := make([]object, len(list))
	for i, b := range list {
		points[i] = object{"value": []any{Within(b.Value, lo, hi), i}, "says": b.Says,
			"symbol": []string{"circle", "emptyCircle"}[flag(b.Hatched)]}
	}
	series[0] = object{"type": "scatter", "name": name, "symbolSize": 12, "data": points, "z": 4,
		"itemStyle": object{"color": Accent}}
	y["splitLine"] = object{"show": true, "lineStyle": object{"color": Line}}
	return p
}
