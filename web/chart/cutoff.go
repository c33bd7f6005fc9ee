package chart

import (
	"hush/core/message"
	"hush/core/task"
	"hush/web/say"
)

// cutoffView shows a rule and the accuracy of every cut-off.
type cutoffView struct{}

// chart draws the accuracy by cut-off with its band and the cut-off released; without a curve, how
// many more mistakes there may be.
func (cutoffView) chart(r *task.Release) (object, bool) {
	c := r.Answer.Result.(*task.Cutoff)
	if len(c.Curve) == 0 {
		return bandChart(say.Text("people more answered wrongly than by the best cut-off"),
			[2]int64{0, max(2*c.Extra, 1)}, [2]int64{0, c.Extra},
			object{"name": say.Text("cut-off"), "symbolSize": 1,
				"data": []object{{"name": c.Rule, "value": []float64{float64(c.Extra) / 2, 0}}},
				"label": object{"show": true, "position": "top", "formatter": "{b}",
					"color": inkColour, "fontSize": 16, "fontWeight": 600}}), false
	}
	values := make([]string, len(c.Curve))
	for i, p := range c.Curve {
		values[i] = p.Value
	}
	x, place := valueAxis(r.Recipe.Domain.Kind, say.Format("cut-off of %s", r.Plan.Column), values)
	y := upward(say.Text("% answered rightly"))
	y["min"], y["max"] = 0, 100
	var line, low, height [][]any
	var chosen []object
	for i, p := range c.Curve {
		at := place(i)
		line = append(line, []any{at, p.Right})
		low = append(low, []any{at, p.Low})
		height = append(height, []any{at, p.High - p.Low})
		if p.Chosen && at != nil {
			chosen = append(chosen, object{"xAxis": at, "name": c.Rule})
		}
	}
	series := band(say.Text("% answered rightly"), line, low, height)
	series[2]["markLine"] = object{"silent": true, "symbol": "none",
		"lineStyle": object{"color": inkColour, "type": "solid", "width": 2},
		"label": object{"formatter": "{b}", "color": inkColour, "fontWeight": 600,
			"position": "end"}, "data": chosen}
	return object{
		"grid":    object{"left": 8, "right": 24, "top": 56, "bottom": 36, "containLabel": true},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x,
		"yAxis":   y,
		"series":  series,
	}, true
}

func (cutoffView) figures(r *task.Release) []figure {
	c := r.Answer.Result.(*task.Cutoff)
	list := []figure{
		{say.Text("Cut-off"),
			say.Format("%s (at most %s people more answered wrongly than by the best)", c.Rule,
				message.Grouped(c.Extra))}}
	for _, p := range c.Curve {
		if p.Chosen {
			list = append(list,
				figure{say.Text("Answered rightly"),
					say.Format("%.1f %% (%.1f to %.1f %%)", p.Right, p.Low, p.High)})
		}
	}
	return list
}
