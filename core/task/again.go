package task

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/phrase"
)

// These questions restore a release from a file without its data: see ask.Reopening.
var (
	_ ask.Reopening  = (*estimate)(nil)
	_ ask.Reopening  = (*directions)(nil)
	_ ask.Reopening  = (*histogram)(nil)
	_ ask.Reopening  = (*mode)(nil)
	_ ask.Reopening  = (*strongest)(nil)
	_ ask.Reopening  = (*median)(nil)
	_ ask.Reopening  = (*joined)(nil)
	_ ask.Dated      = (*joined)(nil)
	_ ask.Dated      = (*accepting)(nil)
	_ ask.Dated      = (*contacts)(nil)
	_ ask.Dated      = (*madeUp)(nil)
	_ ask.Rewrapping = (*tuned)(nil)
)

// Reopen reads the numbers from their texts. Intervals that hold for all groups at once are in no
// file, and sentences that compare groups depend on them.
func (e *estimate) Reopen(r ask.Result) (ask.Result, bool) {
	out := reopened(r.(*Estimates))
	blank := e.answer()
	out.Name, out.Noun, out.Of, out.Many = blank.Name, blank.Noun, blank.Of, blank.Many
	return out, e.group == nil
}

// Reopen reads the numbers from their texts.
func (d *directions) Reopen(r ask.Result) (ask.Result, bool) {
	out := reopened(r.(*Estimates))
	out.Name, out.Noun, out.Along = spreadName, d.query.Counted(), true
	return out, true
}

// reopened returns a copy with the numbers read from their texts.
func reopened(e *Estimates) *Estimates {
	out := *e
	out.Rows = slices.Clone(e.Rows)
	for i := range out.Rows {
		row := &out.Rows[i]
		_, fraction, _ := strings.Cut(row.Value, ".")
		row.number = interval{numberIn(row.Value), numberIn(row.Low), numberIn(row.High),
			len(fraction)}
		row.together = row.number
	}
	return &out
}

// numberIn reads a decimal as Estimate writes it; anything else is 0.
func numberIn(text string) float64 {
	if len(text) > 400 || strings.ContainsAny(text, "eE/") {
		return 0
	}
	if x, ok := new(big.Rat).SetString(text); ok {
		return float(x)
	}
	return 0
}

// Reopen recomputes the errors and the bins, which follow from the question.
func (h *histogram) Reopen(r ask.Result) (ask.Result, bool) {
	was := r.(*Histogram)
	bins := h.binsOf()
	if len(was.Bins) != h.mechanism.Bins() {
		return was, false
	}
	out := *was
	out.Error, out.AllError = h.errors()
	out.People, out.Width, out.Cut = h.query.People, h.width, h.cut
	out.Bins = slices.Clone(was.Bins)
	for i := range out.Bins {
		out.Bins[i].Label = bins.label(i)
		if h.edges != nil {
			out.Bins[i].From, out.Bins[i].To = h.edges[i], h.edges[i+1]
		}
	}
	return &out, true
}

// Reopen reads the count, and recomputes its error and that of the choice.
func (m *mode) Reopen(r ask.Result) (ask.Result, bool) {
	out := *r.(*Winner)
	out.Behind, out.Score = strconv.FormatInt(m.behind, 10), m.query.Many()
	if out.Count != "" && m.count != nil {
		off := m.count.ErrorBound(basic.Beta)
		out.Error = strconv.FormatInt(off, 10)
		out.number = winning{count: numberIn(out.Count), off: float64(off)}
	}
	return &out, true
}

// Reopen reads the strength, and recomputes its error and how far the choice may be behind the
// best.
func (s *strongest) Reopen(r ask.Result) (ask.Result, bool) {
	out := *r.(*Winner)
	out.Behind, out.number.behind = s.printed(s.mechanism.Behind())
	out.Behind, out.Score = out.Behind+s.measure(), s.scored()
	fields, _ := s.query.Role(roleFeature)
	at := slices.IndexFunc(fields, func(f ask.Other) bool {
		return f.Name(s.query.Say) == out.Value
	})
	if at < 0 || !s.counted {
		return &out, at >= 0
	}
	off, err := s.mechanism.StrengthBound(at)
	if err != nil {
		return &out, false
	}
	out.number.count, _ = strconv.ParseFloat(out.Count, 64)
	out.Error, out.number.off = s.printed(float64(off))
	return &out, true
}

// Reopen recomputes the rank error, unless that was measured.
func (m *median) Reopen(r ask.Result) (ask.Result, bool) {
	out := *r.(*Median)
	if out.Measured = m.off != nil; !out.Measured {
		out.RankError = m.rankError()
	}
	return &out, true
}

// Rewrap finds the run with the chosen settings.
func (t *tuned) Rewrap(r ask.Result, how ask.Tuned) (ask.Result, error) {
	at := slices.Index(t.values(), how.Value)
	if at < 0 {
		return nil, ask.Refuse("tuned", strconv.Quote(how.Value), phrase.Of("one of %q",
			t.values()))
	}
	if o, is := t.inner[at].(ask.Reopening); is {
		r, _ = o.Reopen(r)
	}
	best := t.outcome(r, at)
	best.how.Good, best.how.Within = how.Good, how.Within
	if t.until != nil && t.until.sought == nil {
		best.how.Good = t.until.people
	}
	if t.until != nil {
		best.how.Within = best.how.Good + t.until.off
	}
	return best, nil
}
