package mechanism

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/param"
	"hush/core/privacy"
)

// AveragedParams are the parameters of Averaged: the strength of a first release, and the strength
// that the average is to have after the second.
type AveragedParams struct {
	// First is the ρ of the release so far, and Then, above it, the ρ of both together.
	First, Then privacy.Rho

	// L2SensitivitySquared is the same for both releases; see GaussianParams.
	L2SensitivitySquared uint64
}

// Averaged improves counts that were released before with Gaussian noise, where the account is kept
// in ρ: it releases them once more for the remaining ρ, and the new answers are averaged with those
// so far, weighted by ρ ([Means]).
//
// # Guarantee
//
// ρ-zCDP, the difference of Then and First, for neighbours that differ in one replaced person, n
// public. It is a release of its own: nothing is asked of the first, and it may be chosen by any
// answers before. Proof: averaged.md.
//
// # Input and output
//
// The counts, and the answer so far to each: what the first release gave of the same counts, or an
// average of earlier ones, by this type and of its First; else errors are others (H: averaged.md
// same-counts). The averages are exact fractions.
//
// # Errors
//
// [*param.Error] (first, then, rho, l2SensitivitySquared) from the constructor.
//
// # Cost and accuracy
//
// A release. The averages have the variance of one release of Then, and bounds of at most 1 more.
//
// # Reference
//
// The mean by inverse variances of independent measurements, and that ρ adds up: Bun, Steinke,
// "Concentrated Differential Privacy", 2016, Lemma 2.3.
type Averaged struct {
	gaussian *Gaussian // the new release
	share    *big.Rat  // its part of an average: one over its variance, of that of both
}

// NewAveraged checks the parameters.
func NewAveraged(p AveragedParams) (*Averaged, error) {
	switch {
	case !p.First.IsSet():
		return nil, refuse("first", param.NotSet, "the ρ of the release so far")
	case !p.Then.IsSet() || p.Then.Rat().Cmp(p.First.Rat()) <= 0: // H: averaged.md more
		return nil, refuse("then", p.Then.String(), "more than ρ = %s of the release so far",
			p.First.String())
	}
	rho, err := privacy.NewRho(new(big.Rat).Sub(p.Then.Rat(), p.First.Rat()))
	if err != nil {
		return nil, err // unreachable: it is above 0 and below Then
	}
	m := &Averaged{share: new(big.Rat).Quo(rho.Rat(), p.Then.Rat())}
	m.gaussian, err = NewGaussian(
		GaussianParams{Rho: rho, L2SensitivitySquared: p.L2SensitivitySquared})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Loss is the loss of the new release for data sets that differ in d persons.
func (m *Averaged) Loss(d privacy.Distance) (privacy.Loss, error) { return m.gaussian.Loss(d) }

// Fresh draws the new release, the only part that looks at the counts. step may be nil; its units
// are counts.
func (m *Averaged) Fresh(src coin.Source, counts []int64, step coin.Step) ([]int64, error) {
	return m.gaussian.Release(src, counts, step)
}

// stdDev bounds the standard deviation of an average.
func (m *Averaged) stdDev() float64 {
	part, _ := m.share.Float64()
	return m.gaussian.StdDev() * math.Sqrt(part)
}

// off returns a t with Pr[|error of the sum of n averages| ≥ t] ≤ beta, beta in (0, 1): each noise
// is within 1 of a normal variable, and subgaussian.
func (m *Averaged) off(n int, beta float64) float64 {
	spread := m.stdDev() * math.Sqrt(float64(n))
	return min(spread*math.Sqrt(2*math.Log(2/beta)),
		spread*math.Sqrt2*math.Erfcinv(beta)+float64(n))
}

// WholeBound returns a whole t with Pr[|error| > t] ≤ beta for the sum of n averages, each rounded
// to the nearest whole number. It is 0 for beta ≥ 1 and the largest int64 for beta ≤ 0.
func (m *Averaged) WholeBound(n int, beta float64) int64 {
	switch {
	case !(beta > 0):
		return math.MaxInt64
	case beta >= 1:
		return 0
	}
	return ceilBound(m.off(n, beta) + float64(n)/2 - 1)
}

// Draw holds the numbers that one release with Gaussian noise drew, and their cost.
type Draw struct {
	Rho  privacy.Rho // for one replaced row and all numbers together
	Sums []int64
}

// TotalRho is the ρ of all these releases together.
func TotalRho(draws []Draw) *big.Rat {
	sum := new(big.Rat)
	for _, d := range draws {
		sum.Add(sum, d.Rho.Rat())
	}
	return sum
}

// Means returns the averages over releases with equally many numbers, at least one release,
// weighted by their ρ and rounded to whole numbers. All of it is public.
func Means(draws []Draw) []int64 {
	all, weights := TotalRho(draws), make([]*big.Rat, len(draws))
	for i, d := range draws {
		weights[i] = d.Rho.Rat()
		weights[i].Quo(weights[i], all)
	}
	means := make([]int64, len(draws[0].Sums))
	for j := range means {
		mean := new(big.Rat)
		for i, d := range draws {
			y := new(big.Rat).SetInt64(d.Sums[j])
			mean.Add(mean, y.Mul(y, weights[i]))
		}
		means[j] = Rounded(mean)
	}
	return means
}

// Rounded rounds an average of 64-bit numbers to the nearest whole number, and a half to the even
// one: noise that is symmetric around 0 stays symmetric.
func Rounded(mean *big.Rat) int64 {
	up := new(big.Int).Lsh(mean.Num(), 1)
	up.Add(up, mean.Denom())
	whole, rest := up.DivMod(up, new(big.Int).Lsh(mean.Denom(), 1), new(big.Int)) // rounds down
	if rest.Sign() == 0 && whole.Bit(0) == 1 {
		return whole.Int64() - 1
	}
	return whole.Int64()
}
