package mechanism

import (
	"cmp"
	"math"
	"strconv"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// LaplaceParams are the parameters of Laplace. Exactly one of Epsilon and Base is given.
type LaplaceParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon

	// Base is r itself, in place of Epsilon: the loss is then L1Sensitivity·ln r.
	Base coin.Base

	// L1Sensitivity bounds the change in all counts together when one person is replaced, in
	// counts: 1 for one count, 2 for a histogram of disjoint classes (one leaves a class, one joins
	// another). At least 1; required.
	L1Sensitivity uint64

	// LargestMove bounds the change of any one count in that case: 1 for tables. From 1 to
	// L1Sensitivity, for which 0 stands. ε does not depend on it; the smaller it is, the smaller is
	// ρ.
	LargestMove uint64
}

// Laplace adds discrete Laplace noise to counts.
//
// # Guarantee
//
// Pure ε-DP for neighbours that differ in one replaced person, n public, as long as the counts of
// neighbours differ by at most L1Sensitivity in sum of absolute values, and none by more than
// LargestMove. Its ρ is smaller than that of other mechanisms of this ε: that of T tables is
// ε·tanh(ε/4T). Exact: whole numbers and rationals only. Proof: laplace.md. That counts move by no
// more is the caller's to show, and how many there are is public (H: laplace.md moves,
// public-number).
//
// # Input and output
//
// Any number of counts, in persons, in any order; the result is a new slice of the same length, of
// whole numbers that may be negative. Sums saturate at int64, which is post-processing.
//
// # Errors
//
// [*param.Error] (epsilon, base, l1Sensitivity, largestMove) from the constructor; from Release
// only what step returns.
//
// # Cost and accuracy
//
// O(d) draws. Standard deviation StdDev ≈ √2·L1Sensitivity/ε; tails: ErrorBound.
//
// # Reference
//
// Ghosh, Roughgarden, Sundararajan, "Universally Utility-Maximizing Privacy Mechanisms", 2009 (the
// two-sided geometric law). Differs: e^(ε/L1Sensitivity) is replaced by a rational base rounded
// towards more privacy.
type Laplace struct {
	rate  rate
	noise LaplaceNoise
	spend *meter.Spend
}

// NewLaplace checks the parameters.
func NewLaplace(p LaplaceParams) (*Laplace, error) {
	if p.L1Sensitivity == 0 { // H: laplace.md some-move
		return nil, refuse("l1Sensitivity", "0", "a whole number of at least 1")
	}
	if p.LargestMove > p.L1Sensitivity { // H: laplace.md move-of-all
		return nil, refuse("largestMove", strconv.FormatUint(p.LargestMove, 10),
			"at most the sum of all moves")
	}
	rate, err := newRate(p.Epsilon, p.Base, p.L1Sensitivity)
	if err != nil {
		return nil, err
	}
	noise, err := NewLaplaceNoise(rate.base)
	if err != nil {
		return nil, err // unreachable: ExpBelow gives r > 1, and a base of 1 counts as not given
	}
	if p.L1Sensitivity > 1 { // otherwise it is randomised response, which has the largest ρ
		rate.rho = noise.Rho(p.L1Sensitivity, cmp.Or(p.LargestMove, p.L1Sensitivity))
	}
	return &Laplace{rate, noise, rate.spend("discrete Laplace noise", nil,
		meter.Claim{L1: p.L1Sensitivity, Each: p.LargestMove})}, nil
}

// Loss is the loss for data sets that differ in d persons: d·ε.
func (m *Laplace) Loss(d privacy.Distance) (privacy.Loss, error) { return m.rate.loss(d, nil) }

// Noise returns the law of the noise on each count.
func (m *Laplace) Noise() LaplaceNoise { return m.noise }

// Release returns counts with independent noise on each. step may be nil; its units are counts.
func (m *Laplace) Release(src coin.Source, counts []int64, // H: laplace.md whole
	step coin.Step) ([]int64, error) {
	return meter.Draw(src, m.spend, values(counts), func(src coin.Source) ([]int64, error) {
		return m.release(src, counts, step)
	})
}

func (m *Laplace) release(src coin.Source, counts []int64, step coin.Step) ([]int64, error) {
	noisy := make([]int64, len(counts))
	for i, count := range counts {
		if err := pause(step, i, len(counts)); err != nil {
			return nil, err
		}
		noisy[i] = m.noise.AddTo(src, count) // H: laplace.md own-noise
	}
	return noisy, nil
}

// AddTo is Release for one count.
func (m *Laplace) AddTo(src coin.Source, count int64) int64 {
	in := func() meter.Input { return meter.Input{Values: []int64{count}} }
	noisy, _ := meter.Draw(src, m.spend, in, func(src coin.Source) (int64, error) {
		return m.noise.AddTo(src, count), nil
	})
	return noisy
}

// StdDev is the standard deviation of the noise on one count, in persons.
func (m *Laplace) StdDev() float64 { return m.noise.StdDev() }

// ExpectedError is the mean of |noise| on one count, in persons.
func (m *Laplace) ExpectedError() float64 { return m.noise.ExpectedError() }

// ErrorBound is the smallest t with Pr[|noise| > t] ≤ beta for one count (LaplaceNoise.Bound).
func (m *Laplace) ErrorBound(beta float64) int64 { return m.noise.Bound(beta) }

// SimultaneousErrorBound is the smallest t such that with probability at least 1 − beta none of d
// counts is off by more than t. The noises are independent, so each may fail with probability 1 −
// (1−beta)^(1/d).
func (m *Laplace) SimultaneousErrorBound(beta float64, d int) int64 {
	return m.noise.Bound(-math.Expm1(math.Log1p(-beta) / float64(max(d, 1))))
}
