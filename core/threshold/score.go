package threshold

import (
	"math/big"

	"hush/core/domain"
)

// Definitions returns by how many persons the usual definitions of a quantile differ, rounded up.
const Definitions = 3

// RankScore scores the values chosen for parts of the m persons who have a value: −⌈max_i max(p_i·m
// − notAbove_i, below_i − p_i·m)⌉, or 0. Replacing one person moves it by at most 1, for values
// that were released before (H: score.md fixed).
func RankScore(codes domain.Sorted, at []*big.Int, parts []*big.Rat) int64 {
	var worst farthest
	for i, code := range at {
		short, over := aside(codes, code, parts[i], 0)
		worst.of(short)
		worst.of(over)
	}
	return -worst.up()
}

// AroundScore is RankScore of at[1], at[4], …, with values around them that should be this many
// persons below and above: −⌈the largest of the terms of RankScore, below_lo − (p·m − around) and
// p·m + around − notAbove_hi⌉, or 0. Where it is at least [Definitions] − around, each quantile is
// between its two values. Replacing one person moves it by at most 1 (score.md).
func AroundScore(codes domain.Sorted, at []*big.Int, parts []*big.Rat, around int64) int64 {
	var worst farthest
	for i, part := range parts {
		_, over := aside(codes, at[3*i], part, -around)
		worst.of(over)
		short, over := aside(codes, at[3*i+1], part, 0)
		worst.of(short)
		worst.of(over)
		short, _ = aside(codes, at[3*i+2], part, around)
		worst.of(short)
	}
	return -worst.up()
}

// aside returns how many persons too few are at or below a value, and how many too many are below
// it, for a target this many persons beyond a part of them.
func aside(codes domain.Sorted, at *big.Int, part *big.Rat, beyond int64) (short, over *big.Rat) {
	below, notAbove := codes.Rank(at)
	target := new(big.Rat).Mul(part, big.NewRat(int64(codes.Len()), 1))
	target.Add(target, big.NewRat(beyond, 1))
	return new(big.Rat).Sub(target, big.NewRat(int64(notAbove), 1)),
		new(big.Rat).Sub(big.NewRat(int64(below), 1), target)
}

// farthest returns the largest of some numbers, and at least 0.
type farthest struct{ big.Rat }

func (l *farthest) of(x *big.Rat) {
	if x.Cmp(&l.Rat) > 0 {
		l.Set(x)
	}
}

// up returns the number rounded up.
func (l *farthest) up() int64 {
	whole, rest := new(big.Int).QuoRem(l.Num(), l.Denom(), new(big.Int))
	return whole.Int64() + int64(rest.Sign())
}

// Right returns the number of persons whom a cut classifies correctly; a cut whose At is nil is
// above all values. Replacing one person moves it by at most 1.
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
