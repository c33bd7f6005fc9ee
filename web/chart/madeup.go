package chart

import (
	"hush/core/domain"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// madeUpView shows the distribution of each column, and makes up rows.
type madeUpView struct{}

const shortCategory = 10 // letters of a category beside its bar, with two columns side by side

// MostDrawn is the number of columns of made-up rows that are drawn.
const MostDrawn = 4 // columns in a chart; all are in the table

// picture draws the first columns, each separately: categories as bars, others as densities.
func (madeUpView) picture(r *task.Release) plot.Picture {
	columns := r.Answer.Result.(*task.MadeUp).Columns
	columns = columns[:min(len(columns), MostDrawn)]
	_, many := nounOf(r)
	var grids, across, along, series []object
	for i, c := range columns {
		x, y, s := madeUpColumn(c, r.Recipe.Others[i].Domain, many)
		x["gridIndex"], y["gridIndex"], s["xAxisIndex"], s["yAxisIndex"] = i, i, i, i
		grids, across, along, series = append(grids, placeOf(i, len(columns))), append(across, x),
			append(along, y), append(series, s)
	}
	return plot.Picture{Tall: true, Height: 400, Plot: object{"grid": grids,
		"tooltip": object{"trigger": "item", "renderMode": "richText"}, "xAxis": across,
		"yAxis": along, "series": series}}
}

// placeOf returns where the chart of column i of n stands: one above another, in two columns if
// there are more than two.
func placeOf(i, n int) object {
	o := object{"left": 8, "right": 24, "top": 36, "bottom": 44, "containLabel": true}
	if n > 2 {
		o["right"] = "53%"
		if i%2 == 1 {
			o["left"], o["right"] = "53%", 16
		}
		i, n = i/2, 2
	}
	if n == 2 {
		o["height"] = "28%"
		delete(o, "bottom")
		if i == 1 {
			o["top"] = "60%"
		}
	}
	return o
}

// madeUpColumn is the picture of one column.
func madeUpColumn(c task.MadeUpColumn, spec domain.Spec, many string) (x, y, series object) {
	y = plot.Axis("value", say.Format("%s per value", many))
	y["min"], y["splitNumber"], y["nameTextStyle"] = 0, 3,
		object{"color": plot.Soft, "align": "left"}
	column := plot.Shortened(c.Name, plot.ShortName)
	if spec.Kind == domain.Category {
		var names []string
		var people []float64
		for _, cell := range c.Density.Cells {
			name := plot.Shortened(cell.First, shortCategory)
			if cell.Last != cell.First {
				name += " " + say.Format("to %s", plot.Shortened(cell.Last, shortCategory))
			}
			names, people = append(names, name), append(people, cell.People)
		}
		x, y = y, plot.Axis("category", column) // lying, beside their names
		named(x, many)
		y["data"], y["inverse"], y["nameLocation"] = names, true, "start"
		y["axisLabel"] = object{"color": plot.Soft, "interval": 0}
		if len(names) > plot.ManyBars {
			delete(y["axisLabel"].(object), "interval") // as many as there is room for
		}
		return x, y,
			object{"type": "bar", "name": c.Name, "data": people,
				"itemStyle": object{"color": plot.Accent, "opacity": 1}, "barMaxWidth": 48}
	}
	var ends []string
	for _, cell := range c.Density.Cells {
		ends = append(ends, cell.First, cell.Last)
	}
	x, place := plot.ValueAxis(spec.Kind, column, ends)
	if from, to := c.Density.At(say.Language(), spec, 0.01),
		c.Density.At(say.Language(), spec, 0.99); from != to {
		_, end := plot.ValueAxis(spec.Kind, "", []string{from, to})
		if lo, hi := end(0), end(1); lo != nil && hi != nil {
			x["min"], x["max"] = lo, hi
		}
	}
	var pieces [][]any
	for i, cell := range c.Density.Cells {
		pieces = append(pieces, []any{place(2 * i), cell.Height},
			[]any{place(2*i + 1), cell.Height})
	}
	return x, y, object{"type": "line", "name": c.Name, "data": pieces, "showSymbol": false,
		"lineStyle": object{"color": plot.Accent, "width": 2},
		"itemStyle": object{"color": plot.Accent},
		"areaStyle": object{"color": plot.Accent, "opacity": 0.18}}
}

func (madeUpView) figures(r *task.Release) (list []Figure) {
	for i, c := range r.Answer.Result.(*task.MadeUp).Columns {
		if spec := r.Recipe.Others[i].Domain; spec.Kind != domain.Category {
			list = append(list,
				Figure{say.Format("%s, middle half", c.Name),
					say.Format("%s to %s", c.Density.At(say.Language(), spec, 0.25),
						c.Density.At(say.Language(), spec, 0.75))})
		}
	}
	return list
}
