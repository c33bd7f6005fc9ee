package chart

import (
	"hush/core/message"
	"hush/core/task"
	"hush/web/say"
	"hush/web/state"
)

// histogramView shows counts as bars.
type histogramView struct{}

// mostBars have room beside one another, each with its error.
const mostBars = 120

// chart draws bars with 95 % error bars, or an outline with a band.
func (histogramView) chart(r *task.Release) (object, bool) {
	h := r.Answer.Result.(*task.Histogram)
	labels := make([]string, len(h.Bins))
	counts := make([]int64, len(h.Bins))
	ranges := make([][3]int64, len(h.Bins))
	for i, b := range h.Bins {
		labels[i], counts[i] = b.Label, b.Count
		ranges[i] = [3]int64{int64(i), b.Count - h.Error, b.Count + h.Error}
	}
	o := barChart(r.Plan.Column, say.Text("people"), labels, counts, ranges)
	if len(h.Bins) > mostBars {
		o["series"] = outline(say.Text("people"), ranges, counts)
		o["grid"].(object)["right"] = 48 // half of a label of the last bins
	}
	return o, true
}

// outline draws values as steps with a band; a range is [place, low, high].
func outline(name string, ranges [][3]int64, values []int64) []object {
	var line, low, height [][]any
	for i, r := range ranges {
		line = append(line, []any{r[0], values[i]})
		low, height = append(low, []any{r[0], r[1]}), append(height, []any{r[0], r[2] - r[1]})
	}
	series := band(name, line, low, height)
	for _, s := range series {
		s["step"], s["showSymbol"], s["stackStrategy"] = "middle", false, "all"
	}
	series[2]["areaStyle"] = object{"color": accentColour, "opacity": 0.12}
	return series
}

func (histogramView) figures(r *task.Release) (list []figure) {
	h := r.Answer.Result.(*task.Histogram)
	for _, b := range h.Bins {
		list = append(list,
			figure{b.Label, message.Grouped(b.Count) + " ± " + message.Grouped(h.Error)})
	}
	return list
}

// compare sets the bars of the releases side by side, or their outlines over one another.
func (v histogramView) compare(chosen []*state.Past) (object, bool) {
	if !sameFigures(chosen) {
		return nil, false
	}
	if len(chosen[0].Release.Answer.Result.(*task.Histogram).Bins) <= mostBars {
		return comparedBars(chosen), true
	}
	var lines []object
	var o object
	for i, p := range chosen {
		o, _ = v.chart(p.Release)
		lines = append(lines, comparedLine(o["series"].([]object), i, p))
	}
	o["series"] = lines
	return legend(o), true
}
