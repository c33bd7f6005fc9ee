package ask

import (
	"math"
	"strings"

	"hush/core/message"
	"hush/core/phrase"
)

// Off is how far an answer is off, from public facts only, in the unit of Plan.ErrorUnit. Having
// the same two numbers for every question makes algorithms and questions comparable.
type Off struct {
	// Typical is the mean over releases.
	Typical float64 `json:"typical"`
	// Exact says that Typical follows from the law of the noise. Otherwise it is a rule of thumb,
	// measured on made-up data of different shapes and never on the file.
	Exact bool `json:"exact,omitempty"`
	// Bound is not exceeded in 95 of 100 releases, whatever the data; negative: none is known.
	Bound float64 `json:"bound"`
}

// OffOf forecasts how far the answer of a prepared question will be off.
func OffOf(p Prepared) Off {
	o := Off{Bound: p.Bound()}
	if o.Typical, o.Exact = p.Typical(); !isFinite(o.Typical) {
		o.Typical, o.Exact = -1, false // it is not known, as of a baseline of a lesson
	}
	if !isFinite(o.Bound) {
		o.Bound = -1
	}
	return o
}

func isFinite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

// headline is the number by which a question is compared at several ε, and for which a person may
// wish: the bound, or the typical error where there is none; negative where neither is known.
func (o Off) headline() float64 {
	if o.Bound < 0 {
		return o.Typical
	}
	return o.Bound
}

// Known reports whether either number is known.
func (o Off) Known() bool { return o.headline() >= 0 }

// InUnit writes a number in a unit, as "12 people in each count". A unit such as "± of the mean",
// for a column without a unit, only says which number is off, and is used in labels alone.
func InUnit(x float64, unit string) string {
	return inUnit(message.Prose(x), unit)
}

// OffBy writes an error with its sign, rounded up, in a unit as for InUnit.
func OffBy(x float64, unit string) string { return OffByText(phrase.AtMost(x), unit) }

// OffByText writes an error that is already a text.
func OffByText(number, unit string) string { return "± " + inUnit(number, unit) }

func inUnit(number, unit string) string {
	if strings.HasPrefix(unit, "± of ") {
		return number
	}
	return strings.TrimSpace(number + " " + strings.TrimPrefix(unit, "± "))
}

// LeastPerson is the smallest part of a person that is stated.
const LeastPerson = 0.1

// Least reports whether the typical error is below the smallest stated part of a person.
func (o Off) Least(of ErrorOf) bool { return o.Typical < LeastPerson && of == OfPeople }

// Forecast states both numbers, as the first line of each forecast.
func (o Off) Forecast(say *message.Language, unit Unit) Forecast {
	f := Forecast{Label: say.Text("Typically off by about"), Value: say.Text("not known"),
		Detail: say.Text("no bound is known")}
	switch text := say.Phrase(unit.Text); {
	case o.Typical < 0:
	case o.Least(unit.Of):
		f.Value = say.Format("less than %s", InUnit(LeastPerson, text))
	default:
		f.Value = InUnit(o.Typical, text)
	}
	if o.Bound >= 0 {
		f.Detail = say.Format("at most %s in 95 of 100 releases", phrase.AtMost(o.Bound))
	}
	switch {
	case o.Exact:
		f.Detail += say.Text("; both follow from the law of the noise")
	case o.Typical >= 0:
		f.Detail += say.Text("; a rule of thumb, from measurements on made-up data")
	}
	return f
}
