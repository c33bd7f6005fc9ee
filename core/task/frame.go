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

// The pictures to come of questions: they use public facts, and nothing from the file.

// placeOf returns a value's position on an axis of numbers: a number itself, a date or time in
// seconds from 1970.
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

// rangeOf returns the bounds of a column; ok is false where there are none, or none that are
// numbers or times.
func rangeOf(spec domain.Spec) (lo, hi float64, ok bool) {
	lo, okLo := placeOf(spec.Lo)
	hi, okHi := placeOf(spec.Hi)
	return lo, hi, okLo && okHi && lo < hi
}

// axisOf names the axis of the main column.
func axisOf(q *ask.Query) string {
	unit := q.Recipe.Unit
	if unit != "" && !strings.Contains(strings.ToLower(q.Label), strings.ToLower(unit)) {
		return q.Say.Format("%s in %s", q.Label, unit)
	}
	return q.Label
}

// many is the noun for the people or things in the rows.
func many(q *ask.Query) string { return manyOf(q, q.Counted()) }

func manyOf(q *ask.Query, noun codebook.Noun) string {
	_, many := noun.Words()
	return q.Say.Phrase(many)
}

// curve draws a line that rises from nobody, or 0 %, to everybody.
func curve(q *ask.Query, unit string, hi, off float64) *ask.Frame {
	from, to, ok := rangeOf(q.Recipe.Domain)
	if !ok {
		return nil // texts, and numbers without bounds
	}
	return &ask.Frame{Kind: ask.FrameCurve, Axis: axisOf(q), Unit: unit, Edges: []float64{from, to},
		Hi: hi, Even: hi / 2, Error: min(off, hi)}
}

func upTo(q *ask.Query) string { return q.Say.Format("%s at or below", many(q)) }

// number draws one count of everybody.
func number(q *ask.Query, axis string, off float64) *ask.Frame {
	n := float64(q.People)
	return &ask.Frame{Kind: ask.FrameNumber, Axis: axis, Unit: many(q), Hi: n, Even: n / 2,
		Error: min(off, n)}
}
