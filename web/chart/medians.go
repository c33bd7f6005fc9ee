package chart

import (
	"hush/core/message"
	"hush/core/task"
	"hush/web/say"
)

// mediansView shows the medians of groups.
type mediansView struct{}

// picture is a point for each group on the scale of the values, where they are numbers or times;
// else a bar for how many are in it, with its median in its name. A median's error is in people,
// and no place on this axis.
func (mediansView) picture(r *task.Release) (p picture) {
	m := r.Answer.Result.(*task.Medians)
	_, many := nounOf(r)
	lo, hi, scaled := bounds(r.Recipe.Domain)
	name := say.Format("median of %s", r.Plan.Column)
	var list []bar
	hatched := false
	for i, row := range m.Rows {
		group := m.GroupName(say.Language(), i)
		b := bar{name: group, hatched: r.Verdict != nil && noisy(r, i, 0, 0),
			says: group + "\n" + written(row.Value) + "\n" + message.Grouped(row.Size) + " " + many}
		hatched = hatched || b.hatched
		at, ok := LeadingNumber(row.Value)
		if !ok || !scaled {
			low, high := m.Band(row)
			b.name += ": " + row.Value
			b.value, b.low, b.high = float64(row.Size), float64(low), float64(high)
			scaled = false
		} else {
			b.value, b.low, b.high = at, 1, 0 // no range
		}
		list = append(list, b)
	}
	if scaled {
		p = dots(name, list, lo, hi)
		p.axis = withUnit(name, r.Recipe.Unit)
	} else {
		p = lyingBars(many, list, 0, float64(m.People))
		p.axis, p.bars = many, errorBars()
	}
	p.hatched, p.what = hatched, say.Format("%s, by group", task.Capital(name))
	return p
}

func (mediansView) figures(r *task.Release) (list []figure) {
	m := r.Answer.Result.(*task.Medians)
	for i, row := range m.Rows {
		list = append(list, figure{m.GroupName(say.Language(), i), row.Value})
	}
	return list
}
