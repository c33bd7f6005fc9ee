package basic

import (
	"fmt"
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/param"
	"hush/core/privacy"
)

// question is what turns sums over persons into one question. Everything in it is public.
type question[A any] interface {
	// design says how the sums of one group are hidden by noise of that kind; ok is false where it
	// has no such design.
	design(kind Kind, grouped bool) (d design, ok bool)
	// add counts persons that all have the same value or none.
	add(t *tally, code uint64, ok bool, persons uint64)
	// sums are what is released of one group's tally, before noise: always as many.
	sums(t *tally, grouped bool) []int64 // H: sums.md whole-sums
	// answer is what noisy sums say, with intervals that each fail with probability at most beta;
	// it is post-processing.
	answer(n *Noise, grouped bool, beta float64, noisy []int64) A
	// forecast is the error, from public facts, when this many persons of the group have a value.
	forecast(n *Noise, grouped bool, persons int64) Forecast
}

// tally holds what is known of one group: exact, private. A question fills the fields that it
// needs.
type tally struct {
	valued  uint64 // persons with a value
	none    uint64 // persons without
	chosen  uint64 // persons that meet the question's condition
	codes   wide   // Σ code
	squares wide   // Σ code²
	bins    []int64
}

// asked is a question together with the noise that hides its answer.
type asked[A any] struct {
	ask      question[A]
	strength strength
	noise    *Noise
	grouped  bool
	people   int64 // n, public; 0 where the question does not need it
}

// newAsked takes the noise with the smaller proven error: discrete Laplace or, where a δ is
// granted, perhaps discrete Gaussian. It compares the forecast bounds at 95 % for a data set where
// everybody has a value.
func newAsked[A any](ask question[A], s strength, people int64, grouped bool) (asked[A], error) {
	if people > 0 {
		if err := checkDelta(s.delta, people); err != nil { // H: sums.md delta
			return asked[A]{}, err
		}
	}
	a := asked[A]{ask: ask, strength: s, grouped: grouped, people: people}
	d, _ := ask.design(Laplace, grouped)
	var err error
	if a.noise, err = newLaplace(s, d, grouped); err != nil {
		return asked[A]{}, err
	}
	if d, ok := ask.design(Gaussian, grouped); ok && !s.delta.IsZero() && s.epsilon.IsSet() {
		// Where ε is too small for Gaussian noise, Laplace noise stands alone.
		if other, err := newGaussian(s, d, grouped); err == nil &&
			ask.forecast(other, grouped, people).Bound < ask.forecast(a.noise, grouped, people).
				Bound {
			a.noise = other
		}
	}
	if a.noise.moving = 2; !grouped && len(ask.sums(&tally{}, false)) == 1 {
		a.noise.moving = 1
	}
	return a, nil
}

func (a asked[A]) question() asked[A] { return a }

// Noise returns the noise that hides the sums.
func (a asked[A]) Noise() *Noise { return a.noise }

// Loss returns the loss for data sets that differ in d persons. d = 1 is the guarantee.
func (a asked[A]) Loss(d privacy.Distance) (privacy.Loss, error) { return a.noise.Loss(d) }

// Forecast returns the error to expect, from public facts alone, when this many persons (of the
// group) have a value. Only ratios depend on that number; it is an assumption, not a fact, unless
// everybody has a value.
func (a asked[A]) Forecast(valued int64) Forecast {
	return a.ask.forecast(a.noise, a.grouped, valued)
}

// Release answers the question about everybody. step may be nil.
func (a asked[A]) Release(src coin.Source, values Values, step coin.Step) (answer A, err error) {
	noisy, err := a.release(src, values, nil, 1, step)
	if err != nil {
		return answer, err
	}
	return a.answers(noisy, 1, Beta)[0], nil
}

// release returns the noisy sums of the given number of groups.
func (a asked[A]) release(src coin.Source, values, groups Values, count uint64,
	step coin.Step) ([]int64, error) {
	if a.noise.given != nil {
		return a.noise.again(int(count) * len(a.ask.sums(&tally{}, a.grouped)))
	}
	sums, err := a.exact(values, groups, count, part(step, 0, 900))
	if err != nil {
		return nil, err
	}
	return a.noise.hide(src, sums, part(step, 900, progress))
}

// answers returns the answers for the given number of groups, each with an interval that fails with
// probability at most beta.
func (a asked[A]) answers(noisy []int64, count uint64, beta float64) []A {
	each := len(noisy) / int(count)
	answers := make([]A, count)
	for g := range answers {
		answers[g] = a.ask.answer(a.noise, a.grouped, beta, noisy[g*each:(g+1)*each])
	}
	return answers
}

// exact returns the sums without noise: private.
func (a asked[A]) exact(values, groups Values, count uint64, step coin.Step) ([]int64, error) {
	tallies := make([]tally, count)
	err := scanAlike(values, groups, count-1, step,
		func(group, code uint64, ok bool, persons uint64) {
			a.ask.add(&tallies[group], code, ok, persons)
		})
	if err != nil {
		return nil, err
	}
	var sums []int64
	for i := range tallies {
		sums = append(sums, a.ask.sums(&tallies[i], a.grouped)...)
	}
	return sums, nil
}

// checkPeople refuses an n that no question takes.
func checkPeople(people int64) error {
	if people < 1 || people > MaxPeople { // H: sums.md people
		return refuse("people", fmt.Sprint(people), "the number of persons, from 1 to 2^53")
	}
	return nil
}

// oneOf refuses unless exactly one of ε and the base is given.
func oneOf(epsilon privacy.Epsilon, base coin.Base) error {
	switch {
	case epsilon.IsSet() && !base.IsOne():
		return refuse("base", base.String(), "no base where epsilon is given")
	case !epsilon.IsSet() && base.IsOne():
		return refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	}
	return nil
}

// lastOf returns the last code of a domain of this many values, and panics if it has more than 64
// bits.
func lastOf(size *big.Int) uint64 {
	last := new(big.Int).Sub(size, oneInt)
	if last.BitLen() > 64 {
		panic("basic: internal error: Release for codes of 64 bits on a larger domain")
	}
	return last.Uint64()
}

// checkDelta refuses a δ of at least 1/n, with which one of n persons could be published as they
// are.
func checkDelta(delta privacy.Delta, people int64) error {
	if delta.Check(uint64(people)) != nil {
		return refuse("delta", delta.String(),
			"a number below 1/n, where n is the number of persons")
	}
	return nil
}

// Scale maps codes to the number line: code c is the number First + c·Step.
type Scale struct {
	// Size is the number of codes, from 1 to 2^64.
	Size *big.Int
	// First is the number of code 0, Step > 0 the distance of neighbouring codes.
	First, Step *big.Rat
}

// check refuses impossible scales and returns the last code.
func (s Scale) check(least uint64) (last uint64, err error) {
	if s.Size == nil || s.Size.Cmp(bigOf(least)) < 0 || s.Size.BitLen() > 65 || // H: sums.md scale
		s.Size.BitLen() == 65 && s.Size.TrailingZeroBits() < 64 {
		return 0, refuse("size", fmt.Sprint(s.Size), "a whole number from %d to 2^64", least)
	}
	if s.First == nil {
		return 0, refuse("first", param.NotSet, "the number of code 0")
	}
	if s.Step == nil || s.Step.Sign() <= 0 { // H: sums.md scale
		return 0, refuse("step", fmt.Sprint(s.Step), "a number above 0")
	}
	last = new(big.Int).Sub(s.Size, bigOf(1)).Uint64()
	return last, nil
}

// at returns the number that lies this many steps above First.
func (s Scale) at(steps *big.Rat) *big.Rat {
	x := new(big.Rat).Mul(s.Step, steps)
	return x.Add(x, s.First)
}

// finest limits how finely a sum is kept: its sensitivity is at most 2^20 units.
const finest = 20

// quantum returns the smallest power of two with sensitivity/quantum ≤ min(2^20, 2^62/people): sums
// over this many persons then stay inside int64, and rounding to it adds hardly anything to the
// error beside the noise.
func quantum(sensitivity *big.Int, people int64) *big.Int {
	limit := uint(min(finest, 62-bitsOf(people)))
	q := uint(max(0, new(big.Int).Sub(sensitivity, bigOf(1)).BitLen()-int(limit)))
	return new(big.Int).Lsh(bigOf(1), q)
}

func bitsOf(n int64) int { return new(big.Int).SetInt64(n).BitLen() }

// rounded returns x/quantum rounded to the nearest whole number, half upwards.
func rounded(x, quantum *big.Int) int64 {
	if quantum.Cmp(bigOf(1)) == 0 {
		return saturate(x)
	}
	half := new(big.Int).Rsh(quantum, 1)
	return saturate(half.Div(half.Add(half, x), quantum)) // Div rounds down: quantum > 0
}

// saturate clamps a whole number to int64; no number of persons up to the stated n gets there.
func saturate(x *big.Int) int64 {
	if x.IsInt64() {
		return x.Int64()
	}
	if x.Sign() < 0 {
		return math.MinInt64
	}
	return math.MaxInt64
}
