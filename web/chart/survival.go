package chart

import (
	"fmt"

	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// survivalView shows a survival curve.
type survivalView struct{}

// picture draws each curve as steps, with its band; groups are told apart by colour and dashes.
func (survivalView) picture(r *task.Release) plot.Picture {
	s := r.Answer.Result.(*task.Survival)
	values := []string{r.Recipe.Domain.Lo}
	for _, p := range s.Curves[0].Points {
		values = append(values, p.Value)
	}
	x, place := plot.ValueAxis(r.Recipe.Domain.Kind, "", values)
	delete(x, "name")
	y := plot.ValueOnly("value")
	y["min"], y["max"] = 0, 100
	start := place(0)
	var series []object
	for i, c := range s.Curves {
		line, low, height := [][]any{{start, 100.0}}, [][]any{{start, 100.0}}, [][]any{{start, 0.0}}
		for i, p := range c.Points {
			at := place(i + 1)
			line = append(line, []any{at, p.Free})
			low = append(low, []any{at, p.Low})
			height = append(height, []any{at, p.High - p.Low})
		}
		name := c.Group
		if name == "" {
			name = say.Text("% still without it")
		}
		banded := plot.Band(name, line, low, height)
		for _, one := range banded {
			one["step"] = "end" // it stays until the next time at which it was measured
			if len(s.Curves) > 1 {
				ofGroup(i, one)
			}
		}
		if len(s.Curves) > mostBands {
			banded = banded[2:]
		}
		series = append(series, banded...)
	}
	o := object{
		"grid":    object{"left": 8, "right": 24, "top": 32, "bottom": 8, "containLabel": true},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x,
		"yAxis":   y,
		"series":  series,
	}
	bars := say.Text("The band shows the range that holds in 95 of 100 releases.")
	if len(s.Curves) > 1 {
		var names []string
		for _, c := range s.Curves {
			names = append(names, c.Group)
		}
		o = legend(o)
		o["legend"].(object)["data"] = names // not of the bands
	}
	if len(s.Curves) > mostBands {
		bars = say.Text("The table has the range of each.")
	}
	return plot.Picture{Tall: true, Unit: say.Format("%% still without “%s”", s.Event),
		Axis: plot.WithUnit(column(r), r.Recipe.Unit),
		What: say.Format("Part still without “%s”, by %s", s.Event, r.Plan.Column),
		Bars: bars, Plot: o}
}

// mostBands is how many curves are drawn with their bands: more would hide one another.
const mostBands = 4

// ofGroup gives a part of a curve the colour and the dashes of its group.
func ofGroup(i int, part object) {
	if part["stack"] == nil {
		penned(i, part)
		return
	}
	part["stack"] = fmt.Sprint("band ", i)
	if part["areaStyle"] != nil {
		part["areaStyle"] = object{"color": comparedColour(i), "opacity": 0.18}
	}
}

func (survivalView) figures(r *task.Release) (list []Figure) {
	s := r.Answer.Result.(*task.Survival)
	if high, low, at := s.Apart(); high != nil {
		p, q := high.Points[at], low.Points[at]
		list = append(list, Figure{say.Format("Clearest difference, at %s", p.Value),
			say.Format("%s less %s: %.1f to %.1f points", high.Group, low.Group, p.Low-q.High,
				p.High-q.Low)})
	}
	for _, c := range s.Curves {
		named := func(text string) string {
			if c.Group == "" {
				return text
			}
			return say.Format("%s, %s", c.Group, text)
		}
		last := c.Points[len(c.Points)-1]
		list = append(list, Figure{named(say.Format("still without it at %s", last.Value)),
			fmt.Sprintf("%.1f %% (%.1f to %.1f %%)", last.Free, last.Low, last.High)})
		if text := halfway(r, c); text != "" {
			list = append(list, Figure{named(say.Text("half are still without it at")), text})
		}
	}
	return list
}

// halfway is the time at which a curve falls to one half, with its range; empty: it does not.
func halfway(r *task.Release, c task.SurvivalCurve) string {
	low, about, high := c.Median(r.Recipe.Domain.Lo)
	switch {
	case about == "":
		return ""
	case high == "":
		return say.Format("%s (not before %s)", about, low)
	}
	return say.Format("%s (%s to %s)", about, low, high)
}
