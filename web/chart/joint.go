package chart

import (
	"encoding/json"

	"hush/core/message"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// jointView shows all pairs of columns in one heat map, according to the made-up rows.
type jointView struct{}

func (jointView) picture(r *task.Release) plot.Picture {
	t := r.Answer.Result.(*task.Joint)
	_, many := nounOf(r)
	p := pairs(t.Axes, t.Of, many)
	p.What = byAxes(t.Axes, many)
	return p
}

// Beside draws a table of made-up rows as bars, and the released table as its intervals.
func Beside(r *task.Release, t *task.ContingencyTable) (option json.RawMessage, tall bool) {
	_, many := nounOf(r)
	var list []plot.Bar
	for cell, count := range t.Counts[:min(len(t.Counts), plot.MostInHeatMap)] {
		name, released := t.CellName(cell), t.Raw[cell]
		low, high := float64(released-t.CellError()), float64(released+t.CellError())
		list = append(list, plot.Bar{Name: name, Value: float64(count), Low: low, High: high,
			Says: plot.Said(name, say.Format("made up: %s %s", message.Grouped(count), many),
				plot.Number(low), plot.Number(high))})
	}
	p := counts(r, list, many)
	p.Plot["animation"] = false
	p.Bars = say.Text("Bars are made up. The lines are what was released, with its error.")
	p.What = byAxes(t.Axes, many)
	return worded(p, r, plot.Text{}), p.Tall
}

func (jointView) figures(r *task.Release) []Figure {
	return cellFigures(r.Answer.Result.(*task.Joint).Tables())
}
