package basic

import (
	"math/big"

	"hush/core/coin"
	"hush/core/privacy"
)

// MeanParams are a Mean's public parameters. Exactly one of Epsilon and Base is given.
type MeanParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon
	// Base is r itself, in place of Epsilon: the noise of the sum in half steps has this base.
	Base coin.Base
	// Delta, where it is above 0, allows Gaussian noise; below 1/People; default 0.
	Delta privacy.Delta
	// Scale says which numbers the codes are, at least two; its ends are the bounds.
	Scale Scale
	// People is n, public, from 1 to 2^53.
	People int64
	// Substitute is the code that a person with none stands for; nil: such a person is left out,
	// and how many are is private.
	Substitute *uint64
}

// Mean releases the mean of a bounded column, over the persons who have a value or, with a
// substitute, over everybody.
//
// # Guarantee
//
// Pure ε-DP, or (ε, δ)-DP where Gaussian noise has the smaller proven error, for neighbours that
// replace one person, n public. Without a substitute the sum about the middle of the scale and the
// number of values are released together: a person who changes the number changes that sum by half
// as much only, so together they cost no more than the sum. Proof: sums.md, Theorems 1, 3 and 5.
//
// # Input and output
//
// A number of the scale, between its ends, with its 95 % interval. A code beyond the last counts as
// the last. Where nobody has a value the answer is some number of the scale.
//
// # Errors
//
// [*param.Error] (epsilon, base, delta, size, first, step, people, substitute) from the parameters
// alone; step's error when cancelled.
//
// # Cost and accuracy
//
// O(n), exact sums of 128 bits. Forecast(m) for m values: on average at most about (range + 2·|mean
// − middle|)/(ε·m) with a private number, and range/(ε·n) with a substitute. Rounding as in [Sum].
//
// # Reference
//
// The sum as Sum. Differs from releasing sum and number by halves of the budget, where the sum has
// twice the noise.
type Mean struct{ asked[Estimate] }

// NewMean checks the parameters.
func NewMean(p MeanParams) (*Mean, error) {
	last, err := p.Scale.check(2)
	if err != nil {
		return nil, err
	}
	if err := checkPeople(p.People); err != nil {
		return nil, err
	}
	m := mean{scale: p.Scale, last: last, ratio: newRatio(last, p.People), substitute: p.Substitute}
	if p.Substitute != nil {
		if m.all, err = newSum(p.Scale, p.People, p.Substitute); err != nil {
			return nil, err
		}
	}
	a, err := newAsked[Estimate](m, grant(p.Epsilon, p.Base, p.Delta), p.People, false)
	if err != nil {
		return nil, err
	}
	return &Mean{a}, nil
}

type mean struct {
	scale      Scale
	last       uint64
	ratio      ratio
	substitute *uint64
	all        *sum // with a substitute: the sum over everybody, to be divided by n
}

// dividesByN reports whether the denominator is public.
func (m mean) dividesByN(grouped bool) bool { return m.all != nil && !grouped }

func (m mean) design(kind Kind, grouped bool) (design, bool) {
	if m.dividesByN(grouped) {
		return m.all.design(kind, grouped)
	}
	return m.ratio.design(kind, grouped)
}

func (m mean) add(t *tally, code uint64, ok bool, persons uint64) {
	if !ok && m.substitute != nil {
		code, ok = *m.substitute, true
	}
	if ok {
		t.valued += persons
		t.codes.add(min(code, m.last), persons) // H: sums.md in-codes
	}
}

func (m mean) sums(t *tally, grouped bool) []int64 {
	if m.dividesByN(grouped) {
		return m.all.sums(t, grouped)
	}
	halves := t.codes.big()
	halves.Lsh(halves, 1)
	return m.ratio.sums(halves.Sub(halves, new(big.Int).Mul(bigOf(m.last), bigOf(t.valued))),
		t.valued)
}

func (m mean) answer(n *Noise, grouped bool, beta float64, noisy []int64) Estimate {
	if m.dividesByN(grouped) {
		return m.all.answer(n, grouped, beta, noisy).divide(m.all.people).
			clamp(m.scale.First, m.scale.at(ratOf(bigOf(m.last))))
	}
	return m.ratio.answer(n, beta, noisy).place(m.scale, m.last)
}

func (m mean) forecast(n *Noise, grouped bool, persons int64) Forecast {
	step := ratFloat(m.scale.Step)
	if m.dividesByN(grouped) {
		f, people := m.all.forecast(n, grouped, persons), float64(m.all.people)
		return Forecast{f.Expected / people, f.Typical / people,
			min(f.Bound/people, step*toFloat(bigOf(m.last)))}
	}
	return m.ratio.forecast(n, persons, step/2)
}
