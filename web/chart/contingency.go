package chart

import (
	"math"
	"strings"

	"hush/core/message"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// contingencyView shows the counts of a table: bars for one column, small histograms of bins by
// group, and a heat table for anything else.
type contingencyView struct{}

// mostPanels is the number of panels that fit below one another.
const mostPanels = 8

func (contingencyView) picture(r *task.Release) (p plot.Picture) {
	t := r.Answer.Result.(*task.ContingencyTable)
	_, many := nounOf(r)
	bins := -1 // the axis of bins, if there are two axes and the other one has few places
	if len(t.Axes) == 2 {
		for i, a := range t.Axes {
			if a.Bins() && !t.Axes[1-i].Bins() && len(t.Axes[1-i].Places) <= mostPanels {
				bins = i
			}
		}
	}
	switch {
	case len(t.Axes) == 1:
		p = oneAxis(r, t, many)
	case bins >= 0:
		p = panels(r, t, bins, many)
	default:
		p = heatTable(r, t, many)
	}
	p.What = byAxes(t.Axes, many)
	if !t.Whole { // how many they are must not be shown
		p.Left = say.Format("%s without a value are in no cell.", task.Capital(many))
	}
	return p
}

// byAxes names the subject of tables with these axes.
func byAxes(axes []task.Axis, many string) string {
	return say.Format("%s by %s", task.Capital(many), strings.Join(task.AxisNames(axes), ", "))
}

// barOf is the bar of a cell.
func barOf(r *task.Release, t *task.ContingencyTable, cell int, name, many string) plot.Bar {
	c := t.Count(cell)
	b := plot.Bar{Name: name, Value: c.Value, Low: c.Low, High: c.High,
		Hatched: noisy(r, cell, c.Value, c.High-c.Value)}
	b.Says = plot.Said(name, message.Grouped(int64(c.Value))+" "+many, plot.Number(c.Low),
		plot.Number(c.High))
	return b
}

// oneAxis draws bars: touching if they are bins, otherwise in order of their size.
func oneAxis(r *task.Release, t *task.ContingencyTable, many string) plot.Picture {
	axis := t.Axes[0]
	var list []plot.Bar
	for cell, place := range axis.Places {
		list = append(list, barOf(r, t, cell, place.Label, many))
	}
	edges, kind := axisEdges(axis)
	return countBars(list, edges, kind, plot.WithUnit(axis.Column, axis.Unit), many, !axis.Bins())
}

// axisEdges returns where the bins of an axis begin, and where the last one ends; nil if they are
// not bins of numbers or times, or if there is a place for people without a value.
func axisEdges(a task.Axis) (edges []float64, kind string) {
	h := &task.Histogram{}
	for _, p := range a.Places {
		if p.From == "" {
			return nil, ""
		}
		h.Bins = append(h.Bins, task.Bin{Label: p.Label, From: p.From, To: p.To})
	}
	return edgesOf(h)
}

// panels draws a histogram for each place of the other axis, below one another and to the same
// scale: small multiples.
func panels(r *task.Release, t *task.ContingencyTable, bins int, many string) plot.Picture {
	const panel, gap = 96, 62
	other := t.Axes[1-bins]
	edges, kind := axisEdges(t.Axes[bins])
	top := 1.0
	for cell := range t.Counts {
		top = max(top, t.Count(cell).High)
	}
	p := plot.Picture{Tall: true, Height: len(other.Places)*(panel+gap) + 24, Unit: many,
		Axis: plot.WithUnit(t.Axes[bins].Column, t.Axes[bins].Unit), Bars: plot.ErrorBars()}
	var grids, xs, ys, series []object
	for i, place := range other.Places {
		var list []plot.Bar
		for k, bin := range t.Axes[bins].Places {
			at := []int{i, k}
			if bins == 0 {
				at = []int{k, i}
			}
			b := barOf(r, t, at[0]*len(t.Axes[1].Places)+at[1], bin.Label, many)
			p.Hatched = p.Hatched || b.Hatched
			list = append(list, b)
		}
		var one plot.Picture
		if edges != nil {
			one = plot.Touching(list, edges, many, kind)
		} else {
			one = plot.Standing(many, list, 0, math.Inf(1), false)
			if one.Rows != nil { // too many names to stand upright
				return heatTable(r, t, many)
			}
		}
		x, y := one.Plot["xAxis"].(object), one.Plot["yAxis"].(object)
		x["gridIndex"], y["gridIndex"], y["max"] = i, i, top
		y["splitNumber"] = 2
		y["axisLabel"].(object)["showMaxLabel"] = false // it is not a round number
		grids = append(grids, object{"left": 56, "right": 24, "top": i*(panel+gap) + 26,
			"height": panel})
		y["name"], y["nameGap"] = plot.Shortened(place.Label, plot.Longest), 8
		y["nameTextStyle"] = object{"color": plot.Ink, "fontWeight": 600, "align": "left"}
		xs, ys = append(xs, x), append(ys, y)
		for _, s := range one.Plot["series"].([]object) {
			s["xAxisIndex"], s["yAxisIndex"] = i, i
			series = append(series, s)
		}
	}
	p.Plot = object{"grid": grids, "xAxis": xs, "yAxis": ys, "series": series,
		"tooltip": object{"trigger": "item", "renderMode": "richText"}}
	return p
}

// heatTable colours the cells: a column for each place on the last axis, and a row for each
// combination on the others, as many as can be read.
func heatTable(r *task.Release, t *task.ContingencyTable, many string) plot.Picture {
	last := t.Axes[len(t.Axes)-1]
	columns := make([]string, len(last.Places))
	for i, p := range last.Places {
		columns[i] = p.Label
	}
	rows := t.RowNames(plot.MostInHeatMap)
	shown := min(len(columns), plot.MostInHeatMap)
	var cells []plot.HeatCell
	for y := range rows {
		for x := range shown {
			cell := y*len(columns) + x
			if c := t.Count(cell); !t.CannotBe(cell) {
				cells = append(cells, plot.HeatCell{X: x, Y: y, Count: max(c.Value, 0),
					Hatched: noisy(r, cell, c.Value, c.High-c.Value)})
			}
		}
	}
	var titles []string
	for _, axis := range t.Axes[:len(t.Axes)-1] {
		titles = append(titles, plot.WithUnit(axis.Column, axis.Unit))
	}
	return plot.TableMap(columns[:shown], rows, many, strings.Join(titles, " · "),
		plot.WithUnit(last.Column, last.Unit), cells)
}

func (contingencyView) figures(r *task.Release) (list []Figure) {
	t := r.Answer.Result.(*task.ContingencyTable)
	for cell := range t.Counts[:min(len(t.Counts), 60)] {
		list = append(list, cellFigure(t, cell))
	}
	return list
}

// cellFigure is the count of a cell.
func cellFigure(t *task.ContingencyTable, cell int) Figure {
	c := t.Count(cell)
	return Figure{t.CellName(cell), message.Grouped(int64(c.Value)) + " ± " +
		message.Grouped(int64(math.Ceil(c.High-c.Value)))}
}
