package privacy

import "math/big"

// Rest is what a top-up costs: a release that repeats a first one with less noise, so that both
// together cost whole, where first has been paid for already (H: rest.md paid-first), and nothing
// else tops it up (H: rest.md one-successor).
//
// Its ε is the difference of the two, and counts in sums with the first release only
// ([Loss.IsRest]): by itself, given the first answer, a top-up may cost as much as both. So rules
// that look at an ε alone, other than the sum, do not apply to it. rho bounds the ρ of the top-up
// given the first answer (H: rest.md rho-given-first), and stands by itself. Proof: rest.md.
//
// It is ErrNoBound unless both are pure, whole is above first, and first is no rest itself.
func Rest(whole, first Loss, rho *big.Rat) (Loss, error) {
	pure := func(l Loss) bool { return !l.noEpsilon && l.Delta().Sign() == 0 && !l.rest }
	if !pure(whole) || !pure(first) { // H: rest.md pure
		return Loss{}, ErrNoBound
	}
	more := new(big.Rat).Sub(whole.epsilonOrZero(), first.epsilonOrZero())
	if more.Sign() <= 0 { // H: rest.md more
		return Loss{}, ErrNoBound
	}
	rest := Loss{epsilon: more, rho: roundUp(rho), rest: true}
	if whole.odds != nil && first.odds != nil && whole.odds.Cmp(first.odds) > 0 {
		rest.odds = new(big.Rat).Quo(whole.odds, first.odds)
	}
	return rest, nil
}

// Whole returns a sum in which every rest stands beside the release that it repeats, as does the
// sum of all that was spent on a data set: its ε is the ε of everything. Proof: rest.md, Claim 1.
func (l Loss) Whole() Loss {
	l.rest = false
	return l
}

// IsRest reports whether an ε counts only in a sum, together with that of the release that a top-up
// repeats. That holds for a top-up, and for sums with one.
func (l Loss) IsRest() bool { return l.rest }
