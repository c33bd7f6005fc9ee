package threshold

import (
	"math/big"

	"hush/core/domain"
)

// RankScore says how good places are for parts of the m persons who have a value: −⌈max_i max(p_i·m
// − notAbove_i, below_i − p_i·m)⌉, or 0. Replacing one person moves it by at most 1 (score.md).
func RankScore(codes domain.Sorted, at []*big.Int, parts []*big.Rat) int64 {
	m, worst := big.NewRat(int64(codes.Len()), 1), new(big.Rat)
	for i, code := range at {
		below, notAbove := codes.Rank(code)
		target := new(big.Rat).Mul(parts[i], m)
		for _, off := range []*big.Rat{new(big.Rat).Sub(target, big.NewRat(int64(notAbove), 1)),
			new(big.Rat).Sub(big.NewRat(int64(below), 1), target)} {
			if off.Cmp(worst) > 0 {
				worst = off
			}
		}
	}
	up := new(big.Int).Add(worst.Num(), new(big.Int).Sub(worst.Denom(), big.NewInt(1)))
	return -up.Quo(up, worst.Denom()).Int64()
}

// Right is how many persons a cut answers rightly; one whose At is nil is above all values.
// Replacing one person moves it by at most 1.
func (l Labelled) Right(cut Cut) (persons int64) {
	below := l.Codes.Len()
	if cut.At != nil {
		below, _ = l.Codes.Rank(cut.At)
	}
	for i, yes := range l.Yes {
		if yes == (i >= below == cut.Above) {
			persons++
		}
	}
	return persons
}
