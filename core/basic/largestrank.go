package basic

import (
	"math/big"
	"slices"

	"hush/core/coin"
)

// LargestRankError returns the number of persons by which the furthest of released values misses
// its target, in any group, rounded up: the largest of t − #{at most the value}, #{below it} − t
// and 0, t being the target's part of the group's persons with a value. It moves by at most 1 when
// a person is replaced: largesterror.md of core/mechanism, Lemma 1.
//
// chosen are the codes of ReleaseByGroup, or those of Release as the only group, with groups nil.
func (q *Quantiles) LargestRankError(values, groups Values, chosen [][]uint64,
	step coin.Step) (int64, error) {
	type rank struct{ below, equal int64 } // between the value before and this one; at it
	ranks := make([][]rank, len(chosen))
	for g, codes := range chosen {
		ranks[g] = make([]rank, len(codes)+1) // the last: above all of them
	}
	last := lastOf(q.size)
	err := scan(values, groups, uint64(len(chosen))-1, step,
		func(group, code uint64, ok bool, persons uint64) {
			if !ok {
				return
			}
			i, equal := slices.BinarySearch(chosen[group], min(code, last))
			if equal {
				ranks[group][i].equal += int64(persons)
			} else {
				ranks[group][i].below += int64(persons)
			}
		})
	if err != nil {
		return 0, err
	}
	furthest := new(big.Rat)
	for g, codes := range chosen {
		all := int64(0)
		for _, r := range ranks[g] {
			all += r.below + r.equal
		}
		below, upTo := int64(0), int64(0)
		for i, r := range ranks[g][:len(codes)] {
			if i == 0 || codes[i] != codes[i-1] { // equal codes count at the first of them
				below, upTo = upTo+r.below, upTo+r.below+r.equal
			}
			t := new(big.Rat).Mul(q.targets[i], new(big.Rat).SetInt64(all))
			for _, off := range []*big.Rat{
				new(big.Rat).Sub(t, new(big.Rat).SetInt64(upTo)),
				new(big.Rat).Sub(new(big.Rat).SetInt64(below), t),
			} {
				if off.Cmp(furthest) > 0 {
					furthest = off
				}
			}
		}
	}
	up := new(big.Int).Add(furthest.Num(), furthest.Denom())
	return up.Sub(up, oneInt).Quo(up, furthest.Denom()).Int64(), nil
}
