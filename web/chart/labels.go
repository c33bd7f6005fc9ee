package chart

import (
	"math"
	"strconv"

	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// labelsView shows the labels of cases, and the rule.
type labelsView struct{}

// picture draws cases with two numbers as points, one colour for each label, and other cases as
// numbers of cases by label.
func (v labelsView) picture(r *task.Release) plot.Picture {
	l := r.Answer.Result.(*task.Labels)
	names := []string{l.Outcome[0], l.Outcome[1], say.Text("votes too close")}
	if points, ok := v.points(l); ok {
		x, y := plot.ValueOnly("value"), plot.ValueOnly("value")
		x["scale"], y["scale"] = true, true
		var series []object
		for i, name := range names {
			if i == 2 && l.Without == 0 {
				break
			}
			series = append(series,
				object{"type": "scatter", "name": name,
					"symbol": []string{"circle", "emptyCircle", "triangle"}[i], "symbolSize": 9,
					"data":      points[i],
					"itemStyle": object{"color": []string{plot.Accent, plot.Ink, plot.Ink}[i]}})
		}
		return plot.Picture{Tall: true, Axis: l.Features[0], Unit: l.Features[1], Plot: object{
			"grid":    object{"left": 8, "right": 24, "top": 40, "bottom": 8, "containLabel": true},
			"legend":  object{"top": 0, "textStyle": object{"color": plot.Ink}},
			"tooltip": object{"trigger": "item", "renderMode": "richText"},
			"xAxis":   x,
			"yAxis":   y,
			"series":  series,
		}}
	}
	counts := []int{l.Yes, l.No, l.Without}
	if l.Without == 0 {
		names, counts = names[:2], counts[:2]
	}
	var list []plot.Bar
	for i, n := range counts {
		// no range: low is above high
		list = append(list, plot.Bar{Name: names[i], Value: float64(n), Low: 1,
			Says: plot.Said(names[i], plot.Number(float64(n)), "", "")})
	}
	p := plot.LyingBars(say.Text("cases"), list, 0, math.Inf(1))
	p.Axis = say.Text("cases")
	return p
}

// points returns the cases with the first, the second and no label, if they have two numbers each.
func (labelsView) points(l *task.Labels) (points [3][][2]float64, ok bool) {
	if len(l.Features) != 2 {
		return points, false
	}
	for i := range points {
		points[i] = [][2]float64{}
	}
	for _, c := range l.Cases {
		x, err := strconv.ParseFloat(c.Values[0], 64)
		if err != nil {
			return points, false
		}
		y, err := strconv.ParseFloat(c.Values[1], 64)
		if err != nil {
			return points, false
		}
		at := 1
		switch c.Label {
		case l.Outcome[0]:
			at = 0
		case "":
			at = 2
		}
		points[at] = append(points[at], [2]float64{x, y})
	}
	return points, true
}

func (labelsView) figures(r *task.Release) (list []Figure) {
	l := r.Answer.Result.(*task.Labels)
	if l.Rule != "" {
		list = append(list,
			Figure{
				say.Text("Rule"),
				say.Format("%s (at most %s more mislabelled than by the best)", l.Rule,
					howMany(r, l.Extra))})
	}
	list = append(list, Figure{l.Outcome[0], say.Format("%d cases", l.Yes)},
		Figure{l.Outcome[1], say.Format("%d cases", l.No)})
	if l.Without > 0 {
		list = append(list, Figure{say.Text("Votes too close"), say.Format("%d cases", l.Without)})
	}
	return list
}
