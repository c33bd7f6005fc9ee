package mechanism

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/privacy"
)

// LaplaceNoise is the discrete Laplace law of base r > 1 on the whole numbers: Pr[Z = z] =
// (r−1)/(r+1) · r^(−|z|), that is PMF. It draws exactly that law. Proof: laplace.md, Lemma 1.
type LaplaceNoise struct {
	base  coin.Base
	zero  coin.Chance // Pr[Z = 0] = (r−1)/(r+1)
	above coin.Chance // Pr[Z ≥ 0] = r/(r+1)
}

// NewLaplaceNoise returns the law with base r, above 1 (with r = 1 there is no such law) and at
// most e^100; anything else is a *param.Error for field base.
func NewLaplaceNoise(r coin.Base) (LaplaceNoise, error) {
	if r.IsOne() || r.Log() > largestLog {
		return LaplaceNoise{}, refuse("base", r.String(), "a fraction above 1 and at most e^100")
	}
	exact := r.Rat()
	num, den := exact.Num(), exact.Denom()
	sum := new(big.Int).Add(num, den)
	return LaplaceNoise{base: r, zero: coin.RatioBig(new(big.Int).Sub(num, den), sum),
		above: coin.RatioBig(num, sum)}, nil
}

// AddTo returns count plus one draw, limited to int64 (which is post-processing).
//
// It flips for zero, then for the sign, then draws the size 1 + Geometric(r). A size beyond uint64
// saturates there, which makes no difference to a count of type int64.
func (z LaplaceNoise) AddTo(src coin.Source, count int64) int64 {
	if src.Bernoulli(z.zero) {
		return count
	}
	down := src.Uniform(2) == 1
	size := src.Geometric(z.base)
	if size < math.MaxUint64 {
		size++
	}
	if down {
		return subSaturating(count, size)
	}
	return addSaturating(count, size)
}

// AtLeast returns the exact chance Pr[Z ≥ s]: r^(1−s)/(r+1) for s ≥ 0, and 1 − Pr[Z ≥ 1−s] below
// it, by symmetry. A comparison with noise that nobody sees is one coin with this chance. Proof:
// laplace.md, Lemma 2.
func (z LaplaceNoise) AtLeast(s int64) coin.Chance {
	if s >= 0 {
		return z.above.TimesPower(z.base, uint64(s))
	}
	// 1−s, written so that no s overflows
	return z.above.TimesPower(z.base, 2+uint64(-(s+1))).Complement()
}

// rho returns the loss of one count that moves by shift, ρ = ln r·(shift − 2r/(r²−1)·(1 −
// r^(−shift))), rounded up. Proof: laplace.md, Lemma 4.
func (z LaplaceNoise) rho(shift uint64) *big.Rat {
	r := z.base.Rat()
	curve := new(big.Rat).Mul(r, r)
	curve.Quo(new(big.Rat).Add(r, r), curve.Sub(curve, oneRat))
	exponent, log := privacy.Log(r)
	exponent.Mul(exponent, ratOf(shift))
	if exponent.Cmp(largestDecay) > 0 {
		exponent.Set(largestDecay)
	}
	curve.Mul(curve, new(big.Rat).Sub(oneRat, privacy.ExpUp(exponent.Neg(exponent))))
	return log.Mul(log, curve.Sub(ratOf(shift), curve))
}

// never written to
var (
	oneRat       = big.NewRat(1, 1)
	largestDecay = big.NewRat(1000, 1) // r^(−shift) is below 10^-434, and counts as that
)

// Rho returns the loss of counts that move by at most total together and by at most each alone, 1 ≤
// each ≤ total, rounded up: the loss is largest where as many counts as possible move by each.
// Proof: laplace.md, Theorem 2.
func (z LaplaceNoise) Rho(total, each uint64) *big.Rat {
	rho := z.rho(each)
	rho.Mul(rho, ratOf(total/each))
	if rest := total % each; rest > 0 {
		rho.Add(rho, z.rho(rest))
	}
	return rho
}

// StdDev is the standard deviation √(2r)/(r−1), in the unit of the counts.
func (z LaplaceNoise) StdDev() float64 { return math.Sqrt2 / 2 / math.Sinh(z.base.Log()/2) }

// ExpectedError is the mean of |Z|, 2r/((r−1)(r+1)), in the unit of the counts.
func (z LaplaceNoise) ExpectedError() float64 { return 1 / math.Sinh(z.base.Log()) }

// Bound returns the smallest t with Pr[|Z| > t] = 2·r^(−t)/(r+1) ≤ beta, to a relative 10^-9 of
// beta; 0 for beta ≥ 1 and the largest int64 for beta ≤ 0.
func (z LaplaceNoise) Bound(beta float64) int64 {
	log := z.base.Log()
	return ceilBound((math.Ln2 - math.Log(beta) - log - math.Log1p(math.Exp(-log))) / log)
}

// Base is r.
func (z LaplaceNoise) Base() coin.Base { return z.base }

// Log is ln r, one over the law's scale.
func (z LaplaceNoise) Log() float64 { return z.base.Log() }

// SumBound returns a t such that with probability at least 1 − beta none of the sums of the first
// 1, 2, …, n independent noises is beyond ±t: by Doob's inequality for e^(λ·sum), whose mean is
// M(λ)^n with M(λ) = (1−q)²/((1−q·e^λ)(1−q·e^−λ)), q = 1/r, for the best of 199 λ.
func (z LaplaceNoise) SumBound(n int, beta float64) float64 {
	return z.WeightedBound(float64(n), beta)
}

// WeightedBound returns a t such that with probability at least 1 − beta the sum of independent
// noises times weights in [−1, 1], whose squares sum to at most squares, is not beyond ±t: as in
// SumBound, since M(λw) ≤ M(λ)^(w²) (package density, hierarchy.md, Theorem 2).
func (z LaplaceNoise) WeightedBound(squares, beta float64) float64 {
	log := z.base.Log()
	q, best := math.Exp(-log), math.Inf(1)
	for i := 1; i < 200; i++ {
		lambda := log * float64(i) / 200
		mean := 2*math.Log1p(-q) - math.Log1p(-q*math.Exp(lambda)) -
			math.Log1p(-q*math.Exp(-lambda))
		best = min(best, (math.Log(2/beta)+squares*mean)/lambda)
	}
	return best
}

// boundBelow returns the smallest t with Pr[Z < −t] = r^(−t)/(r+1) ≤ beta, to a relative 10^-9 of
// beta.
func (z LaplaceNoise) boundBelow(beta float64) int64 {
	log := z.base.Log()
	return ceilBound((-math.Log(beta) - log - math.Log1p(math.Exp(-log))) / log)
}

// addSaturating returns a + size, limited to int64. The distance to the largest number is at most
// 2^64 − 1, so it fits a uint64.
func addSaturating(a int64, size uint64) int64 {
	if size > uint64(math.MaxInt64)-uint64(a) {
		return math.MaxInt64
	}
	return int64(uint64(a) + size)
}

func subSaturating(a int64, size uint64) int64 {
	if size > uint64(a)-(1<<63) {
		return math.MinInt64
	}
	return int64(uint64(a) - size)
}
