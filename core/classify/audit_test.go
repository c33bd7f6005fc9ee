package classify

import (
	"math/big"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/privacy"
)

// claimOf is what an algorithm itself claims for one person replaced.
func claimOf(loss privacy.Loss, err error) audit.Claim {
	return must(audit.ClaimOf(must(loss, err)))
}

// tail cuts noise where it hardly matters: its mass makes the figures intervals.
var tail, fineTail = coin.Limits{Tail: big.NewRat(1, 1<<16)},
	coin.Limits{Tail: big.NewRat(1, 1<<26)}

// people turns values of a space into examples: 2i + 1 is the i-th of all points of the columns
// with a yes, 2i with a no.
func people(sizes []uint64, rows []int) []Example {
	points := everyPoint(sizes)
	examples := make([]Example, len(rows))
	for i, v := range rows {
		if v != audit.None {
			examples[i] = Example{points[v/2], v%2 == 1}
		}
	}
	return examples
}
