package density

import (
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// TestMERRSpendsWhatItClaims: all rounds, each with its own loss, compose to no more than is
// claimed, which is no more than was granted; and a round pays for a choice and for all that is
// measured.
func TestMERRSpendsWhatItClaims(t *testing.T) {
	for _, rule := range []Rule{Prefix, Capped, Intervals} {
		for _, rounds := range []int{1, 4, 20} {
			for _, recount := range []int{0, 4} {
				for _, text := range []string{"0", "1e-6"} {
					granted := delta(text)
					if rule == Capped && granted.IsZero() {
						continue
					}
					m := must(NewMERR(MERRParams{
						Epsilon: epsilon("1"), Delta: granted, Size: big.NewInt(1 << 20),
						Persons: 1000,
						Rule:    rule, Rounds: rounds, Recount: recount,
					}))
					losses := slices.Repeat([]privacy.Loss{m.round.Loss}, rounds)
					spent := must(privacy.Compose(losses, granted)).Loss
					if recount > 0 {
						spent = spent.Plus(must(m.recount.Loss(1)))
					}
					claimed := must(m.Loss(1))
					if !spent.AtMost(claimed) {
						t.Errorf("%s, %d rounds, recount %d, δ %s: claimed %v, spent %v",
							rule, rounds, recount, text, claimed, spent)
					}
					if !claimed.AtMost(privacy.ApproximateLoss(epsilon("1"), granted)) {
						t.Errorf("%s, %d rounds, recount %d, δ %s: claimed %v",
							rule, rounds, recount, text, claimed)
					}
				}
			}
		}
	}
}

// TestCountsSpendWhatTheyClaim: replacing any person moves the exact counts under the noise by at
// most the amount that the noise pays for, and somewhere by exactly that amount.
func TestCountsSpendWhatTheyClaim(t *testing.T) {
	const persons, size, share = 3, 5, 4
	space := audit.Space{Persons: persons, Values: size}
	histogram := must(NewHistogram(HistogramParams{
		Epsilon: epsilon("1"), Size: big.NewInt(size), Persons: persons, Cells: 3,
	}))
	hierarchy := must(NewHierarchy(HierarchyParams{
		Epsilon: epsilon("1"), Size: big.NewInt(size), Persons: persons, Levels: 3,
	}))
	merr := must(NewMERR(MERRParams{
		Epsilon: epsilon("1"), Size: big.NewInt(size), Persons: persons, Rounds: 2, Recount: share,
	}))
	cells := func(bounds []*big.Int) func(rows []int) []int64 {
		return func(rows []int) []int64 {
			return cellCounts(bounds, sortedRows(rows, bitsOf(big.NewInt(size))), persons)
		}
	}
	levels := func(rows []int) (all []int64) {
		counts := make([]int64, power(hierarchy.fanout, hierarchy.levels))
		copy(counts, cells(hierarchy.bounds)(rows))
		for range hierarchy.levels {
			all, counts = append(all, counts...), sumsOf(counts, hierarchy.fanout)
		}
		return all
	}
	for _, tt := range []struct {
		name   string
		noise  *mechanism.Laplace
		counts func(rows []int) []int64
		spent  float64 // ε
	}{
		{"histogram", histogram.counts, cells(histogram.bounds), 1},
		{"hierarchy", hierarchy.counts, levels, 1},
		{"recount", merr.recount, cells(equalCells(big.NewInt(size), 2)), share / 16.},
	} {
		worst := int64(0)
		for _, rows := range space.DataSets() {
			before := tt.counts(rows)
			for i := range rows {
				for value := audit.None; value < size; value++ {
					other := slices.Clone(rows)
					other[i] = value
					moved := int64(0)
					for j, count := range tt.counts(sortedCopy(other)) {
						moved += max(count-before[j], before[j]-count)
					}
					worst = max(worst, moved)
				}
			}
		}
		paid := float64(worst) * tt.noise.Noise().Log()
		if paid > tt.spent*(1+1e-9) || paid < tt.spent*(1-1e-6) {
			t.Errorf("%s: counts move by %d, which takes ε = %g of %g", tt.name, worst, paid,
				tt.spent)
		}
	}
}

// TestMERRChoosesWithTheBasePaidFor: what the choices of the rounds are drawn with, 2·ln r for a
// replaced person, is no more than what a choice is paid with.
func TestMERRChoosesWithTheBasePaidFor(t *testing.T) {
	for _, rule := range []Rule{Prefix, Capped, Intervals} {
		m := must(NewMERR(MERRParams{Epsilon: epsilon("1"), Delta: delta("1e-6"),
			Size: big.NewInt(1 << 20), Persons: 1000, Rule: rule}))
		paid, _ := m.choice.Loss.Epsilon()
		if drawn := m.base.Pow(2).Rat(); drawn.Cmp(privacy.ExpUp(paid)) > 0 {
			t.Errorf("%s: choices are drawn with base %v, paid with ε = %v", rule, m.base, paid)
		}
	}
}

// TestCappedScores: no node has a score above the number of people in it, so that one which a
// person joins alone has at most 1.
func TestCappedScores(t *testing.T) {
	d := &dyadic{sortedRows([]int{3, 3, 9}, 4), newApproximation(big.NewInt(16), 1000), true}
	for depth := range 5 {
		for i, people := range []int64{2, 2, 1} {
			v := d.at(i, depth, 0, 3)
			if depth < 1 {
				people = 3
			}
			if score := d.score(v); score > people {
				t.Errorf("a node at depth %d with %d people has the score %d", depth, people, score)
			}
		}
	}
}
