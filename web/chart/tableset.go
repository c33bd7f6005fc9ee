package chart

import (
	"hush/core/ask"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// tableSetView shows several tables: all pairs of columns in one heat map, or bars if each column
// is counted separately.
type tableSetView struct{}

func (tableSetView) picture(r *task.Release) (p plot.Picture) {
	t := r.Answer.Result.(*task.TableSet)
	_, many := nounOf(r)
	if t.Together == 1 {
		var list []plot.Bar
		for _, one := range t.Tables() {
			for cell, place := range one.Axes[0].Places {
				list = append(list, barOf(r, one, cell, placeName(one.Axes[0], place), many))
				last := &list[len(list)-1]
				last.Hatched = ask.Judge(last.High-last.Value, last.Value) == ask.Noise
			}
		}
		list = list[:min(len(list), plot.MostInHeatMap)]
		p = counts(r, list, many)
	} else {
		p = pairs(t.Axes, t.Of, many)
	}
	p.What = byAxes(t.Axes, many)
	return p
}

// placeName names a place with its column.
func placeName(a task.Axis, p task.Place) string { return a.Column + " = " + p.Label }

// pairs is a heat map of the tables of any two columns, below a diagonal that shows each column
// alone.
func pairs(axes []task.Axis, tableOf func(columns ...int) *task.ContingencyTable,
	many string) plot.Picture {
	type spot struct{ axis, place int }
	var spots []spot
	var names []string
	for axis, a := range axes {
		for place, p := range a.Places {
			if len(spots) < plot.MostInHeatMap {
				spots, names = append(spots, spot{axis, place}), append(names, placeName(a, p))
			}
		}
	}
	tables := map[[2]int]*task.ContingencyTable{}
	var cells []plot.HeatCell
	for y, row := range spots {
		for x, column := range spots[:y+1] {
			if column.axis == row.axis && x != y {
				continue // nobody is in two places of a column
			}
			of := [2]int{column.axis, row.axis}
			if tables[of] == nil && x == y {
				tables[of] = tableOf(row.axis)
			} else if tables[of] == nil {
				tables[of] = tableOf(column.axis, row.axis)
			}
			if tables[of] == nil {
				continue // not measured
			}
			cell := row.place
			if x != y {
				cell += column.place * len(axes[row.axis].Places)
			}
			c := tables[of].Count(cell)
			cells = append(cells, plot.HeatCell{X: x, Y: y, Count: max(c.Value, 0),
				Hatched: ask.Judge(c.High-c.Value, c.Value) == ask.Noise})
		}
	}
	return plot.HeatMap(names, names, say.Format("%s with both", many), cells)
}

func (tableSetView) figures(r *task.Release) []Figure {
	return cellFigures(r.Answer.Result.(*task.TableSet).Tables())
}

// cellFigures returns the first cells of some tables.
func cellFigures(tables []*task.ContingencyTable) (list []Figure) {
	for _, one := range tables {
		for cell := range one.Counts[:min(len(one.Counts), 60-len(list))] {
			list = append(list, cellFigure(one, cell))
		}
	}
	return list
}
