package chart

import (
	"hush/core/message"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// mediansView shows the medians of groups.
type mediansView struct{}

// picture is a point for each group on the scale of the values, if they are numbers or times;
// otherwise a bar for the group's size, with its median in its name. A median's error is in people,
// and not a distance on this axis.
func (mediansView) picture(r *task.Release) (p plot.Picture) {
	m := r.Answer.Result.(*task.Medians)
	_, many := nounOf(r)
	lo, hi, scaled := bounds(r.Recipe.Domain)
	name := say.Format("median of %s", r.Plan.Column)
	var list []plot.Bar
	hatched := false
	for i, row := range m.Rows {
		group := m.GroupName(say.Language(), i)
		b := plot.Bar{Name: group, Hatched: r.Verdict != nil && noisy(r, i, 0, 0),
			Says: group + "\n" + plot.Written(row.Value) + "\n" +
				message.Grouped(row.Size) + " " + many}
		hatched = hatched || b.Hatched
		at, ok := LeadingNumber(row.Value)
		if !ok || !scaled {
			low, high := m.Band(row)
			b.Name += ": " + row.Value
			b.Value, b.Low, b.High = float64(row.Size), float64(low), float64(high)
			scaled = false
		} else {
			b.Value, b.Low, b.High = at, 1, 0 // no range
		}
		list = append(list, b)
	}
	if scaled {
		p = plot.Dots(name, list, lo, hi)
		p.Axis = plot.WithUnit(name, r.Recipe.Unit)
	} else {
		p = plot.LyingBars(many, list, 0, float64(m.People))
		p.Axis, p.Bars = many, plot.ErrorBars()
	}
	p.Hatched, p.What = hatched, say.Format("%s, by group", task.Capital(name))
	return p
}

func (mediansView) figures(r *task.Release) (list []Figure) {
	m := r.Answer.Result.(*task.Medians)
	for i, row := range m.Rows {
		list = append(list, Figure{m.GroupName(say.Language(), i), row.Value})
	}
	return list
}
