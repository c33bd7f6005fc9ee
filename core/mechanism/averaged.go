package mechanism

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// AveragedParams are the parameters of Averaged: those of a first release and of how much it is to
// be worth after the second. Exactly one sensitivity is given.
type AveragedParams struct {
	// First is the ρ of the release so far, and Then the ρ of both together, above it.
	First, Then privacy.Rho

	// L2SensitivitySquared is that of Gaussian noise, in both releases; see GaussianParams.
	L2SensitivitySquared uint64

	// L1Sensitivity and LargestMove are those of Laplace noise, in both; see LaplaceParams.
	L1Sensitivity, LargestMove uint64
}

// Averaged makes counts that were released before more exact, where the account is kept in ρ: it
// releases them once more for the ρ that is left, and averages both answers by their precision.
//
// # Guarantee
//
// ρ-zCDP, the difference of Then and First, for neighbours that differ in one replaced person, n
// public; pure too where the noise is Laplace. It is a release of its own: nothing is asked of the
// first, and it may be chosen by any answers before. Proof: averaged.md.
//
// # Input and output
//
// The counts, and the answer so far to each: what the first release gave, or an average of earlier
// ones, by this type and of its First. The averages are exact fractions.
//
// # Errors
//
// [*param.Error] (then, rho, l1Sensitivity, largestMove, l2SensitivitySquared) from the
// constructor; (first) from Release where the numbers are not as many as the counts.
//
// # Cost and accuracy
//
// A release, and two products of fractions for each count. With Gaussian noise the averages have
// the variance of one release of Then, and bounds of at most 1 more; with Laplace noise up to a
// tenth more variance where Then is at most 1/2.
//
// # Reference
//
// The mean by inverse variances of independent measurements, and that ρ adds up: Bun, Steinke,
// "Concentrated Differential Privacy", 2016, Lemma 2.3.
type Averaged struct {
	gaussian *Gaussian // nil: Laplace
	laplace  *Laplace
	// of the answer so far and of the new one: in proportion to one over their variances
	before, fresh *big.Rat
}

// NewAveraged checks the parameters.
func NewAveraged(p AveragedParams) (*Averaged, error) {
	switch {
	case !p.First.IsSet():
		return nil, refuse("first", param.NotSet, "the ρ of the release so far")
	case !p.Then.IsSet() || p.Then.Rat().Cmp(p.First.Rat()) <= 0:
		return nil, refuse("then", p.Then.String(), "more than ρ = %s of the release so far",
			p.First.String())
	case (p.L2SensitivitySquared > 0) == (p.L1Sensitivity > 0):
		return nil, refuse("l1Sensitivity", phrase.Of("%d", p.L1Sensitivity),
			"one sensitivity: of Gaussian noise, or of Laplace noise")
	}
	rho, err := privacy.NewRho(new(big.Rat).Sub(p.Then.Rat(), p.First.Rat()))
	if err != nil {
		return nil, err // unreachable: it is above 0 and below Then
	}
	if p.L2SensitivitySquared > 0 {
		m := &Averaged{before: p.First.Rat(), fresh: rho.Rat()}
		m.gaussian, err = NewGaussian(
			GaussianParams{Rho: rho, L2SensitivitySquared: p.L2SensitivitySquared})
		if err != nil {
			return nil, err
		}
		return m, nil
	}
	like, err := laplaceFor(p.First.Rat(), p.L1Sensitivity, p.LargestMove)
	if err != nil {
		return nil, err
	}
	m := &Averaged{before: like.noise.precision()}
	if m.laplace, err = laplaceFor(rho.Rat(), p.L1Sensitivity, p.LargestMove); err != nil {
		return nil, err
	}
	m.fresh = m.laplace.noise.precision()
	return m, nil
}

// laplaceFor is Laplace noise with at most that ρ, by an ε within a relative 2^-30 of the largest.
func laplaceFor(rho *big.Rat, total, each uint64) (m *Laplace, err error) {
	var low, high *big.Rat // ρ is at most ε²/2, and at least ε²/4 where ε is at most 1
	for low, high = new(big.Rat), big.NewRat(1<<6, 1); ; {
		gap := new(big.Rat).Sub(high, low)
		if m != nil && gap.Cmp(new(big.Rat).Mul(low, big.NewRat(1, 1<<30))) <= 0 {
			return m, nil
		}
		middle := gap.Add(low, gap.Quo(gap, big.NewRat(2, 1)))
		epsilon, wrong := privacy.NewEpsilon(middle)
		if wrong != nil {
			return nil, wrong
		}
		next, wrong := NewLaplace(LaplaceParams{Epsilon: epsilon, L1Sensitivity: total,
			LargestMove: each})
		if wrong != nil {
			return nil, wrong
		}
		loss, wrong := next.Loss(1)
		if wrong != nil {
			return nil, wrong // unreachable: Laplace has a loss
		}
		if loss.Rho().Cmp(rho) <= 0 {
			m, low = next, middle
		} else {
			high = middle
		}
	}
}

// precision is one over the variance of the noise, (r−1)²/(2r).
func (z LaplaceNoise) precision() *big.Rat {
	r := z.base.Rat()
	less := new(big.Rat).Sub(r, oneRat)
	return less.Mul(less, less).Quo(less, r.Add(r, r))
}

// Loss is what the new release costs, for data sets that differ in d persons.
func (m *Averaged) Loss(d privacy.Distance) (privacy.Loss, error) {
	if m.gaussian != nil {
		return m.gaussian.Loss(d)
	}
	return m.laplace.Loss(d)
}

// Release returns the averages. first is the answer so far to each count. step may be nil; its
// units are counts.
func (m *Averaged) Release(src coin.Source, counts []int64, first []*big.Rat,
	step coin.Step) ([]*big.Rat, error) {
	if len(first) != len(counts) {
		return nil, refuse("first", phrase.Of("%d numbers", len(first)),
			"one for each of %d counts", len(counts))
	}
	noisy, err := m.Fresh(src, counts, step)
	if err != nil {
		return nil, err
	}
	means := make([]*big.Rat, len(counts))
	for i, n := range noisy {
		means[i] = m.mean(first[i], n)
	}
	return means, nil
}

// Fresh is the new release alone, the only part that looks at the counts. step may be nil; its
// units are counts.
func (m *Averaged) Fresh(src coin.Source, counts []int64, step coin.Step) ([]int64, error) {
	if m.gaussian != nil {
		return m.gaussian.Release(src, counts, step)
	}
	return m.laplace.Release(src, counts, step)
}

// mean is the average of the answer so far and the new release: public numbers, by public weights.
func (m *Averaged) mean(first *big.Rat, fresh int64) *big.Rat {
	old := new(big.Rat).Mul(first, m.before)
	mean := new(big.Rat).SetInt64(fresh)
	mean.Mul(mean, m.fresh).Add(mean, old)
	return mean.Quo(mean, new(big.Rat).Add(m.before, m.fresh))
}

// StdDev is the standard deviation of an average, of Gaussian noise at most that.
func (m *Averaged) StdDev() float64 {
	if m.gaussian != nil {
		share := new(big.Rat).Quo(m.fresh, new(big.Rat).Add(m.before, m.fresh))
		part, _ := share.Float64()
		return m.gaussian.StdDev() * math.Sqrt(part)
	}
	precision, _ := new(big.Rat).Add(m.before, m.fresh).Float64()
	return 1 / math.Sqrt(precision)
}

// ErrorBound is a t with Pr[|error| > t] ≤ beta for one average: of Gaussian noise by its moments
// or by a normal law, of Laplace noise by Chernoff's bound for the two noises. It is 0 for beta ≥ 1
// and infinite for beta ≤ 0.
func (m *Averaged) ErrorBound(beta float64) float64 {
	switch {
	case !(beta > 0):
		return math.Inf(1)
	case beta >= 1:
		return 0
	case m.gaussian != nil:
		return m.off(1, beta)
	}
	before, _ := m.before.Float64()
	fresh, _ := m.fresh.Float64()
	// (r−1)²/(2r) = 2·sinh²(a/2)
	slow, fast := math.Asinh(math.Sqrt(before/2)), math.Asinh(math.Sqrt(fresh/2))
	all := before + fresh
	bound := math.Inf(1)
	most := min(2*slow*all/before, 2*fast*all/fresh)
	for step := 1.0; step < 200; step++ {
		lambda := most * step / 200
		log := moment(slow, lambda*before/all) + moment(fast, lambda*fresh/all)
		bound = min(bound, (log+math.Log(2/beta))/lambda)
	}
	return bound
}

// off is a t with Pr[|error of the sum of n averages| ≥ t] ≤ beta, of Gaussian noise, beta in (0,
// 1): each noise is within 1 of a normal variable, and subgaussian.
func (m *Averaged) off(n int, beta float64) float64 {
	spread := m.StdDev() * math.Sqrt(float64(n))
	return min(spread*math.Sqrt(2*math.Log(2/beta)),
		spread*math.Sqrt2*math.Erfcinv(beta)+float64(n))
}

// WholeBound is a whole t with Pr[|error| > t] ≤ beta for the sum of n averages of Gaussian noise,
// each rounded to the nearest whole number. It is 0 for beta ≥ 1 and the largest int64 for beta ≤
// 0, and with Laplace noise.
func (m *Averaged) WholeBound(n int, beta float64) int64 {
	switch {
	case !(beta > 0) || m.gaussian == nil:
		return math.MaxInt64
	case beta >= 1:
		return 0
	}
	return ceilBound(m.off(n, beta) + float64(n)/2 - 1)
}

// Draw holds the numbers that one release of Gaussian noise gave, and what it cost.
type Draw struct {
	Rho  privacy.Rho // of one replaced row, for all numbers together
	Sums []int64
}

// TotalRho is what releases cost together.
func TotalRho(draws []Draw) *big.Rat {
	sum := new(big.Rat)
	for _, d := range draws {
		sum.Add(sum, d.Rho.Rat())
	}
	return sum
}

// Means are the averages of releases of as many numbers each, at least one release, weighted by
// their ρ and rounded to whole numbers. All of it is public.
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

// Rounded rounds an average of numbers of 64 bits to the nearest whole number, and a half to the
// even one: noise that is as likely above 0 as below stays so.
func Rounded(mean *big.Rat) int64 {
	up := new(big.Int).Lsh(mean.Num(), 1)
	up.Add(up, mean.Denom())
	whole, rest := up.DivMod(up, new(big.Int).Lsh(mean.Denom(), 1), new(big.Int)) // rounds down
	if rest.Sign() == 0 && whole.Bit(0) == 1 {
		return whole.Int64() - 1
	}
	return whole.Int64()
}

// moment is ln E e^(λZ) = −ln(1 − sinh²(λ/2)/sinh²(a/2)) of Laplace noise with ln r = a = 2·half.
func moment(half, lambda float64) float64 {
	x := math.Sinh(lambda/2) / math.Sinh(half)
	return -math.Log1p(-min(x*x, 1))
}
