package chart

import (
	"fmt"

	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
	"hush/web/state/session"
)

// distributionView shows a distribution function as a rising line with its band, and answers
// questions about it.
type distributionView struct{}

// picture draws, at each point, where the line arrives and where it continues.
func (distributionView) picture(r *task.Release) plot.Picture {
	d := r.Answer.Result.(*task.Distribution)
	values := make([]string, len(d.Points))
	for i, p := range d.Points {
		values[i] = p.Value
	}
	x, place := plot.ValueAxis(r.Recipe.Domain.Kind, r.Plan.Column, values)
	_, many := nounOf(r)
	y := plot.ValueOnly("value")
	delete(x, "name")
	top := float64(r.Plan.People)
	y["min"] = 0
	var line, low, height [][]any
	off := float64(d.Error)
	for i, p := range d.Points {
		for _, count := range []float64{p.Below, p.UpTo} {
			at, from := place(i), max(count-off, 0)
			line = append(line, []any{at, count})
			low = append(low, []any{at, from})
			height = append(height, []any{at, max(min(count+off, max(top, count)), from) - from})
		}
	}
	return plot.Picture{Tall: true, Axis: column(r), Unit: say.Format("%s at or below", many),
		What: say.Format("How many %s are at or below each %s", many, r.Plan.Column),
		Bars: say.Text("The band shows the range that holds in 95 of 100 releases."),
		Plot: object{
			"grid":    object{"left": 8, "right": 24, "top": 8, "bottom": 8, "containLabel": true},
			"tooltip": object{"trigger": "item", "renderMode": "richText"},
			"xAxis":   x,
			"yAxis":   y,
			"series":  plot.Band(r.Plan.Column, line, low, height),
		}}
}

func (distributionView) figures(r *task.Release) (list []Figure) {
	d := r.Answer.Result.(*task.Distribution)
	for _, percent := range []int{10, 25, 50, 75, 90} {
		list = append(list,
			Figure{fmt.Sprintf("%d %%", percent),
				say.Format("%s (± %s)",
					d.At(say.Language(), r.Recipe.Domain, float64(percent)/100),
					howMany(r, d.Error))})
	}
	return list
}

// compare draws the function of each release as a line.
func (v distributionView) compare(chosen []*session.Past) (object, bool) {
	var series []any
	var o object
	for i, p := range chosen {
		if p.Release.Recipe.Domain.Kind != chosen[0].Release.Recipe.Domain.Kind {
			return nil, false
		}
		o = v.picture(p.Release).Plot
		if x := o["xAxis"].(object); x["type"] == "category" {
			return nil, false // each has positions of its own
		}
		series = append(series, comparedLine(o["series"].([]object), i, p))
	}
	o["series"] = series
	_, many := nounOf(chosen[0].Release)
	named(o["xAxis"].(object), chosen[0].Release.Plan.Column)
	o["yAxis"].(object)["name"] = say.Format("%s at or below", many)
	return aside(o), true
}
