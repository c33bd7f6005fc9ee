package basic

import (
	"math"
	"math/big"
	"math/bits"

	"hush/core/coin"
	"hush/core/privacy"
)

// VarianceParams are a Variance's public parameters. Exactly one of Epsilon and Base is given.
type VarianceParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon
	// Base is r itself, in place of Epsilon: the noise of the sum of squares has this base.
	Base coin.Base
	// Scale says which numbers the codes are, at least two; its ends are the bounds.
	Scale Scale
	// People is n, public, from 1 to 2^53.
	People int64
	// Before states the wider intervals of releases up to November 2026, to read them.
	Before bool
}

// Variance releases the variance of a bounded column: the mean square distance from the mean, over
// the persons who have a value.
//
// # Guarantee
//
// Pure ε-DP for neighbours that replace one person, n public. Released together are the sum of
// squares and the sum, both about the middle of the scale, and the number of values; what replacing
// one person does to the three together is less than the three largest changes added up. Proof:
// sums.md, Theorems 1, 3 and 6.
//
// # Input and output
//
// A number of the scale's unit squared, from 0 to a quarter of the range squared, with its 95 %
// interval. Its square root is the standard deviation. A code beyond the last counts as the last;
// codes of more than 31 bits are rounded to their leading 31.
//
// # Errors
//
// [*param.Error] (epsilon, base, size, first, step, people) from the parameters alone; step's error
// when cancelled.
//
// # Cost and accuracy
//
// O(n), exact sums. Forecast(m) for m values; the interval is about half as wide where people are
// many for their ε: that of all noise together, about the mean. Rounding as in [Sum].
//
// # Reference
//
// Sums of powers about the middle, as Dwork, Roth, "The Algorithmic Foundations of Differential
// Privacy", 2014, Section 3.3, suggests for linear queries. Differs: joint sensitivity.
type Variance struct{ asked[Estimate] }

// NewVariance checks the parameters.
func NewVariance(p VarianceParams) (*Variance, error) {
	last, err := p.Scale.check(2)
	if err != nil {
		return nil, err
	}
	if err := checkPeople(p.People); err != nil {
		return nil, err
	}
	v := newVariance(p.Scale, last, p.People)
	v.before = p.Before
	a, err := newAsked[Estimate](v,
		strength{epsilon: p.Epsilon, base: p.Base}, p.People, false)
	if err != nil {
		return nil, err
	}
	return &Variance{a}, nil
}

// squareBits is the number of bits of the codes whose squares are summed.
const squareBits = 31

// variance measures in half steps about the middle: y = 2·code − last, |y| ≤ last, and w = 2y² −
// last², |w| ≤ last².
type variance struct {
	shift  uint // low bits of a code that are dropped
	last   uint64
	half   *big.Rat // a half step, in the scale's unit
	slack  *big.Rat // what dropping bits can add to the variance, in half steps squared
	y, w   *big.Int // quanta
	weight uint64   // of Σ y; that of Σ w is 1
	within uint64   // the cost of replacing a value by a value
	lost   uint64   // the cost of losing a value, apart from the number of values
	people int64    // n
	before bool     // state the intervals of releases up to November 2026
}

func newVariance(scale Scale, last uint64, people int64) variance {
	v := variance{shift: uint(max(0, bits.Len64(last)-squareBits)), slack: new(big.Rat),
		people: people}
	v.last = last >> v.shift
	k := bigOf(v.last)
	v.half = new(big.Rat).
		Mul(scale.Step, new(big.Rat).SetFrac(new(big.Int).Lsh(bigOf(1), v.shift), bigOf(2)))
	if v.shift > 0 {
		// A code is at most a half step from the middle of its cell, and a standard deviation moves
		// no further than its rows.
		v.slack = ratOf(new(big.Int).Lsh(k, 1))
	}
	square := new(big.Int).Mul(k, k)
	v.y, v.w = quantum(new(big.Int).Lsh(k, 1), people), quantum(square, people)

	// Σ y gets the weight with which its share is about that of Σ w: 2·last half steps of y to one
	// of w.
	v.weight = ceilDiv(new(big.Int).Mul(new(big.Int).Lsh(k, 1), v.y), v.w).Uint64()
	v.within = v.replaceCost()
	v.lost = v.weight*ceilDiv(k, v.y).Uint64() + ceilDiv(square, v.w).Uint64()
	return v
}

// replaceCost bounds weight·⌈d/y⌉ + ⌈2·d·s/w⌉ for d = |y1 − y2| and s = |y1 + y2|, so d + s ≤
// 2·last. Each rounding adds less than 1. Without it the largest of κ·d + (2/w)·d·(2·last − d), κ =
// weight/y, is at d = last + κ·w/4, or at 2·last if that is less.
func (v variance) replaceCost() uint64 {
	k := ratOf(bigOf(v.last))
	slope := new(big.Rat).SetFrac(bigOf(v.weight), v.y)
	curve := new(big.Rat).SetFrac(bigOf(2), v.w)
	d := new(big.Rat).Quo(slope, new(big.Rat).Mul(curve, big.NewRat(2, 1)))
	d.Add(d, k)
	full := new(big.Rat).Add(k, k)
	if d.Cmp(full) > 0 {
		d = full
	}
	cost := new(big.Rat).Sub(full, d)
	cost.Mul(cost, curve).Add(cost, slope).Mul(cost, d)
	whole := new(big.Int).Quo(cost.Num(), cost.Denom()).Uint64()
	if v.y.Cmp(bigOf(1)) > 0 {
		whole += v.weight
	}
	if v.w.Cmp(bigOf(1)) > 0 {
		whole++
	}
	return whole
}

// design gives the number of values what replacing a value leaves over; by group, a third of the
// cost of losing one.
func (v variance) design(kind Kind, grouped bool) (design, bool) {
	if kind == Gaussian {
		return design{}, false
	}
	weight := uint64(1)
	if v.within > v.lost {
		weight = v.within - v.lost
	}
	if grouped {
		weight = max(1, v.lost/3)
	}
	return design{weights: []uint64{1, v.weight, weight}, within: max(v.within, v.lost+weight),
		absent: v.lost + weight}, true
}

func (v variance) add(t *tally, code uint64, ok bool, persons uint64) {
	if !ok {
		return
	}
	code = min(code>>v.shift, v.last) // H: sums.md in-codes
	t.valued += persons
	t.codes.add(code, persons)
	t.squares.add(code*code, persons)
}

// sums: Σ w = 8·Σ code² − 8·last·Σ code + last²·m, Σ y = 2·Σ code − last·m, and m.
func (v variance) sums(t *tally, _ bool) []int64 {
	k, m, codes := bigOf(v.last), bigOf(t.valued), t.codes.big()
	w := t.squares.big()
	w.Sub(w, new(big.Int).Mul(k, codes)).Lsh(w, 3)
	w.Add(w, new(big.Int).Mul(new(big.Int).Mul(k, k), m))
	y := codes.Lsh(codes, 1)
	y.Sub(y, k.Mul(k, m))
	return []int64{rounded(w, v.w), rounded(y, v.y), saturate(m)}
}

// answer returns (mean of w + last²)/2 − (mean of y)².
func (v variance) answer(n *Noise, grouped bool, beta float64, noisy []int64) Estimate {
	k := ratOf(bigOf(v.last))
	square := new(big.Rat).Mul(k, k)
	x := moments{w: new(big.Int).Mul(big.NewInt(noisy[0]), v.w),
		y: new(big.Int).Mul(big.NewInt(noisy[1]), v.y), count: big.NewInt(noisy[2])}
	one, least := atLeastOne(x.count), new(big.Rat).Neg(square)
	squares := Estimate{over(x.w, one), least, square}.clamp(least, square)
	mean := Estimate{over(x.y, one), new(big.Rat), k}.clamp(new(big.Rat).Neg(k), k)

	e := Estimate{Value: v.of(squares.Value, mean.Value)}
	e.Low, e.High = v.interval(n, grouped, beta, x)
	e.Low, e.High = e.Low.Sub(e.Low, v.slack), e.High.Add(e.High, v.slack)
	if e.Low.Cmp(e.Value) > 0 {
		e.Low = e.Value
	}
	if e.High.Cmp(e.Value) < 0 {
		e.High = e.Value
	}
	unit := new(big.Rat).Mul(v.half, v.half)
	for _, x := range []**big.Rat{&e.Value, &e.Low, &e.High} {
		*x = new(big.Rat).Mul(*x, unit)
	}
	return e.clamp(new(big.Rat), square.Mul(square, unit))
}

// of returns the variance where w and y have these means, in half steps squared.
func (v variance) of(squares, mean *big.Rat) *big.Rat {
	k := ratOf(bigOf(v.last))
	x := k.Mul(k, k).Add(k, squares)
	x.Quo(x, big.NewRat(2, 1))
	return x.Sub(x, new(big.Rat).Mul(mean, mean))
}

// bounds bounds the errors of the three sums, rounding included, each exceeded with probability at
// most beta/3.
func (v variance) bounds(n *Noise, beta float64) (w, y, m *big.Int) {
	w, y, m = big.NewInt(n.laws[0].bound(beta/3)), big.NewInt(n.laws[1].bound(beta/3)),
		big.NewInt(n.laws[2].bound(beta/3))
	w.Mul(w, v.w).Add(w, new(big.Int).Rsh(v.w, 1))
	y.Mul(y, v.y).Add(y, new(big.Int).Rsh(v.y, 1))
	return w, y, m
}

// forecast adds the errors of the two means: the mean of w counts half, and (mean of y)² moves at
// most 2·last times as much as the mean of y.
func (v variance) forecast(n *Noise, _ bool, persons int64) Forecast {
	boundW, boundY, boundM := v.bounds(n, Beta)
	k, m := toFloat(bigOf(v.last)), float64(max(persons, 1))
	slack := ratFloat(v.slack)
	unit := ratFloat(v.half)
	unit *= unit
	bound := k * k
	if s := toFloat(boundM); s < m {
		offW := (toFloat(boundW) + k*k*s) / (m - s)
		offY := (toFloat(boundY) + k*s) / (m - s)
		bound = min(bound, offW/2+2*k*offY+slack)
	}
	qw, qy := toFloat(v.w), toFloat(v.y)
	offW := (n.laws[0].expected*qw + qw/2 + k*k*n.laws[2].expected) / m
	offY := (n.laws[1].expected*qy + qy/2 + k*n.laws[2].expected) / m
	// with the mean half way to an end: half of k in place of k, and the noises are independent
	typical := math.Hypot(n.laws[0].expected*qw/2, k*n.laws[1].expected*qy)
	typical = math.Hypot(typical, k*k/4*n.laws[2].expected)/m + slack/2
	return Forecast{Expected: min(k*k, offW/2+2*k*offY+slack) * unit,
		Typical: min(k*k/2, typical) * unit, Bound: bound * unit}
}
