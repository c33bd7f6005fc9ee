package chart

import (
	"math"
	"slices"
	"strconv"
	"time"

	"hush/core/domain"
	"hush/core/message"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
	"hush/web/state/session"
)

// histogramView shows counts as bars.
type histogramView struct{}

// picture draws bars that touch on an axis of numbers or times, or bars with names, each with its
// error; an outline with a band if there are too many.
func (histogramView) picture(r *task.Release) plot.Picture {
	h := r.Answer.Result.(*task.Histogram)
	_, many := nounOf(r)
	edges, kind := edgesOf(h)
	p := countBars(barsOf(r, many), edges, kind, column(r), many,
		r.Recipe.Domain.Kind == domain.Category)
	p.What = say.Format("%s by %s", task.Capital(many), r.Plan.Column)
	if h.Width != "" {
		width := h.Width
		if r.Recipe.Unit != "" {
			width += " " + r.Recipe.Unit
		}
		p.What = say.Format("%s by %s, in bins of %s", task.Capital(many), r.Plan.Column, width)
	}
	return p
}

// countBars draws counts along an axis of numbers or times, if they have edges, or of names, which
// may be sorted by size; an outline with a band if there are too many.
func countBars(list []plot.Bar, edges []float64, kind, axis, many string,
	sorted bool) (p plot.Picture) {
	crowded := len(list) > plot.MostBars
	switch {
	case crowded:
		p = plot.Outlined(list, edges, many, kind)
	case edges == nil:
		p = plot.Standing(many, list, 0, math.Inf(1), sorted)
	default:
		p = plot.Touching(list, edges, many, kind)
	}
	p.Axis, p.Unit, p.Bars = axis, many, plot.ErrorBars()
	if p.Rows != nil { // the values are along the lower axis
		p.Axis, p.Unit = many, axis
	}
	if crowded {
		p.Bars = say.Text("The band shows the range that holds in 95 of 100 releases.")
		return p
	}
	p.Hatched = slices.ContainsFunc(list, func(b plot.Bar) bool { return b.Hatched })
	return p
}

// barsOf returns the bars of a histogram's bins.
func barsOf(r *task.Release, many string) (list []plot.Bar) {
	h := r.Answer.Result.(*task.Histogram)
	n, off := float64(r.Plan.People), float64(h.Error)
	for i, b := range h.Bins {
		count := float64(b.Count)
		one := plot.Bar{Name: b.Label, Value: count, Low: max(count-off, 0), High: count + off,
			Hatched: noisy(r, i, count, off)}
		if n > 0 {
			one.High = min(one.High, n)
		}
		one.High = max(one.High, 0)
		one.Low = min(one.Low, one.High)
		said := message.Grouped(b.Count) + " " + many
		one.Says = plot.Said(b.Label, said, plot.Number(min(one.Low, count)),
			plot.Number(max(one.High, count)))
		list = append(list, one)
	}
	return list
}

// edgesOf returns where bins begin, and where the last one ends, as numbers or milliseconds from
// 1970; nil if they have no edges, as categories do, or if a person chose unequal edges: a bar
// twice as wide would then look like twice as many people.
func edgesOf(h *task.Histogram) (edges []float64, kind string) {
	if len(h.Bins) == 0 || h.Cut {
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

// readTime reads a date or time in ISO 8601, as milliseconds from 1970, the unit of the axis.
func readTime(text string) (float64, bool) {
	for _, layout := range []string{"2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04:05",
		"2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02 15", "2006-01-02T15"} {
		if at, err := time.Parse(layout, text); err == nil {
			return float64(at.UnixMilli()), true
		}
	}
	return 0, false
}

func (histogramView) figures(r *task.Release) (list []Figure) {
	h := r.Answer.Result.(*task.Histogram)
	for _, b := range h.Bins {
		list = append(list,
			Figure{b.Label, message.Grouped(b.Count) + " ± " + message.Grouped(h.Error)})
	}
	return list
}

// compare draws the outlines of the releases over one another, on the axis that the bars of one
// have; bars of categories are drawn side by side, if there is room.
func (histogramView) compare(chosen []*session.Past) (object, bool) {
	if !sameFigures(chosen) {
		return nil, false
	}
	_, many := nounOf(chosen[0].Release)
	edges, kind := edgesOf(chosen[0].Release.Answer.Result.(*task.Histogram))
	bins := len(chosen[0].Release.Answer.Result.(*task.Histogram).Bins)
	if edges == nil && bins <= plot.MostBars {
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
		o = plot.Outlined(list, edges, many, kind).Plot
		lines = append(lines, comparedLine(o["series"].([]object), i, p))
	}
	o["series"] = lines
	named(o["xAxis"].(object), column(chosen[0].Release))
	o["yAxis"].(object)["name"] = many
	return aside(o), true
}
