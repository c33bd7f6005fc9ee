package threshold

import (
	"fmt"
	"math"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// CutoffParams are the parts from which a Cutoff is made: a learner, and a measurement of the
// accuracy of every cut.
type CutoffParams struct {
	Agnostic   *Agnostic   // one of these two
	Realizable *Realizable // where some cut makes no mistake
	Curve      Bounded     // nil: the accuracy is not released
}

// Cutoff learns a cut and, with a curve, measures how many persons each cut classifies correctly.
//
// # Guarantee
//
// The losses of the learner and of the curve, added up, for neighbours that replace one person,
// whose code and answer may change. Proof: cutoff.md.
//
// # Errors
//
// *param.Error for learners unless there is exactly one. Whether it fails depends on the
// parameters, never on the codes.
type Cutoff struct {
	params CutoffParams
	spend  *meter.Spend
}

// NewCutoff checks the parameters.
func NewCutoff(p CutoffParams) (*Cutoff, error) {
	if (p.Agnostic == nil) == (p.Realizable == nil) { // H: cutoff.md one-learner
		return nil, refuse("learners", fmt.Sprint(p.Agnostic != nil, p.Realizable != nil),
			"one of the two")
	}
	var learner mechanism.Mechanism = p.Agnostic
	if p.Realizable != nil {
		learner = p.Realizable
	}
	learned, err := learner.Loss(1)
	if err != nil {
		return nil, err
	}
	parts := []meter.Part{meter.Once(learned)}
	if p.Curve != nil {
		curve, err := p.Curve.Loss(1)
		if err != nil {
			return nil, err
		}
		parts = append(parts, meter.Once(curve))
	}
	return &Cutoff{p, meter.Sum("cut with its accuracy", parts...)}, nil
}

// Loss returns the loss of the learner and of the curve.
func (c *Cutoff) Loss(d privacy.Distance) (privacy.Loss, error) { return c.spend.Loss.Group(d) }

// Extra returns how many more mistakes than the best cut the chosen one makes, at most, with
// probability 95 %.
func (c *Cutoff) Extra() int64 {
	if c.params.Realizable != nil {
		return int64(c.params.Realizable.Mistakes())
	}
	return int64(c.params.Agnostic.ErrorBound(0.05))
}

// TypicalExtra returns about how many more mistakes than the best cut the chosen one makes, on this
// many persons: a rule of thumb.
func (c *Cutoff) TypicalExtra(persons int64) float64 {
	if c.params.Realizable != nil {
		return c.params.Realizable.TypicalError(persons)
	}
	return c.params.Agnostic.TypicalError(persons)
}

// Release learns the cut; accuracy is nil where it is not released.
func (c *Cutoff) Release(src coin.Source, data Labelled,
	step coin.Step) (cut Cut, accuracy *Accuracy, err error) {
	src = meter.Within(src, c.spend)
	learning, measuring := inHalves(step)
	if c.params.Realizable != nil {
		cut, err = c.params.Realizable.Learn(src, data, learning)
	} else {
		cut, err = c.params.Agnostic.Learn(src, data, learning)
	}
	if err != nil || c.params.Curve == nil {
		return cut, nil, err
	}
	accuracy, err = c.params.Curve.ReleaseAccuracy(src, data, measuring)
	return cut, accuracy, err
}

// inHalves returns the progress of two pieces of work, one after the other.
func inHalves(step coin.Step) (first, second coin.Step) {
	if step == nil {
		return nil, nil
	}
	const whole = 1000
	part := func(from int64) coin.Step {
		return func(done, total int64) error { return step(from+whole/2*done/max(total, 1), whole) }
	}
	return part(0), part(whole / 2)
}

// Percentages turns numbers of persons classified correctly into percentages of all, with their
// bounds: the three numbers of AccuracyBound.
type Percentages struct{ all, off, offCount, offAll float64 }

// NewPercentages returns the percentages of a release; all is the number of persons with a code and
// an answer.
func NewPercentages(release Bounded, all float64) Percentages {
	p := Percentages{all: all}
	p.off, p.offCount, p.offAll = release.AccuracyBound()
	return p
}

// Of turns a number of persons into percent, rounded outwards: right is the estimate, and the
// measurements put the number between low and high.
func (p Percentages) Of(right, low, high float64, measured bool) (percent, least, most float64) {
	off := p.off
	if !measured {
		off += p.offCount
	}
	if p.all > 0 {
		percent = math.Round(1000*min(right/p.all, 1)) / 10
	}
	least, most = math.Floor(1000*min(max(low-off, 0)/(p.all+p.offAll), 1))/10, 100
	if fewest := p.all - p.offAll; fewest > 0 {
		most = math.Ceil(1000*min((high+off)/fewest, 1)) / 10
	}
	return percent, least, most
}
