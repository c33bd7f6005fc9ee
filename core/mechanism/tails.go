package mechanism

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/privacy"
)

// The functions of this file bound exact tails of discrete Laplace noise by rationals, rounded up;
// δ rests on them. Formulas and proofs: tails.md.

// powerUp returns an upper bound on r^(−s), s ≥ 0, within a relative 2^−90 while s·ln r ≤ 65536.
func powerUp(r coin.Base, s int64) *big.Rat {
	exponent := new(big.Rat).Mul(privacy.LogDown(r.Rat()), new(big.Rat).SetInt64(s))
	return privacy.ExpUp(exponent.Neg(atMost(exponent, 1<<16)))
}

// powerDown returns a lower bound on r^(−s), s ≥ 0.
func powerDown(r coin.Base, s int64) *big.Rat {
	exponent := new(big.Rat).Mul(privacy.LogUp(r.Rat()), new(big.Rat).SetInt64(s))
	if exponent.Cmp(big.NewRat(1<<16, 1)) > 0 {
		return new(big.Rat)
	}
	return privacy.ExpDown(exponent.Neg(exponent))
}

func atMost(x *big.Rat, limit int64) *big.Rat {
	if top := big.NewRat(limit, 1); x.Cmp(top) > 0 {
		return top
	}
	return x
}

// tailUp returns an upper bound on Pr[Z ≥ s] = r^(1−s)/(r+1) for noise Z of base r and s ≥ 0.
func tailUp(r coin.Base, s int64) *big.Rat {
	x := r.Rat()
	x.Quo(x, new(big.Rat).Add(x, ratOf(1)))
	return x.Mul(x, powerUp(r, s))
}

// differenceUp returns an upper bound on Pr[Z1 − Z2 ≥ s] for independent noises of bases r1 and r2
// and s ≥ 1.
func differenceUp(r1, r2 coin.Base, s int64) *big.Rat {
	q1, q2 := new(big.Rat).Inv(r1.Rat()), new(big.Rat).Inv(r2.Rat())
	if q1.Cmp(q2) < 0 {
		r1, r2, q1, q2 = r2, r1, q2, q1
	}
	gap := new(big.Rat).Sub(q1, q2)
	if gap.Cmp(new(big.Rat).Mul(q1, big.NewRat(1, 1<<40))) < 0 {
		// wider noise on one side makes the tail heavier, for s ≥ 1
		return equalDifferenceUp(r1, q1, s)
	}
	// ((1−q2)²·q1^(s+1)/(1+q1) − (1−q1)²·q2^(s+1)/(1+q2)) / ((1−q1·q2)(q1−q2))
	first := tailTerm(q1, q2, powerUp(r1, s))
	second := tailTerm(q2, q1, powerDown(r2, s))
	scale := new(big.Rat).Mul(q1, q2)
	scale.Sub(ratOf(1), scale).Mul(scale, gap)
	return first.Sub(first, second).Quo(first, scale)
}

// tailTerm returns (1−other)²·q·power/(1+q).
func tailTerm(q, other, power *big.Rat) *big.Rat {
	rest := new(big.Rat).Sub(ratOf(1), other)
	rest.Mul(rest, rest).Mul(rest, q).Mul(rest, power)
	return rest.Quo(rest, new(big.Rat).Add(ratOf(1), q))
}

// equalDifferenceUp is differenceUp for two noises of the same base, with q = 1/r and s ≥ 0: q^s·(
// (1−q³)/(1+q)³ + q/(1+q) + s·(1−q)/(1+q)² ).
func equalDifferenceUp(r coin.Base, q *big.Rat, s int64) *big.Rat {
	up := new(big.Rat).Add(ratOf(1), q)
	cube := new(big.Rat).Mul(q, new(big.Rat).Mul(q, q))
	sum := new(big.Rat).
		Quo(cube.Sub(ratOf(1), cube), new(big.Rat).Mul(up, new(big.Rat).Mul(up, up)))
	sum.Add(sum, new(big.Rat).Quo(q, up))
	slope := new(big.Rat).Sub(ratOf(1), q)
	slope.Quo(slope, new(big.Rat).Mul(up, up))
	sum.Add(sum, slope.Mul(slope, new(big.Rat).SetInt64(s)))
	return sum.Mul(sum, powerUp(r, s))
}

// smallest returns the smallest s ≥ 0 with fits(s), for a fits that is false up to some point and
// true after it, by doubling and halving; the largest int64 if there is none below 2^62.
func smallest(fits func(s int64) bool) int64 {
	if fits(0) {
		return 0
	}
	low, high := int64(0), int64(1) // fits(low) is false
	for !fits(high) {
		if high >= 1<<61 {
			return math.MaxInt64
		}
		low, high = high, 2*high
	}
	for low+1 < high {
		if middle := low + (high-low)/2; fits(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// noThreshold refuses a δ that no threshold below 2^62 reaches.
func noThreshold(delta privacy.Delta) error {
	return refuse("delta", delta.String(), "a larger δ: no threshold below 2^62 reaches this one")
}

// checkDelta refuses δ = 0.
func checkDelta(delta privacy.Delta) error {
	if delta.IsZero() { // H: mechanism.md delta
		return refuse("delta", "0",
			"a number above 0 and below 1: this mechanism has no guarantee without a δ")
	}
	return nil
}
