package chart

import (
	"math"
	"slices"
	"strconv"
	"time"

	"hush/core/domain"
	"hush/core/message"
	"hush/core/task"
	"hush/web/say"
	"hush/web/state/session"
)

// histogramView shows counts as bars.
type histogramView struct{}

// mostBars have room beside one another, each with its error.
const mostBars = 120

// picture draws bars that touch on an axis of numbers or times, or bars with names, each with its
// error; an outline with a band where they are too many.
func (histogramView) picture(r *task.Release) picture {
	h := r.Answer.Result.(*task.Histogram)
	_, many := nounOf(r)
	edges, kind := edgesOf(h)
	p := countBars(barsOf(r, many), edges, kind, column(r), many,
		r.Recipe.Domain.Kind == domain.Category)
	p.what = say.Format("%s by %s", task.Capital(many), r.Plan.Column)
	if h.Width != "" {
		width := h.Width
		if r.Recipe.Unit != "" {
			width += " " + r.Recipe.Unit
		}
		p.what = say.Format("%s by %s, in bins of %s", task.Capital(many), r.Plan.Column, width)
	}
	return p
}

// countBars draws counts along an axis of numbers or times, where they have edges, or of names,
// which may be sorted by size; an outline with a band where they are too many.
func countBars(list []bar, edges []float64, kind, axis, many string, sorted bool) (p picture) {
	crowded := len(list) > mostBars
	switch {
	case crowded:
		p = outlined(list, edges, many, kind)
	case edges == nil:
		p = standing(many, list, 0, math.Inf(1), sorted)
	default:
		p = touching(list, edges, many, kind)
	}
	p.axis, p.unit, p.bars = axis, many, errorBars()
	if p.rows != nil { // the values lie along the lower axis
		p.axis, p.unit = many, axis
	}
	if crowded {
		p.bars = say.Text("The band shows the range that holds in 95 of 100 releases.")
		return p
	}
	p.hatched = slices.ContainsFunc(list, func(b bar) bool { return b.hatched })
	return p
}

// barsOf are the bins of a histogram.
func barsOf(r *task.Release, many string) (list []bar) {
	h := r.Answer.Result.(*task.Histogram)
	n, off := float64(r.Plan.People), float64(h.Error)
	for i, b := range h.Bins {
		count := float64(b.Count)
		one := bar{name: b.Label, value: count, low: max(count-off, 0), high: count + off,
			hatched: noisy(r, i, count, off)}
		if n > 0 {
			one.high = min(one.high, n)
		}
		one.high = max(one.high, 0)
		one.low = min(one.low, one.high)
		one.says = said(b.Label, message.Grouped(b.Count)+" "+many, Number(one.low),
			Number(one.high))
		list = append(list, one)
	}
	return list
}

// edgesOf are where bins begin, and where the last one ends, as numbers or milliseconds from 1970;
// nil where they have no edges, as categories.
func edgesOf(h *task.Histogram) (edges []float64, kind string) {
	if len(h.Bins) == 0 {
		return nil, ""
	}
	kind = "value"
	texts := make([]string, 0, len(h.Bins)+1)
	for _, b := range h.Bins {
		texts = append(texts, b.From)
	}
	for _, text := range append(texts, h.Bins[len(h.Bins)-1].To) {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			at, ok := readTime(text)
			if !ok {
				return nil, ""
			}
			x, kind = at, "time"
		}
		edges = append(edges, x)
	}
	return edges, kind
}

// readTime reads a date or time of ISO 8601, in milliseconds from 1970 as the axis counts.
func readTime(text string) (float64, bool) {
	for _, layout := range []string{"2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04:05",
		"2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02 15", "2006-01-02T15"} {
		if at, err := time.Parse(layout, text); err == nil {
			return float64(at.UnixMilli()), true
		}
	}
	return 0, false
}

// ticked is an axis from the first edge to the last, its ticks at edges of bins.
func ticked(kind string, edges []float64) object {
	x := valueOnly(kind)
	x["min"], x["max"], x["splitLine"] = edges[0], edges[len(edges)-1], object{"show": false}
	x["axisTick"] = object{"show": true, "lineStyle": object{"color": softColour}}
	if kind == "value" {
		x["ticks"] = edges
		numbered(x, edges[0], edges[len(edges)-1])
	}
	return x
}

// touching draws bars between their edges.
func touching(list []bar, edges []float64, many, kind string) picture {
	x, y := ticked(kind, edges), valueOnly("value")
	y["min"] = 0
	items, ranges := make([]object, len(list)), make([][]any, len(list))
	for i, b := range list {
		items[i] = object{"value": []any{edges[i], edges[i+1], value(b.value, 0), flag(b.hatched)},
			"says": b.says}
		ranges[i] = []any{edges[i]/2 + edges[i+1]/2, b.low, b.high}
	}
	return picture{tall: true, height: 320, plot: object{
		"grid":    grid(),
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x, "yAxis": y,
		"series": drawnBars(many, "bin", "errorBar", items, ranges,
			object{"x": []int{0, 1}, "y": 2}, object{"encode": object{"x": 0, "y": []int{1, 2}}}),
	}}
}

// outlined draws values as steps with a band.
func outlined(list []bar, edges []float64, name, kind string) picture {
	y := valueOnly("value")
	y["min"] = 0
	x := valueOnly("category")
	at := func(i int) []any { return []any{i} }
	if edges != nil {
		x = ticked(kind, edges)
		at = func(i int) []any { return []any{edges[i], edges[i+1]} } // flat over the bin
	} else {
		names := make([]string, len(list))
		for i, b := range list {
			names[i] = b.name
		}
		x["data"] = names
	}
	var line, low, height [][]any
	for i, b := range list {
		for _, place := range at(i) {
			line = append(line, []any{place, value(b.value, 0)})
			low = append(low, []any{place, b.low})
			height = append(height, []any{place, b.high - b.low})
		}
	}
	series := band(name, line, low, height)
	for _, s := range series {
		s["showSymbol"], s["stackStrategy"] = false, "all"
		if edges == nil {
			s["step"] = "middle"
		}
	}
	series[2]["areaStyle"] = object{"color": accentColour, "opacity": 0.12}
	return picture{tall: true, height: 320, plot: object{
		"grid":    grid(),
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x, "yAxis": y, "series": series,
	}}
}

func (histogramView) figures(r *task.Release) (list []figure) {
	h := r.Answer.Result.(*task.Histogram)
	for _, b := range h.Bins {
		list = append(list,
			figure{b.Label, message.Grouped(b.Count) + " ± " + message.Grouped(h.Error)})
	}
	return list
}

// compare lays the outlines of the releases over one another, on the axis on which the bars of one
// stand; bars of categories stand side by side, where there is room.
func (histogramView) compare(chosen []*session.Past) (object, bool) {
	if !sameFigures(chosen) {
		return nil, false
	}
	_, many := nounOf(chosen[0].Release)
	edges, kind := edgesOf(chosen[0].Release.Answer.Result.(*task.Histogram))
	bins := len(chosen[0].Release.Answer.Result.(*task.Histogram).Bins)
	if edges == nil && bins <= mostBars {
		var names []string
		values := make([][]any, len(chosen))
		for i, p := range chosen {
			names = nil
			for _, b := range p.Release.Answer.Result.(*task.Histogram).Bins {
				names, values[i] = append(names, b.Label), append(values[i], max(b.Count, 0))
			}
		}
		return comparedBars(chosen, chosen[0].Release.Plan.Column, many, names, values), true
	}
	var lines []object
	var o object
	for i, p := range chosen {
		list := barsOf(p.Release, many)
		o = outlined(list, edges, many, kind).plot
		lines = append(lines, comparedLine(o["series"].([]object), i, p))
	}
	o["series"] = lines
	named(o["xAxis"].(object), column(chosen[0].Release))
	o["yAxis"].(object)["name"] = many
	return legend(o), true
}
