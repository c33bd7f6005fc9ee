package task

import (
	"math"
	"strconv"
	"strings"
	"time"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
)

// The pictures to come of questions: public facts, and nothing that a file holds.

// placeOf is a value on an axis of numbers: a number itself, a date or time in seconds from 1970.
func placeOf(text string) (float64, bool) {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x, !math.IsInf(x, 0) && !math.IsNaN(x)
	}
	for _, layout := range []string{"2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04:05",
		"2006-01-02 15:04", "2006-01-02 15"} {
		if at, err := time.Parse(layout, text); err == nil {
			return float64(at.Unix()), true
		}
	}
	return 0, false
}

// rangeOf are the bounds of a column; ok is false where there are none, or not of numbers or times.
func rangeOf(spec domain.Spec) (lo, hi float64, ok bool) {
	lo, okLo := placeOf(spec.Lo)
	hi, okHi := placeOf(spec.Hi)
	return lo, hi, okLo && okHi && lo < hi
}

// axisOf says what lies along the axis of the main column.
func axisOf(q *ask.Query) string {
	unit := q.Recipe.Unit
	if unit != "" && !strings.Contains(strings.ToLower(q.Label), strings.ToLower(unit)) {
		return q.Say.Format("%s in %s", q.Label, unit)
	}
	return q.Label
}

// many is what those are called whom the rows are about.
func many(q *ask.Query) string { return manyOf(q, q.Counted()) }

func manyOf(q *ask.Query, noun codebook.Noun) string {
	_, many := noun.Words()
	return q.Say.Phrase(many)
}

// Frame draws everybody spread evenly over the bins.
func (h *histogram) Frame() *ask.Frame {
	off, _ := h.errors()
	bins, n := h.mechanism.Bins(), float64(h.query.People)
	f := &ask.Frame{Kind: ask.FrameBins, Axis: axisOf(h.query), Unit: many(h.query),
		Hi: n, Even: n / float64(bins), Error: float64(off)}
	if h.edges == nil || h.cut {
		f.Kind = ask.FrameBars
		named := h.binsOf()
		for i := range bins {
			f.Labels = append(f.Labels, named.label(i))
		}
		return f
	}
	for _, edge := range h.edges {
		x, ok := placeOf(edge)
		if !ok {
			return nil // unreachable: a histogram has bounds, and they are numbers or times
		}
		f.Edges = append(f.Edges, x)
	}
	return f
}

// ScaleOf is the range that the number of a question can be in, from public facts alone: a count is
// of everybody at most, a mean is between the bounds. ok is false where there is none.
func ScaleOf(r ask.Recipe, people int64) (lo, hi float64, ok bool) {
	for _, n := range numbers {
		if n.ID == r.Task {
			return n.scaleOf(r, people)
		}
	}
	return figure{}.scaleOf(r, people)
}

func (f figure) scaleOf(r ask.Recipe, people int64) (lo, hi float64, ok bool) {
	switch f.of {
	case ask.OfPeople:
		return 0, float64(people), people > 0
	case ask.OfShare:
		return 0, 1, true
	}
	lo, hi, ok = rangeOf(r.Domain)
	if f.scale != nil {
		lo, hi = f.scale(lo, hi, float64(people))
	}
	return lo, hi, ok && lo < hi
}

// scaleUnit is what the numbers of that scale count.
func (e *estimate) scaleUnit() string {
	switch e.of {
	case ask.OfPeople:
		return many(e.query)
	case ask.OfShare:
		return ""
	}
	return e.query.Recipe.Unit
}

// Frame draws the number, or that of each group, in the middle of its range.
func (e *estimate) Frame() *ask.Frame {
	lo, hi, ok := e.scaleOf(e.query.Recipe, e.query.People)
	if !ok || e.finding != nil { // nobody knows how many groups there are
		return nil
	}
	f := &ask.Frame{Kind: ask.FrameNumber, Unit: e.scaleUnit(), Lo: lo, Hi: hi,
		Even:  lo + (hi-lo)/2,
		Error: e.Bound(),
		Axis: e.query.Say.Format("%s of %s", Capital(e.named()),
			axisOf(e.query))}
	if e.group == nil {
		return f
	}
	f.Kind = ask.FrameBars
	axes := e.cells.axes()
	for i := range e.cells.count() {
		f.Labels = append(f.Labels, cellName(axes, i))
	}
	if e.adds {
		f.Even /= float64(len(f.Labels))
	}
	return f
}

// Frame is the range of the values: how far off the value is depends on the data, and its rank's
// error is no place on this axis.
func (m *median) Frame() *ask.Frame {
	lo, hi, ok := rangeOf(m.query.Recipe.Domain)
	if !ok {
		return nil // texts, and numbers without bounds
	}
	return &ask.Frame{Kind: ask.FrameNumber, Axis: axisOf(m.query), Unit: m.query.Recipe.Unit,
		Lo: lo,
		Hi: hi, Even: lo + (hi-lo)/2, Error: -1}
}

// curve is a line that rises from nobody, or 0 %, to everybody.
func curve(q *ask.Query, unit string, hi, off float64) *ask.Frame {
	from, to, ok := rangeOf(q.Recipe.Domain)
	if !ok {
		return nil // texts, and numbers without bounds
	}
	return &ask.Frame{Kind: ask.FrameCurve, Axis: axisOf(q), Unit: unit, Edges: []float64{from, to},
		Hi: hi, Even: hi / 2, Error: min(off, hi)}
}

// Frame is the part of the people below each value.
func (q *quantiles) Frame() *ask.Frame {
	n := max(float64(q.query.People), 1)
	return curve(q.query, q.query.Say.Format("%% of the %s below", many(q.query)), 100,
		100*q.Judge(nil).Error/n)
}

// Frame is how many have each value or a smaller one.
func (d *distribution) Frame() *ask.Frame {
	return curve(d.query, upTo(d.query), float64(d.query.People), math.Ceil(d.Judge(nil).Error))
}

func upTo(q *ask.Query) string { return q.Say.Format("%s at or below", many(q)) }

// Frame is that of the distribution function: how high a density is, only the data tell.
func (d *densityQuery) Frame() *ask.Frame {
	return curve(d.query, upTo(d.query), float64(d.query.People), math.Ceil(d.Judge(nil).Error))
}

// Frame is how many are answered rightly, of everybody.
func (r *rule) Frame() *ask.Frame {
	return number(r.query, r.query.Say.Format("%s answered rightly", many(r.query)),
		float64(r.errorBound()))
}

// number is one count of everybody.
func number(q *ask.Query, axis string, off float64) *ask.Frame {
	n := float64(q.People)
	return &ask.Frame{Kind: ask.FrameNumber, Axis: axis, Unit: many(q), Hi: n, Even: n / 2,
		Error: min(off, n)}
}

// Frame draws a bar for each attribute, where they are not asked for together: pairs are a map, on
// which an error cannot be drawn.
func (c *conjunctions) Frame() *ask.Frame {
	if c.width > 1 {
		return nil
	}
	f := &ask.Frame{Kind: ask.FrameBars, Axis: c.query.Label, Unit: many(c.query),
		Hi: float64(c.query.People), Even: float64(c.query.People) / 2,
		Error: math.Ceil(c.typical())}
	for _, a := range c.attributes.list {
		f.Labels = append(f.Labels, a.Name)
	}
	return f
}
