package basic

import (
	"fmt"
	"math/big"

	"hush/core/coin"
	"hush/core/privacy"
)

// SumParams are a Sum's public parameters. Exactly one of Epsilon and Base is given.
type SumParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon
	// Base is r itself, in place of Epsilon: the loss is then Sensitivity·ln r.
	Base coin.Base
	// Delta, where it is above 0, allows Gaussian noise; below 1/People; default 0.
	Delta privacy.Delta
	// Scale says which numbers the codes are; its ends are the bounds.
	Scale Scale
	// People is n, public, from 1 to 2^53.
	People int64
	// Substitute is the code that a person with none stands for; nil: such a person adds nothing,
	// that is, the number 0.
	Substitute *uint64
}

// Sum releases the sum of a bounded column.
//
// # Guarantee
//
// Pure ε-DP, or (ε, δ)-DP where Gaussian noise has the smaller proven error, for neighbours that
// replace one person, n public. What one person adds lies between the bounds, or is what none adds;
// the sum moves by at most the width of that range, and no public offset can make that less. Proof:
// sums.md, Theorems 1, 3 and 4.
//
// # Input and output
//
// A number of the scale's unit with its 95 % interval. A code beyond the last counts as the last.
//
// # Errors
//
// [*param.Error] (epsilon, base, delta, size, first, step, people, substitute) from the parameters
// alone; step's error when cancelled.
//
// # Cost and accuracy
//
// O(n), exact sums of 128 bits. Where one person can move the sum by more than 2^20 units, it is
// rounded to 2^−20 of that, or to what 62 bits hold, before noise is added; the bounds count this.
//
// # Reference
//
// Dwork, McSherry, Nissim, Smith, "Calibrating noise to sensitivity", 2006. Differs: whole numbers,
// and n is public, so a range far from 0 costs its width alone once none has a substitute in it;
// without one it costs the largest value, since none adds 0.
type Sum struct{ asked[Estimate] }

// NewSum checks the parameters.
func NewSum(p SumParams) (*Sum, error) {
	ask, err := newSum(p.Scale, p.People, p.Substitute)
	if err != nil {
		return nil, err
	}
	a, err := newAsked[Estimate](ask, grant(p.Epsilon, p.Base, p.Delta), p.People, false)
	if err != nil {
		return nil, err
	}
	return &Sum{a}, nil
}

// sum measures everything in units; the unit is the largest number of which first and step are
// whole multiples.
type sum struct {
	unit        *big.Rat
	first, step *big.Int // in units
	none        *big.Int // what none adds, in units
	last        uint64
	people      int64
	low         *big.Int // the least one person can add, in units
	within      *big.Int // the range of one person's contribution
	absent      *big.Int // the largest size of one person's contribution
	// By group a person's change is measured from nothing, so the sums may be larger: each has its
	// own quantum.
	quantum, quantumByGroup *big.Int
}

func newSum(scale Scale, people int64, substitute *uint64) (*sum, error) {
	last, err := scale.check(1)
	if err != nil {
		return nil, err
	}
	if err := checkPeople(people); err != nil {
		return nil, err
	}
	if substitute != nil && *substitute > last { // H: sums.md substitute
		return nil, refuse("substitute", fmt.Sprint(*substitute),
			"a code of the domain, at most %d", last)
	}
	s := &sum{last: last, people: people, unit: commonUnit(scale.First, scale.Step)}
	s.first = wholes(scale.First, s.unit)
	s.step = wholes(scale.Step, s.unit)
	s.none = new(big.Int)
	if substitute != nil {
		s.none = s.adds(*substitute)
	}
	top := s.adds(last)
	s.low = least(s.first, s.none)
	high := most(top, s.none)
	s.within = new(big.Int).Sub(high, s.low)
	s.absent = most(new(big.Int).Abs(s.low), new(big.Int).Abs(high))
	if s.within.Sign() == 0 { // H: sums.md scale
		return nil, refuse("size", scale.Size.String(),
			"at least two different numbers that a person can add, none being 0")
	}
	s.quantum, s.quantumByGroup = quantum(s.within, people), quantum(s.absent, people)
	return s, nil
}

// adds returns what a person with this code adds, in units.
func (s *sum) adds(code uint64) *big.Int {
	x := new(big.Int).Mul(s.step, bigOf(code))
	return x.Add(x, s.first)
}

func (s *sum) grain(grouped bool) *big.Int {
	if grouped {
		return s.quantumByGroup
	}
	return s.quantum
}

// design: a change of x units moves the rounded sum by at most ⌈x/quantum⌉.
func (s *sum) design(kind Kind, grouped bool) (design, bool) {
	within := ceilDiv(s.within, s.grain(grouped)).Uint64()
	absent := ceilDiv(s.absent, s.grain(grouped)).Uint64()
	d := design{weights: []uint64{1}, within: within, absent: absent,
		moves: moves(grouped, within, absent)}
	if kind == Gaussian {
		d.within, d.absent, d.moves = within*within, absent*absent, nil
	}
	return d, true
}

func (s *sum) add(t *tally, code uint64, ok bool, persons uint64) {
	if !ok {
		t.none += persons
		return
	}
	t.valued += persons
	t.codes.add(min(code, s.last), persons) // H: sums.md in-codes
}

// sums returns one sum in quanta. About everybody, each person's contribution is taken above the
// least one, so it is at least 0 and at most within: the offset n·low is public.
func (s *sum) sums(t *tally, grouped bool) []int64 {
	total := new(big.Int).Mul(s.step, t.codes.big())
	total.Add(total, new(big.Int).Mul(s.first, bigOf(t.valued)))
	total.Add(total, new(big.Int).Mul(s.none, bigOf(t.none)))
	if !grouped {
		persons := bigOf(t.valued)
		persons.Add(persons, bigOf(t.none))
		total.Sub(total, persons.Mul(persons, s.low))
	}
	return []int64{rounded(total, s.grain(grouped))}
}

func (s *sum) answer(n *Noise, grouped bool, beta float64, noisy []int64) Estimate {
	grain := s.grain(grouped)
	value := new(big.Int).Mul(big.NewInt(noisy[0]), grain)
	if !grouped {
		value.Add(value, new(big.Int).Mul(s.low, big.NewInt(s.people)))
	}
	return around(ratOf(value), s.bound(n, grouped, beta), s.unit)
}

// bound returns the noise's bound plus what rounding adds, in units.
func (s *sum) bound(n *Noise, grouped bool, beta float64) *big.Rat {
	grain := s.grain(grouped)
	bound := new(big.Int).Mul(big.NewInt(n.ErrorBound(beta)), grain)
	return ratOf(bound.Add(bound, new(big.Int).Rsh(grain, 1)))
}

func (s *sum) forecast(n *Noise, grouped bool, _ int64) Forecast {
	unit := ratFloat(s.unit)
	grain := toFloat(s.grain(grouped))
	rounding := toFloat(new(big.Int).Rsh(s.grain(grouped), 1))
	return Forecast{
		Expected: (n.ExpectedError()*grain + rounding) * unit,
		Typical:  (n.ExpectedError()*grain + rounding/2) * unit,
		Bound:    ratFloat(s.bound(n, grouped, Beta)) * unit,
	}
}

// commonUnit returns the largest number of which both are whole multiples; y > 0.
func commonUnit(x, y *big.Rat) *big.Rat {
	a := new(big.Int).Mul(new(big.Int).Abs(x.Num()), y.Denom())
	b := new(big.Int).Mul(y.Num(), x.Denom())
	return new(big.Rat).
		SetFrac(new(big.Int).GCD(nil, nil, a, b), new(big.Int).Mul(x.Denom(), y.Denom()))
}

// wholes returns x in units.
func wholes(x, unit *big.Rat) *big.Int {
	n := new(big.Rat).Quo(x, unit)
	if !n.IsInt() {
		panic("basic: internal error: no whole number of units")
	}
	return new(big.Int).Set(n.Num())
}

func least(x, y *big.Int) *big.Int {
	if x.Cmp(y) < 0 {
		return x
	}
	return y
}

func most(x, y *big.Int) *big.Int {
	if x.Cmp(y) > 0 {
		return x
	}
	return y
}
