package privacy

import (
	"math"
	"math/big"

	"hush/core/param"
)

// At states the loss as (ε, δ) with the given δ. The ε is the smaller of two: the loss's own, if
// its δ is at most delta, and the one converted from ρ with the part of delta beyond its own δ. The
// result keeps ρ.
//
// It is ErrNoBound where neither exists: delta is below the loss's own δ, or equal to it without an
// ε. Proof: concentrated.md.
func (l Loss) At(delta Delta) (Loss, error) {
	slack := new(big.Rat).Sub(delta.Rat(), l.Delta())
	if slack.Sign() < 0 || l.noEpsilon && slack.Sign() == 0 { // H: concentrated.md delta-above
		return Loss{}, ErrNoBound
	}
	if !l.noEpsilon {
		own := l
		if slack.Sign() == 0 {
			return own, nil
		}
		if converted := epsilonFromRho(l.Rho(), slack); own.epsilonOrZero().Cmp(converted) > 0 {
			return Loss{epsilon: converted, rho: l.Rho(), delta: delta.Rat()}, nil
		}
		own.delta = delta.Rat()
		return own, nil
	}
	return Loss{epsilon: epsilonFromRho(l.Rho(), slack), rho: l.Rho(), delta: delta.Rat()}, nil
}

// pureRho is the ρ of randomised response, ε·tanh(ε/2), rounded up: no mechanism of this ε has a
// larger one. Beyond the largest ε, tanh counts as 1.
//
// Reference: Harrison, Manurangsi, "Exact zCDP Characterizations for Fundamental Differentially
// Private Mechanisms", 2025. Proof: concentrated.md.
func (l Loss) pureRho() *big.Rat {
	epsilon, odds := l.epsilonOrZero(), l.odds
	switch {
	case epsilon.Sign() == 0:
		return new(big.Rat)
	case odds == nil && epsilon.Cmp(largestEpsilon) > 0:
		return roundUp(epsilon)
	case odds == nil:
		odds = ExpUp(epsilon)
	}
	tanh := new(big.Rat).Sub(odds, one)
	tanh.Quo(tanh, new(big.Rat).Add(odds, one))
	if half := new(big.Rat).Quo(epsilon, two); half.Cmp(tanh) < 0 {
		tanh = half // for an ε so small that the digits of e^ε do not suffice
	}
	return roundUp(tanh.Mul(tanh, epsilon))
}

// epsilonFromRho returns an ε such that ρ-zCDP implies (ε, δ)-DP, 0 < δ < 1: for any α > 1,
//
//	ε = α·ρ + ( ln(1/δ) + (α−1)·ln(1−1/α) − ln α ) / (α−1)
//
// will do. The α is sought in floats; the ε is then computed in rationals, rounded up.
//
// Reference: Canonne, Kamath, Steinke, "The Discrete Gaussian for Differential Privacy", 2020,
// Proposition 12 and Corollary 13 (the best closed conversion proven).
func epsilonFromRho(rho, delta *big.Rat) *big.Rat {
	if rho.Sign() == 0 {
		return new(big.Rat)
	}
	over := bestOrder(toFloat(rho), logFloat(delta)) // α − 1
	alpha := new(big.Rat).Add(one, over)
	sum := LogUp(new(big.Rat).Inv(delta))
	sum.Add(sum, new(big.Rat).Mul(over, LogUp(new(big.Rat).Quo(over, alpha))))
	sum.Sub(sum, LogDown(alpha))
	sum.Quo(sum, over)
	sum.Add(sum, new(big.Rat).Mul(alpha, rho))
	if sum.Sign() < 0 {
		return new(big.Rat)
	}
	return roundUp(sum)
}

// bestOrder seeks the α − 1 that makes ε smallest, by golden section on its logarithm. Any result
// gives a valid ε.
func bestOrder(rho, logDelta float64) *big.Rat {
	epsilon := func(u float64) float64 {
		a := math.Exp(u)
		return (1+a)*rho + (-logDelta-a*math.Log1p(1/a)-math.Log1p(a))/a
	}
	middle := math.Log(max(-logDelta, 1e-3)/rho) / 2
	low, high := max(middle-6, -30), min(middle+6, 60)
	const section = 0.6180339887498949
	for range 80 {
		left, right := high-section*(high-low), low+section*(high-low)
		if epsilon(left) < epsilon(right) {
			high = right
		} else {
			low = left
		}
	}
	return new(big.Rat).SetFloat64(math.Exp((low + high) / 2))
}

// RhoFor returns a ρ such that ρ-zCDP implies (ε, δ)-DP by At, within a relative 2^−30 of the
// largest one. It serves to choose Gaussian noise for a wanted (ε, δ). δ = 0 is a [*param.Error]:
// Gaussian noise is never pure.
func RhoFor(epsilon Epsilon, delta Delta) (Rho, error) {
	if !epsilon.IsSet() {
		return Rho{}, param.Refuse("privacy", "epsilon", param.NotSet, wantEpsilon)
	}
	if delta.IsZero() {
		return Rho{},
			param.Refuse("privacy", "delta", "0",
				"a number above 0: Gaussian noise has no guarantee without a δ")
	}
	reaches := func(rho *big.Rat) bool {
		return epsilonFromRho(rho, delta.Rat()).Cmp(epsilon.r) <= 0
	}
	// Halve until it fits, then narrow: ε grows with ρ.
	low := new(big.Rat).Set(largestRho)
	for !reaches(low) {
		low.Quo(low, big.NewRat(2, 1))
	}
	step := new(big.Rat).Set(low)
	for range 30 {
		step.Quo(step, big.NewRat(2, 1))
		if next := new(big.Rat).Add(low, step); reaches(next) {
			low = next
		}
	}
	return NewRho(roundDown(low))
}

func toFloat(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// logFloat returns ln x to float precision, even where x itself is too small for a float64.
func logFloat(x *big.Rat) float64 { return toFloat(LogUp(x)) }
