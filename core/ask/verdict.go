package ask

import (
	"math"
	"slices"

	"hush/core/phrase"
)

// Grade says whether an answer can be published as it stands.
type Grade string

// The grades: a reader can rely on the answer, can rely on its size, or cannot tell it from noise.
const (
	Good  Grade = "good"
	Rough Grade = "rough"
	Noise Grade = "noise"
	// Unknown is that of an answer to come whose size decides it, which nothing says. The answer
	// itself has another.
	Unknown Grade = "unknown"
)

// Verdict judges an answer by its error against what the answer is about. Before the release it
// reads public facts only; after it, the released values too, which is post-processing and costs
// nothing.
type Verdict struct {
	Grade Grade `json:"grade"`
	// Error and About are in the unit of Plan.ErrorUnit: the error, and what it is judged against.
	// A negative error is not known.
	Error float64 `json:"error"`
	About float64 `json:"about"`
	Text  string  `json:"text"` // why, in one sentence
	// From is the least answer of which a verdict before a release holds, where that hangs on the
	// size of the answer: good from there on if the grade is Unknown, rough if it is Rough.
	From string `json:"from,omitempty"`
	// Cells are the grades of the rows of the answer's table, after a release that has several.
	Cells []Grade `json:"cells,omitempty"`

	// Usual says that Error is no bound but what is usual on most data.
	Usual bool `json:"usual,omitempty"`

	typical bool // Error is the typical one, and no bound is known; else that is usual
	// bound is what 95 of 100 releases stay within whatever the data are; 0: Error is
	bound float64
	// About of the next release, as expected, for Help; 0: About
	expected float64
}

// most is the error that must be small enough for an answer to be good, on any data: Error may be
// that of most data alone. +Inf where it is not known.
func (v Verdict) most() float64 {
	if v.Error < 0 {
		return math.Inf(1)
	}
	return max(v.Error, v.bound)
}

// Judge is the rule: an error of at most a fifth of about, the size of the answer, is good, one of
// at most half is rough, and any larger one is noise. 95 of 100 releases stay within the error; it
// is the typical one where no such bound is known (Spread.Judged).
func Judge(err, about float64) Grade {
	switch {
	case err <= about/goodPart:
		return Good
	case err <= about/roughPart:
		return Rough
	}
	return Noise
}

// The size of an answer divided by the largest error of each grade.
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

// worse says whether a grade is worse than another.
func (g Grade) worse(than Grade) bool { return g.rank() > than.rank() }

func (g Grade) rank() int { return slices.Index([]Grade{Good, Unknown, Rough, Noise}, g) }

// Help is a change of a question that would make its answer better: worked out by planning the
// changed question, from public facts only.
type Help struct {
	Text   string  `json:"text"` // "A range up to 150 000", "6 groups, not 16", "ε = 1.2"
	Recipe Recipe  `json:"recipe"`
	Grade  Grade   `json:"grade"`
	From   string  `json:"from,omitempty"` // Verdict.From
	Error  float64 `json:"error"`          // in the unit of Plan.ErrorUnit
	// Exact says that Recipe asks the changed question; otherwise a person must choose how, as of
	// which groups become one.
	Exact bool `json:"exact"`
}

// Frame is the picture to come, before anything is spent: what is public of it.
type Frame struct {
	Kind FrameKind `json:"kind"`
	Axis string    `json:"axis"`           // what lies along the axis of places: "age in years"
	Unit string    `json:"unit,omitempty"` // of the values that are drawn: "books", "€"
	// Edges lie on the axis; dates and times are seconds from 1970. So are Lo, Hi and Even of the
	// median of dates.
	Edges []float64 `json:"edges,omitempty"`
	// Labels are the names of categories, groups or places, where these are no numbers.
	Labels []string `json:"labels,omitempty"`
	Rows   []string `json:"rows,omitempty"` // of a table, as many as are drawn
	// Lo and Hi are the range of the values that are drawn; Even is the value of each, if people
	// were spread evenly or values lay in the middle of their range.
	Lo   float64 `json:"lo"`
	Hi   float64 `json:"hi"`
	Even float64 `json:"even"`
	// Error is that of each value: the typical one, or the bound at 95 %; negative: it is not known
	// before.
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

// Framed is a prepared question whose picture is known before it is answered: nil where it is not.
// Like everything prepared it reads public facts only.
type Framed interface {
	Prepared
	Frame() *Frame
}

func frameOf(p Prepared) *Frame {
	if framed, ok := p.(Framed); ok {
		return framed.Frame()
	}
	return nil
}
