package mechanism

import (
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

// electSpace has three candidates, the values, and a person votes for one or none.
var electSpace = audit.Space{Persons: 4, Values: 3}

// elect releases the choice among three candidates by choose, from their scores.
func elect(weight int64,
	choose func(src coin.Source, scores []int64) (int, error)) func([]int) (*coin.Law[int], error) {
	return run(coin.Limits{}, func(src coin.Source, rows []int) (int, error) {
		scores := counts(rows, 3)
		for i := range scores {
			scores[i] *= weight
		}
		return choose(src, scores)
	})
}

// chooser is a mechanism that chooses among candidates by score.
type chooser interface {
	Mechanism
	Release(src coin.Source, scores []int64, step coin.Step) (int, error)
}

func by(m chooser) func(coin.Source, []int64) (int, error) {
	return func(src coin.Source, scores []int64) (int, error) { return m.Release(src, scores, nil) }
}

func exponential(r coin.Base, sensitivity uint64, oneSigned bool) chooser {
	return must(
		NewExponential(ExponentialParams{Base: r, Sensitivity: sensitivity, OneSigned: oneSigned}))
}

func permute(r coin.Base, sensitivity uint64, oneSigned bool) chooser {
	return must(
		NewPermuteAndFlip(
			PermuteAndFlipParams{Base: r, Sensitivity: sensitivity, OneSigned: oneSigned}))
}

// auditChooser audits a mechanism that takes its parameters as these two do.
func auditChooser(t *testing.T, name string,
	make func(r coin.Base, sensitivity uint64, oneSigned bool) chooser) {
	holds := func(detail string, space audit.Space, m chooser, weight int64) {
		audittest.Holds(
			t, audit.Audit[int]{Name: name + ", " + detail, Space: space, Claim: claimOf(m.Loss(1)),
				Law: elect(weight, by(m))})
	}
	r := base(3, 2)
	holds("base 3/2", electSpace, make(r, 1, false), 1)
	holds("scores in threes, base 5/4", electSpace, make(base(5, 4), 3, false), 3)
	added := electSpace
	added.AddRemove = true
	holds("one-signed, persons added or removed, base 3/2", added, make(r, 1, true), 1)
}

func TestAuditExponential(t *testing.T) {
	auditChooser(t, "exponential", exponential)
	granted := must(
		NewExponential(
			ExponentialParams{Epsilon: must(privacy.ParseEpsilon("0.5")), Sensitivity: 1}))
	audittest.Holds(
		t, audit.Audit[int]{Name: "exponential, ε = 0.5", Space: electSpace,
			Claim: claimOf(granted.Loss(1)), Law: elect(1, by(granted))})
}

// TestAuditExponentialGroups chooses a group of candidates of equal score, then one of it: as many
// candidates one by one.
func TestAuditExponentialGroups(t *testing.T) {
	m := must(NewExponential(ExponentialParams{Base: base(3, 2), Sensitivity: 1}))
	sameLaw(t, electSpace,
		elect(1, func(src coin.Source, scores []int64) (int, error) {
			i, err := m.ReleaseGroups(src, list{{scores[0], 2}, {scores[1], 0}, {scores[2], 3}},
				nil)
			return i, err
		}),
		elect(1, func(src coin.Source, scores []int64) (int, error) {
			i, err := m.Release(src, []int64{scores[0], scores[2], scores[2], scores[0], scores[2]},
				nil)
			return []int{0, 2, 2, 0, 2}[i], err
		}))
}

func TestAuditPermuteAndFlip(t *testing.T) { auditChooser(t, "permute and flip", permute) }

// plantChooser breaks what can go wrong in both.
func plantChooser(t *testing.T, name string,
	make func(r coin.Base, sensitivity uint64, oneSigned bool) chooser) {
	r := base(3, 2)
	claim := claimOf(make(r, 1, false).Loss(1))
	caught := func(detail string, claim audit.Claim,
		choose func(coin.Source, []int64) (int, error)) {
		audittest.Caught(
			t, audit.Audit[int]{Name: name + " " + detail, Space: electSpace, Claim: claim,
				Law: elect(1, choose)})
	}
	caught("with half the noise", claim, by(make(r.Pow(2), 1, false)))
	// H: exponential.md one-way
	caught("one-signed though persons are replaced", claimOf(make(r, 1, true).Loss(1)),
		by(make(r, 1, true)))
	// H: exponential.md moves
	caught("with sensitivity 1 for 2", claim, func(src coin.Source, scores []int64) (int, error) {
		return make(r, 1, false).
			Release(src, []int64{2 * scores[0], 2 * scores[1], 2 * scores[2]}, nil)
	})
	caught("among candidates with votes", claim, // H: exponential.md public-candidates
		func(src coin.Source, scores []int64) (int, error) {
			var named []int
			var kept []int64
			for i, s := range scores {
				if s > 0 {
					named, kept = append(named, i), append(kept, s)
				}
			}
			if len(kept) == 0 {
				return 0, nil
			}
			i, err := make(r, 1, false).Release(src, kept, nil)
			return named[i], err
		})
	caught("that breaks ties by the data", claim,
		func(src coin.Source, scores []int64) (int, error) {
			best, tied := 0, false
			for i, s := range scores {
				if i > 0 && s == scores[best] {
					tied = true
				}
				if s > scores[best] {
					best, tied = i, false
				}
			}
			if tied {
				return best, nil
			}
			return make(r, 1, false).Release(src, scores, nil)
		})
}

func TestPlantedExponential(t *testing.T) {
	plantChooser(t, "exponential", exponential)
	m := must(NewExponential(ExponentialParams{Base: base(3, 2), Sensitivity: 1}))
	audittest.Caught(
		t, audit.Audit[int]{
			// H: exponential.md public-candidates
			Name:  "exponential with multiplicities off by one where there are votes",
			Space: electSpace, Claim: claimOf(m.Loss(1)),
			Law: elect(1, func(src coin.Source, scores []int64) (int, error) {
				var groups list
				for _, s := range scores {
					groups = append(groups, list{{s, 1 + uint64(min(s, 1))}}...)
				}
				return m.ReleaseGroups(src, groups, nil)
			})})
}

func TestPlantedPermuteAndFlip(t *testing.T) {
	plantChooser(t, "permute and flip", permute)
	r := base(3, 2)
	claim := claimOf(permute(r, 1, false).Loss(1))
	flip := func(src coin.Source, scores []int64, order []int,
		coins func(behind uint64) coin.Chance) (int, error) {
		for _, i := range order {
			if src.Bernoulli(coins(uint64(max(scores[0], scores[1], scores[2]) - scores[i]))) {
				return i, nil
			}
		}
		return order[0], nil
	}
	fair := func(behind uint64) coin.Chance { return coin.Ratio(1, 1).TimesPower(r, behind) }
	audittest.Caught(
		t, audit.Audit[int]{Name: "permute and flip without permuting", Space: electSpace,
			Claim: claim,
			Law: elect(1, func(src coin.Source, scores []int64) (int, error) {
				return flip(src, scores, []int{0, 1, 2}, fair)
			})})
	orders := [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	audittest.Caught(
		t, audit.Audit[int]{Name: "permute and flip with coins off by one", Space: electSpace,
			Claim: claim,
			Law: elect(1, func(src coin.Source, scores []int64) (int, error) {
				return flip(src, scores, orders[src.Uniform(6)], func(behind uint64) coin.Chance {
					if behind == 0 {
						return coin.Ratio(1, 1)
					}
					return fair(behind + 1)
				})
			})})
}
