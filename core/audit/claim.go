package audit

import (
	"math/big"

	"hush/core/privacy"
)

// Claim is what an algorithm promises for neighbours: P(E) ≤ Odds·Q(E) + Delta for every set E of
// outputs, with Odds = e^ε.
type Claim struct {
	Odds  *big.Rat
	Delta *big.Rat
}

// ClaimOf returns the claim a loss makes. Where the loss does not know e^ε as a rational, Odds is
// the next below (relative 2^−120), so the audit is that much too strict. It is privacy.ErrNoBound
// for a loss without an ε.
func ClaimOf(loss privacy.Loss) (Claim, error) {
	if odds, ok := loss.Odds(); ok {
		return Claim{odds, loss.Delta()}, nil
	}
	epsilon, ok := loss.Epsilon()
	if !ok {
		return Claim{}, privacy.ErrNoBound
	}
	return Claim{privacy.ExpDown(epsilon), loss.Delta()}, nil
}

// Pure is the claim of ε-differential privacy with e^ε = num/den.
func Pure(num, den int64) Claim { return Claim{big.NewRat(num, den), new(big.Rat)} }

// Plus returns the claim for two releases together: odds multiply and δ add up (basic composition).
// It turns claims about the rounds of an algorithm into a claim about all of them.
func (c Claim) Plus(d Claim) Claim {
	return Claim{new(big.Rat).Mul(c.Odds, d.Odds), new(big.Rat).Add(c.Delta, d.Delta)}
}
