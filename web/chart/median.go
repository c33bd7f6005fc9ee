package chart

import (
	"strconv"

	"hush/core/domain"
	"hush/core/message"
	"hush/core/task"
	"hush/web/say"
)

// medianView shows one value with its rank.
type medianView struct{}

// picture draws the value on the range of all possible ones. Its error is one of ranks, which are
// no places on this scale: the note says it.
func (medianView) picture(r *task.Release) picture {
	m := r.Answer.Result.(*task.Median)
	_, many := nounOf(r)
	p := point{name: say.Text("median"), label: written(m.Value)}
	at, err := strconv.ParseFloat(m.Value, 64)
	if lo, hi, ok := bounds(r.Recipe.Domain); ok && err == nil {
		p.at, p.lo, p.hi, p.known, p.scaled = within(at, lo, hi), lo, hi, true, true
		if years(lo, hi) {
			p.label = m.Value
		}
	}
	if spec := r.Recipe.Domain; spec.Kind == domain.Date || spec.Kind == domain.Timestamp {
		lo, ok1 := readTime(spec.Lo)
		hi, ok2 := readTime(spec.Hi)
		if at, ok := readTime(m.Value); ok && ok1 && ok2 && lo < hi {
			p.kind, p.at, p.lo, p.hi, p.known, p.scaled = "time", within(at, lo, hi), lo, hi, true,
				true
		}
	}
	if r.Recipe.Unit != "" && p.known {
		p.label += " " + r.Recipe.Unit
	}
	p.says = said(say.Text("median"), p.label, "", "")
	drawn := alone(p)
	if p.known {
		drawn.axis = column(r)
	}
	drawn.what = say.Format("Median of %s", r.Plan.Column)
	drawn.bars = say.Format(
		"In 95 of 100 releases the value is at most %s %s from the exact middle.",
		message.Grouped(m.RankError), many)
	return drawn
}

func (medianView) figures(r *task.Release) []figure {
	m := r.Answer.Result.(*task.Median)
	return []figure{{"50 %", say.Format("%s (± %s)", m.Value, howMany(r, m.RankError))}}
}
