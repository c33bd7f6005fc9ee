package mechanism

import (
	"math"
	"math/big"
	"math/bits"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/privacy"
)

// GaussianParams are the parameters of Gaussian. Exactly one of Rho and Base is given.
type GaussianParams struct {
	// Rho is the zero-concentrated privacy loss granted for one replaced person.
	Rho privacy.Rho

	// Base is r itself, in place of Rho: the loss is then L2SensitivitySquared·ln r.
	Base coin.Base

	// L2SensitivitySquared bounds the change in all counts together when one person is replaced:
	// the sum of the squares of the changes. 1 for one count, 2 for a histogram of disjoint
	// classes, k for k counts by at most 1 each. At least 1; required.
	L2SensitivitySquared uint64
}

// Gaussian adds discrete Gaussian noise to counts: Pr[Z = z] proportional to r^(−z²).
//
// # Guarantee
//
// ρ-zCDP for neighbours that differ in one replaced person, n public, as long as the counts of
// neighbours differ by at most L2SensitivitySquared in sum of squares; (ε, δ) for any δ > 0 by
// [privacy.Loss.At]. It is never pure. Proof: gaussian.md. That counts move by no more is the
// caller's to show (H: gaussian.md moves).
//
// # Input and output
//
// As Laplace: a new slice of whole numbers, which saturate at int64.
//
// # Errors
//
// [*param.Error] (rho, base, l2SensitivitySquared) from the constructor; from Release only what
// step returns.
//
// # Cost and accuracy
//
// About 1.4 attempts per count for wide noise, at most 2.6 on average, each a geometric, a sign and
// a coin. Standard deviation at most StdDev = √(L2SensitivitySquared/(2ρ)).
//
// # Reference
//
// Canonne, Kamath, Steinke, "The Discrete Gaussian for Differential Privacy", 2020, Algorithm 3 and
// Theorem 4. Differs: r is rational, and the proposal's base is a whole power of r, so that every
// coin is one too.
type Gaussian struct {
	base      coin.Base
	proposal  coin.Base // r^(low + high)
	low, high uint64    // about the standard deviation; high is low or low + 1, and at least 1
	rho       privacy.Rho
	spend     *meter.Spend
}

// NewGaussian checks the parameters.
func NewGaussian(p GaussianParams) (*Gaussian, error) {
	if p.L2SensitivitySquared == 0 { // H: gaussian.md some-move
		return nil, refuse("l2SensitivitySquared", "0", "a whole number of at least 1")
	}
	m := &Gaussian{base: p.Base}
	switch {
	case p.Rho.IsSet() && !p.Base.IsOne(): // H: gaussian.md one-rate
		return nil, refuse("base", p.Base.String(), "no base where rho is given")
	case p.Rho.IsSet():
		base, err := coin.ExpBelow(new(big.Rat).Quo(p.Rho.Rat(), ratOf(p.L2SensitivitySquared)))
		if err != nil { // H: gaussian.md rate-size
			return nil, refuse("rho", p.Rho.String(), "at least 2^-60 for each unit of sensitivity")
		}
		m.base, m.rho = base, p.Rho
	case p.Base.IsOne(): // H: gaussian.md one-rate
		return nil, refuse("rho", param.NotSet, "a number above 0 and at most 5000")
	case p.Base.Log() > largestLog: // H: gaussian.md rate-size
		return nil, refuse("base", p.Base.String(), "a fraction above 1 and at most e^100")
	default:
		bound := privacy.LogUp(p.Base.Rat())
		rho, err := privacy.NewRho(bound.Mul(bound, ratOf(p.L2SensitivitySquared)))
		if err != nil { // H: gaussian.md rate-size
			return nil, refuse("base", p.Base.String(),
				"a base with l2SensitivitySquared·ln r at most 5000")
		}
		m.rho = rho
	}
	slope := uint64(max(1, math.Round(2*m.StdDev())))
	m.low, m.high = slope/2, slope-slope/2
	m.proposal = m.base.Pow(slope)
	m.spend = &meter.Spend{Name: "discrete Gaussian noise", Loss: privacy.ConcentratedLoss(m.rho),
		Claim: meter.Claim{L2Squared: p.L2SensitivitySquared}}
	return m, nil
}

// Loss is d²·ρ for data sets that differ in d persons.
func (m *Gaussian) Loss(d privacy.Distance) (privacy.Loss, error) {
	return privacy.ConcentratedLoss(m.rho).Group(d)
}

// Release returns counts with independent noise on each. step may be nil; its units are counts.
func (m *Gaussian) Release(src coin.Source, counts []int64, step coin.Step) ([]int64, error) {
	return meter.Draw(src, m.spend, values(counts), func(src coin.Source) ([]int64, error) {
		return m.release(src, counts, step)
	})
}

func (m *Gaussian) release(src coin.Source, counts []int64, step coin.Step) ([]int64, error) {
	noisy := make([]int64, len(counts))
	for i, count := range counts {
		if err := pause(step, i, len(counts)); err != nil {
			return nil, err
		}
		noisy[i] = m.addTo(src, count)
	}
	return noisy, nil
}

// AddTo is Release for one count.
func (m *Gaussian) AddTo(src coin.Source, count int64) int64 {
	in := func() meter.Input { return meter.Input{Values: []int64{count}} }
	noisy, _ := meter.Draw(src, m.spend, in, func(src coin.Source) (int64, error) {
		return m.addTo(src, count), nil
	})
	return noisy
}

// addTo tries until an attempt is accepted.
func (m *Gaussian) addTo(src coin.Source, count int64) int64 {
	for {
		size, down, accepted := m.attempt(src)
		switch {
		case accepted && down:
			return subSaturating(count, size)
		case accepted:
			return addSaturating(count, size)
		}
	}
}

// attempt draws a size with probability proportional to r^(−(low+high)·size) and a sign, and
// accepts with probability r^(−(size − low)(size − high)): together proportional to r^(−size²),
// since low·high is constant. No whole number lies between low and high, so the exponent is at
// least 0. Minus zero is never accepted.
func (m *Gaussian) attempt(src coin.Source) (size uint64, down, accepted bool) {
	size = src.Geometric(m.proposal)
	if down = src.Uniform(2) == 1; down && size == 0 {
		return size, down, false
	}
	top, rest := bits.Mul64(max(size, m.low)-min(size, m.low), max(size, m.high)-min(size, m.high))
	if !src.Bernoulli(coin.Ratio(1, 1).TimesPower(m.base, rest)) {
		return size, down, false
	}
	for range top { // the exponent has more than 64 bits: almost always refused at once
		for range 2 { // r^(−2^64) is twice the coin of half the exponent
			if !src.Bernoulli(coin.Ratio(1, 1).TimesPower(m.base, 1<<63)) {
				return size, down, false
			}
		}
	}
	return size, down, true
}

// Base is r.
func (m *Gaussian) Base() coin.Base { return m.base }

// StdDev is 1/√(2·ln r), in the unit of the counts, a bound on the standard deviation of the noise.
func (m *Gaussian) StdDev() float64 { return 1 / math.Sqrt(2*m.base.Log()) }

// ErrorBound returns a t with Pr[|noise| > t] ≤ beta for one count: the bound for a Gaussian with
// the same r, rounded up. It is 0 for beta ≥ 1 and the largest int64 for beta ≤ 0.
func (m *Gaussian) ErrorBound(beta float64) int64 {
	if !(beta > 0) {
		return math.MaxInt64
	}
	return ceilBound(m.StdDev() * math.Sqrt2 * math.Erfcinv(min(beta, 1)))
}
