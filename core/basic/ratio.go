package basic

import (
	"math"
	"math/big"
)

// ratio is the design of a mean whose denominator is private: it releases T = Σ y and the number m
// of persons with a value, for y = 2·code − last, that is, in half steps about the middle of the
// scale: |y| ≤ last. Replacing a value moves T by 2·last and leaves m; losing one moves T by last
// only, and m by 1. So the count rides along for nothing (about everybody). sums.md, Theorem 5.
type ratio struct {
	last    *big.Int
	quantum *big.Int // of T
	within  uint64   // ⌈2·last/quantum⌉
	absent  uint64   // ⌈last/quantum⌉
}

func newRatio(last uint64, people int64) ratio {
	r := ratio{last: bigOf(last)}
	twice := new(big.Int).Lsh(r.last, 1)
	r.quantum = quantum(twice, people)
	r.within, r.absent = ceilDiv(twice, r.quantum).Uint64(), ceilDiv(r.last, r.quantum).Uint64()
	return r
}

// design gives m what T leaves over. By group nothing is left over with Laplace noise, and m gets
// half of T's share; with Gaussian noise there is as much again.
func (r ratio) design(kind Kind, grouped bool) (design, bool) {
	if kind == Gaussian {
		room := r.within * r.within
		if grouped {
			room /= 2
		}
		square := r.absent * r.absent
		weight := uint64(1)
		if room > square {
			weight = max(1, new(big.Int).Sqrt(bigOf(room-square)).Uint64())
		}
		absent := square + weight*weight
		return design{weights: []uint64{1, weight}, within: max(r.within*r.within, absent),
			absent: absent}, true
	}
	weight := max(1, r.within-r.absent)
	if grouped {
		weight = max(1, r.absent/2)
	}
	return design{weights: []uint64{1, weight}, within: max(r.within, r.absent+weight),
		absent: r.absent + weight}, true
}

func (r ratio) sums(total *big.Int, persons uint64) []int64 {
	return []int64{rounded(total, r.quantum), saturate(bigOf(persons))}
}

// bounds are the bounds on the error of T, rounding included, and of m, each broken with
// probability at most beta/2.
func (r ratio) bounds(n *Noise) (total, persons *big.Int) {
	total = big.NewInt(n.laws[0].bound(Beta / 2))
	total.Mul(total, r.quantum).Add(total, new(big.Int).Rsh(r.quantum, 1))
	return total, big.NewInt(n.laws[1].bound(Beta / 2))
}

// answer is T/m in half steps, between −last and last.
func (r ratio) answer(n *Noise, noisy []int64) Estimate {
	total := new(big.Int).Mul(big.NewInt(noisy[0]), r.quantum)
	persons := big.NewInt(noisy[1])
	top, bottom := ratOf(r.last), new(big.Rat).Neg(ratOf(r.last))
	wideTotal, widePersons := r.bounds(n)
	few, many := span(persons, widePersons)
	e := Estimate{Value: over(total, atLeastOne(persons)), Low: bottom, High: top}
	if many.Sign() > 0 {
		e.Low, e.High = quotients(new(big.Int).Sub(total, wideTotal),
			new(big.Int).Add(total, wideTotal), few, many)
	}
	return e.clamp(bottom, top)
}

// forecast is in units of unit half steps. With |noise on T| ≤ t and |noise on m| ≤ s < m, the
// quotient is off by at most (t + last·s)/(m − s).
func (r ratio) forecast(n *Noise, persons int64, unit float64) Forecast {
	total, count := r.bounds(n)
	last, m := toFloat(r.last), float64(persons)
	bound := 2 * last
	if s := toFloat(count); s < m {
		bound = min(bound, (toFloat(total)+last*s)/(m-s))
	}
	rounding := toFloat(new(big.Int).Rsh(r.quantum, 1))
	expected := (n.laws[0].expected*toFloat(r.quantum) + rounding + last*n.laws[1].expected) /
		math.Max(m, 1)
	typical := (math.Hypot(n.laws[0].expected*toFloat(r.quantum), last/2*n.laws[1].expected) +
		rounding/2) / math.Max(m, 1)
	return Forecast{Expected: min(2*last, expected) * unit, Typical: min(last, typical) * unit,
		Bound: bound * unit}
}

// span is x ± by, from 1 up at its low end.
func span(x, by *big.Int) (low, high *big.Int) {
	return atLeastOne(new(big.Int).Sub(x, by)), new(big.Int).Add(x, by)
}

// quotients is the range of x/y for low ≤ x ≤ high and 1 ≤ few ≤ y ≤ many.
func quotients(low, high, few, many *big.Int) (least, most *big.Rat) {
	below, above := many, few
	if low.Sign() < 0 {
		below = few
	}
	if high.Sign() < 0 {
		above = many
	}
	return over(low, below), over(high, above)
}

func over(x, y *big.Int) *big.Rat { return new(big.Rat).SetFrac(x, y) }

func atLeastOne(x *big.Int) *big.Int {
	if x.Sign() <= 0 {
		return bigOf(1)
	}
	return x
}
