package chart

import (
	"fmt"

	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// survivalView shows a survival curve.
type survivalView struct{}

// picture draws the curve as steps, with its band.
func (survivalView) picture(r *task.Release) plot.Picture {
	s := r.Answer.Result.(*task.Survival)
	values := []string{r.Recipe.Domain.Lo}
	for _, p := range s.Points {
		values = append(values, p.Value)
	}
	x, place := plot.ValueAxis(r.Recipe.Domain.Kind, "", values)
	delete(x, "name")
	y := plot.ValueOnly("value")
	y["min"], y["max"] = 0, 100
	start := place(0)
	line, low, height := [][]any{{start, 100.0}}, [][]any{{start, 100.0}}, [][]any{{start, 0.0}}
	for i, p := range s.Points {
		at := place(i + 1)
		line = append(line, []any{at, p.Free})
		low = append(low, []any{at, p.Low})
		height = append(height, []any{at, p.High - p.Low})
	}
	series := plot.Band(say.Text("% still without it"), line, low, height)
	for _, one := range series {
		one["step"] = "end" // it stays until the next time at which it was measured
	}
	return plot.Picture{Tall: true, Unit: say.Format("%% still without “%s”", s.Event),
		Axis: plot.WithUnit(column(r), r.Recipe.Unit),
		What: say.Format("Part still without “%s”, by %s", s.Event, r.Plan.Column),
		Bars: say.Text("The band shows the range that holds in 95 of 100 releases."),
		Plot: object{
			"grid":    object{"left": 8, "right": 24, "top": 32, "bottom": 8, "containLabel": true},
			"tooltip": object{"trigger": "item", "renderMode": "richText"},
			"xAxis":   x,
			"yAxis":   y,
			"series":  series,
		}}
}

func (survivalView) figures(r *task.Release) []Figure {
	s := r.Answer.Result.(*task.Survival)
	last := s.Points[len(s.Points)-1]
	list := []Figure{{say.Format("Still without it at %s", last.Value),
		fmt.Sprintf("%.1f %% (%.1f to %.1f %%)", last.Free, last.Low, last.High)}}
	if _, half, _ := s.Median(); half != "" {
		list = append(list, Figure{say.Text("Half are still without it at"), half})
	}
	return list
}
