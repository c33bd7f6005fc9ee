// Package study measures what the theorems of five papers bound: it runs their algorithms on
// made-up data, beside the bounds on which the code relies, as the people, the domain or the
// candidates grow.
//
// Everything is computed when it is asked for, from exact laws or from seeded runs; nothing of it
// is private, and nothing that comes of it is a release. Bounds hold in 95 of 100 runs. What each
// bound is, and which are proved here: study.md.
package study

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/message"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Study is a figure for one paper. All of it is public and fixed, except the measurements.
type Study struct {
	ID     string // in addresses
	Source string // the paper: authors and year
	Title  phrase.Key
	Asked  phrase.Key // the question that the paper answered
	Found  phrase.Key // how the algorithm answers it, and what is proved of it
	Simple phrase.Key // where the simple mechanism is better, and where the paper's
	Least  phrase.Key // what no algorithm can do: the lower bound, in words
	Made   phrase.Key // the made-up data, and how the lines come about

	Y     phrase.Key // of the chart, on a logarithmic scale
	Lines []Line
	Axis             // what grows; its page begins with it
	More  []Axis     // what grows else, in the same lines
	Also  phrase.Key // what can be had besides, in words; empty: nothing

	// Task has the form and the lesson, and Params are the settings of the form, where they are not
	// the usual ones. Films show the algorithms, the paper's own first.
	Task   string
	Params map[string]string
	Films  []string
}

// Axis is something that grows, and the lines as it does.
type Axis struct {
	X      phrase.Key // of the chart, on a logarithmic scale
	Points []int      // the places on it

	// measure gives the lines at one place. tell learns of progress, from 0 to 1, and may end the
	// work.
	measure func(x int, seed coin.Seed, tell func(part float64) error) ([]float64, error)
}

// Along returns the study as another of its axes grows: 0 is the first, 1 the first of More.
func (s Study) Along(axis int) (Study, bool) {
	if axis < 0 || axis > len(s.More) {
		return Study{}, false
	}
	if axis > 0 {
		s.Axis = s.More[axis-1]
	}
	return s, true
}

// Axes returns all axes, the first one first.
func (s Study) Axes() []Axis { return append([]Axis{s.Axis}, s.More...) }

// Line is one line of a figure.
type Line struct {
	Name phrase.Key
	Kind Kind
	// Of is the place, among the lines, of the bound that a measured line must not pass; −1: there
	// is none.
	Of int
}

// Kind says what a line shows.
type Kind string

const (
	Bound    Kind = "bound"    // proved: it is no worse
	Measured Kind = "measured" // by exact laws or by runs
	Least    Kind = "least"    // proved: no algorithm of that kind is better
)

// Request asks for a figure: the same seed gives the same one.
type Request struct {
	ID   string    `json:"id"`
	Axis int       `json:"axis,omitempty"` // as in Study.Along
	Seed coin.Seed `json:"seed"`
}

// Curves are the numbers drawn: for each place on the first axis the lines in their order, None
// where there is nothing.
type Curves struct {
	X []int       `json:"x"`
	Y [][]float64 `json:"y"`
}

// Catalogue lists the studies, one for each paper.
func Catalogue() []Study { return []Study{points, cuts, labels, densities, candidates} }

// Find returns the study of that ID.
func Find(id string) (Study, bool) {
	all := Catalogue()
	i := slices.IndexFunc(all, func(s Study) bool { return s.ID == id })
	if i < 0 {
		return Study{}, false
	}
	return all[i], true
}

// Run measures a study. step, which may be nil, learns of progress and may end the work. It
// refuses, with *param.Error (id, axis), an unknown study or axis.
func Run(_ *message.Language, r Request, step coin.Step) (*Curves, error) {
	s, ok := Find(r.ID)
	if !ok {
		return nil, param.Refuse("study", "id", fmt.Sprintf("%q", r.ID), "the ID of a study")
	}
	along, ok := s.Along(r.Axis)
	if !ok {
		return nil, param.Refuse("study", "axis", fmt.Sprint(r.Axis), "from 0 to %d", len(s.More))
	}
	s = along
	out := &Curves{}
	const whole = 1000 // of a place's work
	for i, x := range s.Points {
		tell := func(part float64) error {
			if step == nil {
				return nil
			}
			return step(int64(i*whole)+int64(part*whole), int64(len(s.Points)*whole))
		}
		if err := tell(0); err != nil {
			return nil, err
		}
		y, err := s.measure(x, r.Seed, tell)
		if err != nil {
			return nil, err
		}
		out.X, out.Y = append(out.X, x), append(out.Y, y)
	}
	return out, nil
}

// None stands where a line has no number: the algorithm refuses.
const None = -1

// beta is the probability with which bounds may fail.
const beta = 0.05

var (
	one   = must(privacy.ParseEpsilon("1"))
	delta = must(privacy.ParseDelta("0.000001"))
)

// packing returns the least m by which an ε-DP choice among k must be allowed to fall short if it
// is to stay within it in 95 of 100 runs: m ≥ ln((k − 1)(1 − β)/β)/ε at ε = 1, logK being ln(k −
// 1). Proof: study.md, Lemma 1.
func packing(logK float64) float64 { return logK + math.Log((1-beta)/beta) }

// logOf returns ln x.
func logOf(x *big.Int) float64 {
	mantissa := new(big.Float)
	exponent := new(big.Float).SetInt(x).MantExp(mantissa)
	m, _ := mantissa.Float64()
	return math.Log(m) + float64(exponent)*math.Ln2
}

// high returns a number that all but a twentieth do not exceed.
func high(list []float64) float64 {
	slices.Sort(list)
	return list[max(int(math.Ceil(float64(len(list))*(1-beta)))-1, 0)]
}

// must returns the value of a call that cannot fail, since its parameters stand in this package.
func must[T any](x T, err error) T {
	if err != nil {
		panic("study: internal error: " + err.Error())
	}
	return x
}
