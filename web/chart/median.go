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

// picture draws the value on the range of all possible ones, with its interval if it has one in the
// column's unit. Otherwise its error is in ranks, which are not distances on this scale: the note
// states it.
func (medianView) picture(r *task.Release) plot.Picture {
	m := r.Answer.Result.(*task.Median)
	_, many := nounOf(r)
	p := plot.Point{Name: say.Text("median"), Label: plot.Written(m.Value)}
	at, err := strconv.ParseFloat(m.Value, 64)
	if lo, hi, ok := bounds(r.Recipe.Domain); ok && err == nil {
		p.At, p.Lo, p.Hi, p.Known, p.Scaled = plot.Within(at, lo, hi), lo, hi, true, true
		p.Low, p.High, p.Ranged = ends(m.Span, func(text string) (float64, bool) {
			x, err := strconv.ParseFloat(text, 64)
			return x, err == nil
		})
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
			p.Low, p.High, p.Ranged = ends(m.Span, readTime)
		}
	}
	if p.Ranged {
		p.Lo, p.Hi = plot.Near(p.Lo, p.Hi, p.Low, p.High)
	}
	if r.Recipe.Unit != "" && p.Known {
		p.Label += " " + r.Recipe.Unit
	}
	p.Label = beyond(r, m.Value, p.Label)
	p.Says = plot.Said(say.Text("median"), p.Label, "", "")
	if m.Span != nil {
		p.Says = plot.Said(say.Text("median"), p.Label, plot.Written(m.Span.Low),
			plot.Written(m.Span.High))
	}
	drawn := plot.Alone(p)
	if p.Known {
		drawn.Axis = column(r)
	}
	drawn.What = say.Format("Median of %s", r.Plan.Column)
	drawn.Bars = say.Format(
		"In 95 of 100 releases the value is at most %s %s from the exact middle.",
		message.Grouped(m.RankError), many)
	if p.Ranged {
		drawn.Bars = plot.ErrorBars()
	}
	return drawn
}

// ends returns the ends of an interval of values as numbers; false if there is none.
func ends(s *task.Span, read func(text string) (float64, bool)) (low, high float64, ok bool) {
	if s == nil {
		return 0, 0, false
	}
	low, isLow := read(s.Low)
	high, isHigh := read(s.High)
	return low, high, isLow && isHigh
}

// spanned writes a value with its interval; false if it has none.
func spanned(r *task.Release, value string, s *task.Span) (text string, ok bool) {
	if s == nil {
		return "", false
	}
	return say.Format("%s (%s)", beyond(r, value, value),
		s.Written(say.Language(), r.Recipe.Domain, s.Low, s.High)), true
}

// Range is an answer's range in its column's unit: of several quantiles that of the middle one,
// with its part of the people. It is empty where the answer has none.
func Range(r *task.Release) string {
	switch a := r.Answer.Result.(type) {
	case *task.Median:
		return rangeOf(r, a.Span)
	case *task.Quantiles:
		middle := a.Rows[len(a.Rows)/2]
		if text := rangeOf(r, middle.Span); text != "" {
			return middle.Part + ": " + text
		}
	}
	return ""
}

func rangeOf(r *task.Release, s *task.Span) string {
	if s == nil {
		return ""
	}
	low, high := plot.Written(s.Low), plot.Written(s.High)
	if lo, hi, ok := bounds(r.Recipe.Domain); ok && plot.Years(lo, hi) {
		low, high = s.Low, s.High
	}
	if r.Recipe.Unit != "" {
		high += "\u00a0" + r.Recipe.Unit
	}
	return s.Written(say.Language(), r.Recipe.Domain, low, high)
}

func (medianView) figures(r *task.Release) []Figure {
	m := r.Answer.Result.(*task.Median)
	if text, is := spanned(r, m.Value, m.Span); is {
		return []Figure{{"50 %", text}}
	}
	return []Figure{{"50 %", say.Format("%s (± %s)", beyond(r, m.Value, m.Value),
		howMany(r, m.RankError))}}
}

// beyond writes a value so that it shows whether values beyond the range count as this value.
func beyond(r *task.Release, value, written string) string {
	d := r.Recipe.Domain
	return task.BeyondRange(d, value).Of(say.Language(), d.Kind, written)
}
