package basic

import "hush/core/privacy"

// Pairs are dominating pairs of a question's noisy sums, for one replaced person: a plan of many
// releases is composed of them ([privacy.ComposePlan]). ok is false where none are proved that are
// better than what the loss allows. Proof: sums.md, Theorem 8.
func (n *Noise) Pairs() (pairs []privacy.Pairs, ok bool) {
	claim := n.spend.Claim
	if len(n.laws) != 1 || n.moving == 0 || n.topUp != nil || n.average != nil ||
		n.spend.Person != nil {
		return nil, false
	}
	var pair privacy.Pair
	var err error
	times := n.moving
	switch l := n.laws[0]; {
	case n.kind == Gaussian && claim.L2Squared <= 2:
		pair, err = privacy.GaussianPair(l.gaussian.Base().Rat(), 1)
		times = claim.L2Squared
	case n.kind == Laplace && claim.Each > 0 && claim.Each <= mostPairShift:
		pair, err = privacy.LaplacePair(l.laplace.Base().Rat(), int(claim.Each))
	default:
		return nil, false
	}
	if err != nil {
		return nil, false
	}
	return []privacy.Pairs{{Pair: pair, Times: times}}, true
}

// mostPairShift is the largest shift of a pair, in units of the noise.
const mostPairShift = 1 << 10
