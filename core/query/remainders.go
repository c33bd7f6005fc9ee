package query

import (
	"cmp"
	"math"
	"slices"
)

// LargestRemainders rounds numbers of at least 0 down, and those with the largest remainders up, so
// that the sum stays the same (Hamilton's method).
func LargestRemainders(list []float64) []int64 {
	counts, order, left := make([]int64, len(list)), make([]int, len(list)), 0.0
	rest := func(i int) float64 { return list[i] - math.Floor(list[i]) }
	for i, x := range list {
		counts[i], order[i], left = int64(math.Floor(x)), i, left+rest(i)
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(rest(k), rest(i)) })
	for _, i := range order[:min(int(math.Round(left)), len(order))] {
		counts[i]++
	}
	return counts
}
