package survival

import (
	"fmt"
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/density"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Limits of a release.
const (
	MaxSteps  = 1024
	MaxGroups = 16
)

// Params are the parameters of Survival.
type Params struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon

	// Persons is n, the public number of persons, with or without a time, an end and a group. From
	// 1 to 2^40; required.
	Persons uint64

	// Steps is the number of steps of the curve, from 1 to 1 024; required.
	Steps int

	// Groups is the number of groups that have a curve each, from 1 to 16; 0 stands for 1.
	Groups int

	// In Measured steps, from 1 to Steps, people are counted; within each they are taken to be
	// spread evenly. 0 stands for the number that suits Epsilon and Persons.
	Measured int
}

// Survival releases the survival curve of each group.
//
// # Guarantee
//
// Pure ε-DP for neighbours that differ in one replaced person, n public; the sizes of groups are
// not. Proof: survival.md, Theorem 1.
//
// # Input and output
//
// How many persons are in each of [Survival.Cells] cells; [Survival.Event] and its kin say in which
// one a person is, and [Survival.Outside] in which one a person of no group. Output: a
// [Curve] for each group. With probability 95 % the bands of all hold at once.
//
// # Errors
//
// [*param.Error] (epsilon, persons, steps, groups, measured) from the constructor, (cells) from
// Release; else what step returns.
//
// # Cost
//
// One draw for each node of the tree, at most about 4·Measured·Groups; then Groups·Steps². Time and
// memory grow with the number of persons.
//
// # Reference
//
// Kaplan, Meier, "Nonparametric estimation from incomplete observations", 1958; the tree of counts:
// Hay, Rastogi, Miklau, Suciu, 2010. The line of cells and the band are ours.
type Survival struct {
	steps   int
	merged  int // steps of the curve in one measured step
	persons int64
	line    Line // of measured steps
	tree    *density.Hierarchy
}

// New checks the parameters.
func New(p Params) (*Survival, error) {
	p.Groups = max(p.Groups, 1)
	switch {
	case p.Steps < 1 || p.Steps > MaxSteps: // H: survival.md steps
		return nil, refuse("steps", p.Steps, "from 1 to %d", MaxSteps)
	case p.Groups > MaxGroups: // H: survival.md steps
		return nil, refuse("groups", p.Groups, "at most %d", MaxGroups)
	case p.Measured < 0 || p.Measured > p.Steps: // H: survival.md steps
		return nil, refuse("measured", p.Measured, "0 to the number of steps, %d", p.Steps)
	}
	if p.Measured == 0 {
		p.Measured = advised(p)
	}
	s := &Survival{steps: p.Steps, merged: ceilDiv(p.Steps, p.Measured), persons: int64(p.Persons)}
	s.line = Line{Steps: ceilDiv(p.Steps, s.merged), Groups: p.Groups}
	var err error
	s.tree, err = density.NewHierarchy(density.HierarchyParams{Epsilon: p.Epsilon,
		Size: big.NewInt(int64(s.line.Cells() - 1)), Persons: p.Persons})
	return s, err
}

func refuse(field string, value int, want phrase.Key, args ...any) error {
	return param.Refuse("survival", field, fmt.Sprint(value), want, args...)
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// Cells is the number of cells.
func (s *Survival) Cells() int { return s.line.Cells() }

// Event is the cell of a person of a group with the event in a step of the curve.
func (s *Survival) Event(group, step int) int { return s.line.Event(group, step/s.merged) }

// Censored is the cell of a person of a group who was followed up to a step of the curve.
func (s *Survival) Censored(group, step int) int { return s.line.Censored(group, step/s.merged) }

// None is the cell of a person of a group without a time or an end.
func (s *Survival) None(group int) int { return s.line.None(group) }

// Outside is the cell of a person of no group.
func (s *Survival) Outside() int { return s.line.Outside() }

// Measured returns the number of steps in which people are counted.
func (s *Survival) Measured() int { return s.line.Steps }

// UsualBand is the usual half of the band in persons, for a group with a curve that falls evenly:
// the sums of cells are all off by less, and the curve is made from several. With this
// factor, more than half of the draws from six made-up files are good where a plan says that they
// may be (PROMISES.md of core/task).
func (s *Survival) UsualBand() float64 { return 6 * s.tree.ErrorBound() }

// Loss is ε for d = 1, and group privacy beyond.
func (s *Survival) Loss(d privacy.Distance) (privacy.Loss, error) { return s.tree.Loss(d) }

// Release makes the curves from the number of persons in each cell; each person is in one (H:
// survival.md one-cell). step may be nil.
func (s *Survival) Release(src coin.Source, cells []int64, step coin.Step) ([]*Curve, error) {
	if len(cells) != s.Cells() {
		return nil, refuse("cells", len(cells), "%d of them", s.Cells())
	}
	noisy, err := s.tree.Count(src, cells[:len(cells)-1], step) // the last one is what n leaves
	if err != nil {
		return nil, err
	}
	return s.curves(noisy), nil
}

// curves makes the curves from noisy counts: post-processing.
func (s *Survival) curves(noisy [][]float64) []*Curve {
	sums := s.tree.Sums(noisy)
	curves := make([]*Curve, s.line.Groups)
	for g := range curves {
		curves[g] = s.numbers(sums, g).curve()
	}
	return curves
}

// numbers reads what is known about a group from sums of cells.
func (s *Survival) numbers(sums *density.Sums, group int) *numbers {
	l, last, n := s.line, s.line.Cells()-1, float64(s.persons)
	upTo := func(cell int) within { // persons in this cell or an earlier one
		switch {
		case cell < 0:
			return within{}
		case cell == last: // everybody
			return within{n, n, n}
		}
		return within{sums.Low[cell], min(max(sums.About[cell], 0), n), sums.High[cell]}
	}
	before, end := upTo(l.Event(group, 0)-1), upTo(l.Censored(group, 0))
	to := newNumbers(s.steps)
	to.all = end.less(before).less(upTo(l.None(group)).less(upTo(l.None(group) - 1)))
	for step := range s.steps {
		at, part := step/s.merged, float64(step%s.merged+1)
		whole := float64(min(s.merged, s.steps-at*s.merged))
		events := func(step int) within { return upTo(l.Event(group, step)).less(before) }
		censored := func(step int) within { return end.less(upTo(l.Censored(group, step) - 1)) }
		to.events[step] = between(events, at, part/whole)
		to.censored[step] = between(censored, at, part/whole)
	}
	return to
}

// between is a rising number within a measured step, after a part of it, from its values at the
// ends of measured steps.
func between(at func(step int) within, step int, part float64) within {
	from, to := within{}, at(step)
	if part == 1 {
		return to
	}
	if step > 0 {
		from = at(step - 1)
	}
	return within{from.low, from.about + part*(to.about-from.about), to.high}
}

// advised returns the number of measured steps with the least error to be expected: fewer steps add
// up the noise of fewer cells, and more show better when people left.
func advised(p Params) int {
	epsilon, _ := p.Epsilon.Rat().Float64()
	n := float64(p.Persons) / float64(max(p.Groups, 1))
	best, least := p.Steps, math.Inf(1)
	for merged := 1; merged <= p.Steps; merged++ {
		m := ceilDiv(p.Steps, merged)
		off := noiseAt(m, epsilon) / n
		off *= off
		if merged > 1 {
			off += 1/(3*float64(m)*n) + curved/math.Pow(float64(m), 4)
		}
		if off < least {
			best, least = m, off
		}
	}
	return best
}

// curved is the square of the error, at one measured step, of taking people as spread evenly.
const curved = 0.2

// noiseAt is the usual error of a sum of cells in persons: the tree has the number of levels with
// the least.
func noiseAt(measured int, epsilon float64) float64 {
	cells, least := float64(2*measured+1), math.Inf(1)
	for levels := 1.0; levels <= 20; levels++ {
		least = min(least, levels*levels*levels*math.Pow(cells, 1/levels)/6)
	}
	return 2 * math.Sqrt(2*least) / epsilon
}
