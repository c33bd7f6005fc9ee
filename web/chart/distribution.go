package chart

import (
	"fmt"

	"hush/core/message"
	"hush/core/task"
	"hush/web/say"
	"hush/web/state"
)

// distributionView shows a distribution function as a rising line with its band, and answers
// questions about it.
type distributionView struct{}

// chart draws at each point where the line arrives and where it goes on.
func (distributionView) chart(r *task.Release) (object, bool) {
	d := r.Answer.Result.(*task.Distribution)
	values := make([]string, len(d.Points))
	for i, p := range d.Points {
		values[i] = p.Value
	}
	x, place := valueAxis(r.Recipe.Domain.Kind, r.Plan.Column, values)
	y := upward(say.Text("people at or below"))
	y["min"] = 0
	var line, low, height [][]any
	off := float64(d.Error)
	for i, p := range d.Points {
		for _, count := range []float64{p.Below, p.UpTo} {
			at, from := place(i), max(count-off, 0)
			line = append(line, []any{at, count})
			low = append(low, []any{at, from})
			height = append(height, []any{at, count + off - from})
		}
	}
	return object{
		"grid":    object{"left": 8, "right": 24, "top": 56, "bottom": 36, "containLabel": true},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x,
		"yAxis":   y,
		"series":  band(r.Plan.Column, line, low, height),
	}, true
}

func (distributionView) figures(r *task.Release) (list []figure) {
	d := r.Answer.Result.(*task.Distribution)
	for _, percent := range []int{10, 25, 50, 75, 90} {
		list = append(list,
			figure{fmt.Sprintf("%d %%", percent),
				say.Format("%s (± %s people)",
					d.At(say.Language(), r.Recipe.Domain, float64(percent)/100),
					message.Grouped(d.Error))})
	}
	return list
}

// compare draws the function of each release as a line.
func (v distributionView) compare(chosen []*state.Past) (object, bool) {
	var series []any
	var o object
	for i, p := range chosen {
		if p.Release.Recipe.Domain.Kind != chosen[0].Release.Recipe.Domain.Kind {
			return nil, false
		}
		o, _ = v.chart(p.Release)
		if x := o["xAxis"].(object); x["type"] == "category" {
			return nil, false // each has places of its own
		}
		series = append(series, comparedLine(o["series"].([]object), i, p))
	}
	o["series"] = series
	return legend(o), true
}
