package audit

import (
	"math/big"
	"sort"

	"hush/core/coin"
)

// Delta returns the smallest δ with P(E) ≤ odds·Q(E) + δ for every set E of outcomes, P and Q being
// the laws p and q: the hockey-stick divergence Σ max(0, P(o) − odds·Q(o)), where odds stands for
// e^ε. Mass that was cut from the laws may lie anywhere, so the answer is between low and high;
// they are equal when nothing was cut.
func Delta[T comparable](p, q *coin.Law[T], odds *big.Rat) (low, high *big.Rat) {
	return over(p).delta(over(q), odds)
}

// Odds returns the smallest odds ≥ 1 with P(E) ≤ odds·Q(E) + delta for every E: e^ε for the exact ε
// at this δ. With delta = 0 it is the largest ratio P(o)/Q(o). It is nil when no odds suffice: more
// than delta of P lies where Q has nothing. Mass cut from p counts against it.
func Odds[T comparable](p, q *coin.Law[T], delta *big.Rat) *big.Rat {
	return over(p).odds(over(q), delta)
}

// Compare returns the figures for two laws both ways, without data sets: what [Delta] and [Odds]
// return, with the laws prepared once.
func Compare[T comparable](p, q *coin.Law[T], claim Claim) (forth, back Figure) {
	x, y := over(p), over(q)
	return x.figure(y, claim), y.figure(x, claim)
}

func (p fractions[T]) figure(q fractions[T], claim Claim) (f Figure) {
	f.Low, f.High = p.delta(q, claim.Odds)
	f.Odds = p.odds(q, claim.Delta)
	return f
}

// fractions is a law over one denominator, so that pairs of laws are compared as whole numbers.
// Rationals would be reduced to lowest terms at every step, which takes nearly all the time.
type fractions[T comparable] struct {
	outcomes []T
	mass     map[T]*big.Int
	cut, den *big.Int
}

func over[T comparable](law *coin.Law[T]) fractions[T] {
	f := fractions[T]{law.Outcomes(), map[T]*big.Int{}, new(big.Int),
		new(big.Int).Set(law.Cut().Denom())}
	common := new(big.Int)
	for _, o := range f.outcomes {
		den := law.Mass(o).Denom()
		common.GCD(nil, nil, f.den, den)
		f.den.Mul(f.den, common.Quo(den, common))
	}
	times := func(x *big.Rat) *big.Int {
		n := new(big.Int).Quo(f.den, x.Denom())
		return n.Mul(n, x.Num())
	}
	for _, o := range f.outcomes {
		f.mass[o] = times(law.Mass(o))
	}
	f.cut = times(law.Cut())
	return f
}

// of returns the mass of an outcome, 0 if it has none.
func (f fractions[T]) of(o T) *big.Int {
	if mass := f.mass[o]; mass != nil {
		return mass
	}
	return new(big.Int)
}

func (p fractions[T]) delta(q fractions[T], odds *big.Rat) (low, high *big.Rat) {
	// In units of 1/(den of P · den of Q · den of odds).
	mine, theirs := new(big.Int).Mul(q.den, odds.Denom()), new(big.Int).Mul(p.den, odds.Num())
	unit := new(big.Int).Mul(p.den, mine)
	sum, a, b := new(big.Int), new(big.Int), new(big.Int)
	for _, o := range p.outcomes {
		if a.Sub(a.Mul(p.of(o), mine), b.Mul(q.of(o), theirs)); a.Sign() > 0 {
			sum.Add(sum, a)
		}
	}
	high = new(big.Rat).SetFrac(a.Add(sum, a.Mul(p.cut, mine)), unit)
	if sum.Sub(sum, b.Mul(q.cut, theirs)); sum.Sign() < 0 {
		sum.SetInt64(0)
	}
	return new(big.Rat).SetFrac(sum, unit), high
}

// odds: the divergence is the largest P(S) − odds·Q(S) over the sets S of outcomes with the largest
// ratios, so the answer is the largest (P(S) − delta)/Q(S). That grows with S as long as the next
// ratio is above it.
func (p fractions[T]) odds(q fractions[T], delta *big.Rat) *big.Rat {
	type point struct{ p, q *big.Int }
	var points []point
	// left is P(S) − delta in units of 1/(den of P · den of delta), starting with the S on which Q
	// has nothing.
	left := new(big.Int).Mul(p.cut, delta.Denom())
	left.Sub(left, new(big.Int).Mul(delta.Num(), p.den))
	for _, o := range p.outcomes {
		x := point{new(big.Int).Mul(p.of(o), delta.Denom()), q.of(o)}
		if x.q.Sign() > 0 {
			points = append(points, x)
		} else {
			left.Add(left, x.p)
		}
	}
	if left.Sign() > 0 {
		return nil
	}
	a, b := new(big.Int), new(big.Int)
	// of the ratios p/q
	compare := func(x, y point) int { return a.Mul(x.p, y.q).Cmp(b.Mul(y.p, x.q)) }
	sort.Slice(points, func(i, j int) bool { return compare(points[i], points[j]) > 0 })
	sum := point{left, new(big.Int)}
	best := point{new(big.Int), big.NewInt(1)}
	for _, x := range points {
		if compare(x, best) <= 0 {
			break
		}
		sum.p.Add(sum.p, x.p)
		sum.q.Add(sum.q, x.q)
		if sum.p.Sign() > 0 {
			best = sum
		}
	}
	odds := new(big.Rat).
		SetFrac(new(big.Int).Mul(best.p, q.den),
			new(big.Int).Mul(best.q, new(big.Int).Mul(p.den, delta.Denom())))
	if odds.Cmp(one) < 0 {
		return big.NewRat(1, 1)
	}
	return odds
}

var one = big.NewRat(1, 1) // never written to
