package web

import (
	"encoding/json"
	"fmt"

	"hush/core/task"
)

// comparedOption draws releases of one kind, about one column, in one picture, and tells the size of its frame. It
// returns nil where they have no picture in common.
func comparedOption(chosen []*Past) (option json.RawMessage, class string) {
	first := chosen[0].Release
	for _, p := range chosen[1:] {
		if p.Release.Recipe.Task != first.Recipe.Task || p.Release.Plan.Column != first.Plan.Column || !sameAxis(p.Release, first) {
			return nil, ""
		}
	}
	var o object
	class = "chart"
	switch a := first.Answer; {
	case a.Histogram != nil || a.Estimates != nil && a.Estimates.Rows[0].Group != "":
		o = comparedBars(chosen)
	case a.Estimates != nil:
		o, class = comparedIntervals(chosen), "chart short"
	case a.Quantiles != nil:
		o = comparedLines(chosen)
	default:
		return nil, ""
	}
	o["backgroundColor"] = cardColour
	o["textStyle"] = object{"fontFamily": "system-ui, sans-serif", "color": inkColour}
	o["aria"] = object{"enabled": true, "label": object{"description": "Releases side by side."}}
	return json.RawMessage(encode(o)), class
}

// sameAxis tells whether two releases of one task can share a picture: bars need the same names below them.
func sameAxis(a, b *task.Release) bool {
	if a.Answer.Quantiles != nil {
		return a.Recipe.Domain.Kind == b.Recipe.Domain.Kind
	}
	x, y := figures(a), figures(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i].name != y[i].name {
			return false
		}
	}
	return true
}

// comparedColours tell releases apart, in the order in which they were made.
var comparedColours = []string{accentColour, "var(--warn)", softColour, "var(--bad)", "var(--line-strong)"}

func comparedColour(i int) string { return comparedColours[i%len(comparedColours)] }

// seriesName is a release in a legend.
func (p *Past) seriesName() string { return fmt.Sprintf("%d · %s", p.Number, p.Release.Plan.Loss) }

// legend makes room for itself above a picture.
func legend(o object) object {
	o["legend"] = object{"top": 0, "textStyle": object{"color": inkColour}}
	o["grid"].(object)["top"] = 64
	return o
}

// comparedBars sets the bars of the releases side by side.
func comparedBars(chosen []*Past) object {
	var series []object
	var o object
	for i, p := range chosen {
		single, _ := chartOption(p.Release)
		var drawn object
		decode(single, &drawn)
		bar := drawn["series"].([]any)[0].(object)
		series = append(series, object{"type": "bar", "name": p.seriesName(), "data": bar["data"], "barMaxWidth": 48,
			"itemStyle": object{"color": comparedColour(i), "opacity": 0.82}})
		o = object{"grid": drawn["grid"], "tooltip": drawn["tooltip"], "xAxis": drawn["xAxis"], "yAxis": drawn["yAxis"]}
	}
	o["series"] = series
	return legend(o)
}

// comparedIntervals draws one number of each release as a point with its interval, one below the other.
func comparedIntervals(chosen []*Past) object {
	x, y := axis("value", chosen[0].Release.Answer.Estimates.Name), axis("category", "")
	x["scale"], x["nameLocation"], x["nameGap"] = true, "middle", 28
	names := make([]string, len(chosen))
	ranges := make([][]json.Number, len(chosen))
	points := make([][]json.Number, len(chosen))
	for i, p := range chosen {
		one, place := p.Release.Answer.Estimates.Rows[0], json.Number(fmt.Sprint(i))
		names[i] = p.seriesName()
		ranges[i] = []json.Number{place, json.Number(one.Low), json.Number(one.High)}
		points[i] = []json.Number{json.Number(one.Value), place}
	}
	y["data"], y["inverse"] = names, true
	return object{
		"grid":    object{"left": 8, "right": 24, "top": 16, "bottom": 36, "containLabel": true},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x,
		"yAxis":   y,
		"series": []object{
			{"type": "custom", "name": "95 % range", "renderItem": "errorBarHorizontal", "data": ranges,
				"encode": object{"x": []int{1, 2}, "y": 0}, "itemStyle": object{"color": inkColour}},
			{"type": "scatter", "name": chosen[0].Release.Answer.Estimates.Name, "symbolSize": 12, "data": points, "itemStyle": object{"color": accentColour}},
		},
	}
}

// comparedLines draws the quantiles of each release as a line.
func comparedLines(chosen []*Past) object {
	var series []any
	var o object
	for i, p := range chosen {
		o = quantilesChart(p.Release)
		line := o["series"].([]object)[0]
		line["name"] = p.seriesName()
		line["lineStyle"], line["itemStyle"] = object{"color": comparedColour(i), "width": 2}, object{"color": comparedColour(i)}
		series = append(series, line)
	}
	o["series"] = series
	return legend(o)
}
