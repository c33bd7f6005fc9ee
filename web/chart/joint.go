package chart

import (
	"hush/core/task"
	"hush/web/chart/plot"
)

// jointView shows all pairs of columns in one heat map, as the made-up rows have them.
type jointView struct{}

func (jointView) picture(r *task.Release) plot.Picture {
	t := r.Answer.Result.(*task.Joint)
	_, many := nounOf(r)
	p := pairs(t.Axes, t.Of, many)
	p.What = byAxes(t.Axes, many)
	return p
}

func (jointView) figures(r *task.Release) []Figure {
	return cellFigures(r.Answer.Result.(*task.Joint).Tables())
}
