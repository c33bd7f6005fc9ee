package chart

import (
	"strconv"

	"hush/core/domain"
	"hush/core/message"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// medianView shows one value with its rank.
type medianView struct{}

// picture draws the value on the range of all possible ones. Its error is one of ranks, which are
// no places on this scale: the note says it.
func (medianView) picture(r *task.Release) plot.Picture {
	m := r.Answer.Result.(*task.Median)
	_, many := nounOf(r)
	p := plot.Point{Name: say.Text("median"), Label: plot.Written(m.Value)}
	at, err := strconv.ParseFloat(m.Value, 64)
	if lo, hi, ok := bounds(r.Recipe.Domain); ok && err == nil {
		p.At, p.Lo, p.Hi, p.Known, p.Scaled = plot.Within(at, lo, hi), lo, hi, true, true
		if plot.Years(lo, hi) {
			p.Label = m.Value
		}
	}
	if spec := r.Recipe.Domain; spec.Kind == domain.Date || spec.Kind == domain.Timestamp {
		lo, ok1 := readTime(spec.Lo)
		hi, ok2 := readTime(spec.Hi)
		if at, ok := readTime(m.Value); ok && ok1 && ok2 && lo < hi {
			p.Kind, p.At, p.Lo, p.Hi = "time", plot.Within(at, lo, hi), lo, hi
			p.Known, p.Scaled = true, true
		}
	}
	if r.Recipe.Unit != "" && p.Known {
		p.Label += " " + r.Recipe.Unit
	}
	p.Label = beyond(r, m.Value, p.Label)
	p.Says = plot.Said(say.Text("median"), p.Label, "", "")
	drawn := plot.Alone(p)
	if p.Known {
		drawn.Axis = column(r)
	}
	drawn.What = say.Format("Median of %s", r.Plan.Column)
	drawn.Bars = say.Format(
		"In 95 of 100 releases the value is at most %s %s from the exact middle.",
		message.Grouped(m.RankError), many)
	return drawn
}

func (medianView) figures(r *task.Release) []Figure {
	m := r.Answer.Result.(*task.Median)
	return []Figure{{"50 %", say.Format("%s (± %s)", beyond(r, m.Value, m.Value),
		howMany(r, m.RankError))}}
}

// beyond is how a value is written where it is an end of a range as which others count.
func beyond(r *task.Release, value, written string) string {
	d := r.Recipe.Domain
	return task.BeyondRange(d, value).Of(say.Language(), d.Kind, written)
}
