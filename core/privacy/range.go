package privacy

import "math/big"

// Ranged returns l for a mechanism of bounded range: for any two neighbours the losses ln(p/p') of
// all outcomes, apart from δ, lie in one interval of length ε, whereas other mechanisms of this ε
// need 2ε. Choices by weights r^score are of this kind (H: range.md weights); permute and flip,
// noisy maxima and AboveThreshold are not. ρ is then at most ε²/8. It panics for a loss without an
// ε.
//
// The range is of use where choices repeat; sums of losses keep their ρ and have no range of their
// own, since where the interval lies may depend on earlier results. Proof: range.md.
//
// Reference: Cesar, Rogers, "Bounding, Concentrating, and Truncating: Unifying Privacy Loss
// Composition for Data Analytics", 2021.
func (l Loss) Ranged() Loss {
	if l.noEpsilon || l.rest { // H: range.md own-epsilon
		panic("privacy: internal error: a range without an ε of its own")
	}
	square := new(big.Rat).Mul(l.epsilonOrZero(), l.epsilonOrZero())
	l = l.WithRho(square.Quo(square, big.NewRat(8, 1)))
	l.ranged = true
	return l
}

// ChoiceLoss is ε-differential privacy of bounded range.
func ChoiceLoss(epsilon Epsilon) Loss { return PureLoss(epsilon).Ranged() }
