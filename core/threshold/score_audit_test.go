package threshold

import (
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
)

// certified is a median, and what is released of its largest error.
type certified struct{ median, off int64 }

func largestError(r coin.Base) *mechanism.LargestError {
	return must(mechanism.NewLargestError(mechanism.LargestErrorParams{Base: r}))
}

// TestAuditLargestError: a median and its certificate cost what both say, in one law.
func TestAuditLargestError(t *testing.T) {
	half := []*big.Rat{big.NewRat(1, 2)}
	e := newExponential(big.NewInt(4), 2, base(5, 4), big.NewRat(1, 20))
	m := largestError(base(3, 2))
	audittest.Holds(t, audit.Audit[certified]{
		Name:  "exponential mechanism, base 5/4, and its largest error, base 3/2",
		Space: audit.Space{Persons: 3, Values: 4},
		Claim: audit.Pure(25*3, 16*2),
		Law: func(rows []int) (*coin.Law[certified], error) {
			return coin.Enumerate(coin.Limits{Top: 10}, func(src coin.Source) (certified, error) {
				codes := sortedRows(rows, 2)
				x, err := e.Release(src, codes, nil)
				if err != nil {
					return certified{}, err
				}
				off := m.Release(src, -RankScore(codes, []*big.Int{x}, half))
				return certified{x.Int64(), max(-4, min(off, 7))}, nil
			})
		}})
}

// TestAuditAroundScore: the largest error of a place and of values around it, all fixed.
func TestAuditAroundScore(t *testing.T) {
	at := []*big.Int{big.NewInt(1), big.NewInt(2), big.NewInt(2)}
	parts := []*big.Rat{big.NewRat(1, 3)}
	m := largestError(base(3, 2))
	audittest.Holds(t, audit.Audit[int64]{
		Name:  "largest error of values around a place, base 3/2",
		Space: audit.Space{Persons: 3, Values: 4}, Claim: audit.Pure(3, 2),
		Law: func(rows []int) (*coin.Law[int64], error) {
			return coin.Enumerate(coin.Limits{Top: 10}, func(src coin.Source) (int64, error) {
				return max(-4, min(m.Release(src, -AroundScore(sortedRows(rows, 2), at, parts, 2)),
					8)), nil
			})
		}})
}

// TestPlantedAroundScore: what must not be done with values around a place.
func TestPlantedAroundScore(t *testing.T) {
	at := []*big.Int{big.NewInt(1), big.NewInt(1), big.NewInt(2)}
	half := []*big.Rat{big.NewRat(1, 2)}
	m := largestError(base(3, 2))
	off := func(rows []int) int64 { return -AroundScore(sortedRows(rows, 2), at, half, 1) }
	for name, release := range map[string]func(coin.Source, []int) int64{
		"values around a place shown where they truly hold": func(src coin.Source,
			rows []int) int64 {
			if off(rows) > 1 {
				return 100
			}
			return max(-4, min(m.Release(src, off(rows)), 7))
		},
		"values around a place each with the noise of one": func(src coin.Source,
			rows []int) int64 {
			sum := int64(0)
			for _, side := range []*big.Int{at[0], at[2]} {
				sum += -RankScore(sortedRows(rows, 2), []*big.Int{side}, half)
			}
			return max(-4, min(m.Release(src, sum+off(rows)), 11))
		},
		"values around a place that follow how many have a value": func(src coin.Source,
			rows []int) int64 {
			codes := sortedRows(rows, 2)
			wide := -AroundScore(codes, at, half, 2*int64(codes.Len()))
			return max(-4, min(m.Release(src, wide), 11))
		},
	} {
		audittest.Caught(t, audit.Audit[int64]{Name: name,
			Space: audit.Space{Persons: 3, Values: 4}, Claim: audit.Pure(3, 2),
			Law: func(rows []int) (*coin.Law[int64], error) {
				return coin.Enumerate(coin.Limits{Top: 10},
					func(src coin.Source) (int64, error) { return release(src, rows), nil })
			}})
	}
}

// TestPlantedLargestError is about places that are fixed, so that nothing else hides a mistake.
func TestPlantedLargestError(t *testing.T) {
	parts := []*big.Rat{big.NewRat(1, 4), big.NewRat(1, 2), big.NewRat(9, 10)}
	at := []*big.Int{big.NewInt(0), big.NewInt(2), big.NewInt(2)}
	m := largestError(base(3, 2))
	largest := func(rows []int) int64 { return -RankScore(sortedRows(rows, 2), at, parts) }
	noisy := func(src coin.Source, rows []int) int64 {
		return max(-4, min(m.Release(src, largest(rows)), 7))
	}
	for name, release := range map[string]func(coin.Source, []int) int64{
		"largest error without noise": func(_ coin.Source, rows []int) int64 {
			return largest(rows)
		},
		"largest error unrounded": func(src coin.Source, rows []int) int64 {
			persons := int64(sortedRows(rows, 2).Len())
			return 100*noisy(src, rows) + persons%4 // fourths of a person
		},
		"largest error shown where it is small": func(src coin.Source, rows []int) int64 {
			if largest(rows) > 1 {
				return 100
			}
			return noisy(src, rows)
		},
		"largest error drawn again where it is large": func(src coin.Source, rows []int) int64 {
			first := noisy(src, rows)
			if first > 1 {
				return 100*first + noisy(src, rows)
			}
			return first
		},
		"sum of all errors for the largest": func(src coin.Source, rows []int) int64 {
			sum := int64(0)
			for i := range parts {
				sum -= RankScore(sortedRows(rows, 2), at[i:i+1], parts[i:i+1])
			}
			return max(-4, min(m.Release(src, sum), 11))
		},
		"largest error of a place that its noise moved": func(src coin.Source, rows []int) int64 {
			if first := noisy(src, rows); first > 1 {
				moved := []*big.Int{big.NewInt(1)}
				return 100 - RankScore(sortedRows(rows, 2), moved, parts[1:2])
			} else {
				return first
			}
		},
	} {
		audittest.Caught(t, audit.Audit[int64]{Name: name,
			Space: audit.Space{Persons: 3, Values: 4}, Claim: audit.Pure(3, 2),
			Law: func(rows []int) (*coin.Law[int64], error) {
				return coin.Enumerate(coin.Limits{Top: 10},
					func(src coin.Source) (int64, error) { return release(src, rows), nil })
			}})
	}
}
