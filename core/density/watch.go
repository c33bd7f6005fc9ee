package density

import (
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/sample/crowd"
)

// Round is what happened in a round of [MERR]: for lessons on made-up data, never for a release.
type Round struct {
	At []*big.Int // the boundaries where it measured, ascending
	// persons below each boundary, with noise: a running sum over the regions between boundaries
	Measured []int64
	True     []int64 // the same without noise
	// break points of the approximation after it, from 0 to the size of the domain
	Breaks []*big.Int
	Values []int64 // persons below each break point by the approximation
}

// Watch runs MERR with seeded coins on made-up people, and shows what happened in each round; a
// Round reveals their codes, too. It returns what Release would with the same coins. Proof:
// merr.md, Theorem 2, covers that; the rounds have no guarantee.
func (m *MERR) Watch(seed coin.Seed,
	values crowd.MadeUp[[]uint64]) (rounds []Round, d *Distribution, err error) {
	return m.watch(seed, domain.SortedCodes(values.People(), m.bits))
}

func (m *MERR) watch(seed coin.Seed,
	codes domain.Sorted) (rounds []Round, d *Distribution, err error) {
	d, err = m.run(coin.NewSeeded(seed), codes, nil, func(r Round) { rounds = append(rounds, r) })
	return rounds, d, err
}

// told copies what a round has done.
func (l *learning) told(at []*big.Int, noisy []int64) Round {
	r := Round{At: at, Breaks: slices.Clone(l.a.at), Values: slices.Clone(l.a.value)}
	sum := int64(0)
	for i, b := range at {
		sum += noisy[i]
		below, _ := l.codes.Rank(b)
		r.Measured, r.True = append(r.Measured, sum), append(r.True, int64(below))
	}
	return r
}
