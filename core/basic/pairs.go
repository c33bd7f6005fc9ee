package basic

import (
	"slices"

	"hush/core/privacy"
)

// Pairs returns dominating pairs of a question's noisy sums, for one replaced person: a plan of
// many releases is composed from them ([privacy.ComposePlan]). ok is false where none are proved
// that are better than what the loss allows. Proof: sums.md, Theorem 8.
func (n *Noise) Pairs() (pairs []privacy.Pairs, ok bool) {
	claim := n.spend.Claim
	if len(n.laws) != 1 || n.moving == 0 || n.topUp != nil || n.average != nil ||
		n.spend.Person != nil {
		return nil, false
	}
	var pair privacy.Pair
	var err error
	shift, times := n.shifts()
	switch l := n.laws[0]; {
	case n.kind == Gaussian && claim.L2Squared <= 2:
		pair, err = privacy.GaussianPair(l.gaussian.Base().Rat(), 1)
		times = claim.L2Squared
	case n.kind == Laplace && shift > 0 && shift <= mostPairShift:
		pair, err = privacy.LaplacePair(l.laplace.Base().Rat(), int(shift))
	default:
		return nil, false
	}
	if err != nil {
		return nil, false
	}
	return []privacy.Pairs{{Pair: pair, Times: times}}, true
}

// shifts returns how far a sum moves, and how many sums do: the most that one moves, for as many as
// move at once; or, where a person who stays in a group moves its sum by much more than one who
// leaves it for another moves both, twice the latter, once.
func (n *Noise) shifts() (by, times uint64) {
	by, times = n.spend.Claim.Each, n.moving
	for _, move := range n.spend.Claim.Moves {
		if len(move) == 2 && times == 2 {
			if joins := slices.Max(move); 2*joins*joins < by*by {
				return max(by, 2*joins), 1
			}
		}
	}
	return by, times
}

// mostPairShift is the largest shift of a pair, in units of the noise.
const mostPairShift = 1 << 10
