package ask

import (
	"math"
	"slices"

	"hush/core/phrase"
)

// Grade says whether an answer can be published as it stands.
type Grade string

// The grades: a reader can rely on the answer, can rely on its size only, or cannot distinguish it
// from noise.
const (
	Good  Grade = "good"
	Rough Grade = "rough"
	Noise Grade = "noise"
	// Unknown is the grade of an answer to come that depends on its size, which is not known. The
	// answer itself has another grade.
	Unknown Grade = "unknown"
)

// Verdict judges an answer by its error against what the answer is about. Before the release it
// reads public facts only; after it, the released values too, which is post-processing and costs
// nothing.
type Verdict struct {
	Grade Grade `json:"grade"`
	// Error and About are in the unit of Plan.ErrorUnit: the error, and the number it is judged
	// against. A negative error is not known.
	Error float64 `json:"error"`
	About float64 `json:"about"`
	Text  string  `json:"text"` // why, in one sentence
	// From is the least answer for which a verdict before a release holds, where that depends on
	// the size of the answer: good from there on if the grade is Unknown, rough if it is Rough.
	From string `json:"from,omitempty"`
	// Cells are the grades of the rows of the answer's table, after a release with several rows.
	Cells []Grade `json:"cells,omitempty"`

	// Usual says that Error is not a bound but the usual error on most data.
	Usual bool `json:"usual,omitempty"`

	typical bool // Error is the typical one, and no bound is known; else that is usual
	// the error that 95 of 100 releases stay within whatever the data are; 0: Error is that bound
	bound float64
	// About of the next release, as Help expects it; 0: About
	expected float64
}

// most returns the error that must be small enough for an answer to be good on any data: Error may
// hold for most data only. It is +Inf where that is not known.
func (v Verdict) most() float64 {
	if v.Error < 0 {
		return math.Inf(1)
	}
	return max(v.Error, v.bound)
}

// Judge applies the rule: with an error of at most a fifth of about, the size of the answer, it is
// good; of at most half, rough; any larger error makes it noise. 95 of 100 releases stay within the
// error; it is the typical one where no such bound is known (Spread.Judged).
func Judge(err, about float64) Grade {
	switch {
	case err <= about/goodPart:
		return Good
	case err <= about/roughPart:
		return Rough
	}
	return Noise
}

// The ratio of an answer's size to the largest error of each grade.
const (
	goodPart  = 5
	roughPart = 2
)

// Words returns a grade as the reader sees it.
func (g Grade) Words() phrase.Key {
	switch g {
	case Good:
		return "good to publish"
	case Rough:
		return "rough"
	case Unknown:
		return "not known before"
	}
	return "mostly noise"
}

// worse reports whether a grade is worse than another.
func (g Grade) worse(than Grade) bool { return g.rank() > than.rank() }

func (g Grade) rank() int { return slices.Index([]Grade{Good, Unknown, Rough, Noise}, g) }

// Help is a change to a question that would improve its answer, found by planning the changed
// question from public facts only.
type Help struct {
	Text   string  `json:"text"` // "A range up to 150 000", "6 groups, not 16", "ε = 1.2"
	Recipe Recipe  `json:"recipe"`
	Grade  Grade   `json:"grade"`
	From   string  `json:"from,omitempty"` // Verdict.From
	Error  float64 `json:"error"`          // in the unit of Plan.ErrorUnit
	// Exact says that Recipe asks the changed question; otherwise a person must choose how, for
	// example which groups to merge.
	Exact bool `json:"exact"`
}

// Frame is the public part of the picture to come, before anything is spent.
type Frame struct {
	Kind FrameKind `json:"kind"`
	Axis string    `json:"axis"`           // what lies along the axis of places: "age in years"
	Unit string    `json:"unit,omitempty"` // of the values that are drawn: "books", "€"
	// Edges lie on the axis; dates and times are seconds from 1970, as are Lo, Hi and Even for the
	// median of dates.
	Edges []float64 `json:"edges,omitempty"`
	// Labels are the names of categories, groups or places, where these are not numbers.
	Labels []string `json:"labels,omitempty"`
	Rows   []string `json:"rows,omitempty"` // of a table, as many as are drawn
	// Lo and Hi are the range of the values that are drawn; Even is each value if people were
	// spread evenly, or if values lay in the middle of their range.
	Lo   float64 `json:"lo"`
	Hi   float64 `json:"hi"`
	Even float64 `json:"even"`
	// Error is the error of each value: the typical one, or the bound at 95 %; negative: it is not
	// known in advance.
	Error float64 `json:"error"`
}

// FrameKind is how a picture is laid out.
type FrameKind string

// The kinds of picture.
const (
	FrameBins   FrameKind = "bins"   // bars on a numeric axis: Edges
	FrameBars   FrameKind = "bars"   // a bar for each of Labels
	FrameNumber FrameKind = "number" // one number on its own scale, from Lo to Hi
	FrameCurve  FrameKind = "curve"  // a line over Edges[0] to Edges[1]
	FrameTable  FrameKind = "table"  // a cell for each of Labels in each of Rows
)

// Framed is a prepared question whose picture is known before it is answered; nil where it is not.
// Like everything prepared it reads public facts only.
type Framed interface {
	Prepared
	Frame() *Frame
}

// Ranged is a question whose answer has ranges in its column's unit.
type Ranged interface {
	Range() string // as in a plan
}

func rangeOf(p Prepared) string {
	if ranged, ok := p.(Ranged); ok {
		return ranged.Range()
	}
	return ""
}

func frameOf(p Prepared) *Frame {
	if framed, ok := p.(Framed); ok {
		return framed.Frame()
	}
	return nil
}
