package chart

import (
	"hush/core/message"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// cutoffView shows a rule and the accuracy of every cut-off.
type cutoffView struct{}

// picture draws the accuracy by cut-off with its band and the released cut-off; without a curve,
// the possible number of further mistakes.
func (cutoffView) picture(r *task.Release) plot.Picture {
	c := r.Answer.Result.(*task.Cutoff)
	_, many := nounOf(r)
	if len(c.Curve) == 0 {
		p := plot.Alone(plot.Point{Name: say.Text("cut-off"), Label: c.Rule, Says: c.Rule})
		p.What = say.Format("Cut-off of %s", r.Plan.Column)
		p.Bars = say.Format("In 95 of 100 releases it misclassifies at most %s %s more than the "+
			"best cut-off.",
			message.Grouped(c.Extra), many)
		return p
	}
	values := make([]string, len(c.Curve))
	for i, p := range c.Curve {
		values[i] = p.Value
	}
	x, place := plot.ValueAxis(r.Recipe.Domain.Kind, "", values)
	delete(x, "name")
	y := plot.ValueOnly("value")
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
	series := plot.Band(say.Text("% classified correctly"), line, low, height)
	series[2]["markLine"] = object{"silent": true, "symbol": "none",
		"lineStyle": object{"color": plot.Ink, "type": "solid", "width": 2},
		"label": object{"formatter": "{b}", "color": plot.Ink, "fontWeight": 600,
			"position": "end"}, "data": chosen}
	return plot.Picture{Tall: true, Unit: say.Text("% classified correctly"),
		Axis: say.Format("cut-off of %s", column(r)),
		What: say.Format("Accuracy by cut-off of %s", r.Plan.Column),
		Bars: say.Text("The band shows the range that holds in 95 of 100 releases."),
		Plot: object{
			"grid":    object{"left": 8, "right": 24, "top": 32, "bottom": 8, "containLabel": true},
			"tooltip": object{"trigger": "item", "renderMode": "richText"},
			"xAxis":   x,
			"yAxis":   y,
			"series":  series,
		}}
}

func (cutoffView) figures(r *task.Release) []Figure {
	c := r.Answer.Result.(*task.Cutoff)
	list := []Figure{
		{say.Text("Cut-off"),
			say.Format("%s (at most %s more misclassified than by the best)", c.Rule,
				howMany(r, c.Extra))}}
	for _, p := range c.Curve {
		if p.Chosen {
			list = append(list,
				Figure{say.Text("Classified correctly"),
					say.Format("%.1f %% (%.1f to %.1f %%)", p.Right, p.Low, p.High)})
		}
	}
	return list
}
