package mechanism

import (
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

const nothing = -1 // ⊥

// touchedBy lists the candidates touched and their scores, when a person with value v touches those
// of marks(v).
func touchedBy(rows []int, candidates int, background []int64,
	marks func(v int) []int) (which []int, scores []int64) {
	all := make([]int64, candidates)
	copy(all, background)
	for _, v := range rows {
		if v == audit.None {
			continue
		}
		for _, c := range marks(v) {
			all[c]++
		}
	}
	for c, s := range all {
		if s > 0 {
			which, scores = append(which, c), append(scores, s)
		}
	}
	return which, scores
}

// vote touches the candidate of one's own value: one newcomer at most.
func vote(v int) []int { return []int{v} }

// path touches a leaf of the tree 2 → 0, 1 and its root: two newcomers at most.
func path(v int) []int { return []int{v, 2} }

// chooseTouched releases the candidate chosen by choose, by its name, or ⊥.
func chooseTouched(background []int64, marks func(int) []int,
	choose func(coin.Source, []int64) (int, bool, error)) func([]int) (*coin.Law[int], error) {
	return run(coin.Limits{}, func(src coin.Source, rows []int) (int, error) {
		which, scores := touchedBy(rows, 3, background, marks)
		i, chosen, err := choose(src, scores)
		if err != nil || !chosen {
			return nothing, err
		}
		return which[i], nil
	})
}

// stableChooser is a mechanism that chooses among touched candidates.
type stableChooser interface {
	Mechanism
	Release(src coin.Source, scores []int64, step coin.Step) (int, bool, error)
}

func byTouch(m stableChooser) func(coin.Source, []int64) (int, bool, error) {
	return func(src coin.Source, scores []int64) (int, bool, error) {
		return m.Release(src, scores, nil)
	}
}

func delta(text string) privacy.Delta { return must(privacy.ParseDelta(text)) }

func stable(r coin.Base, d string, newcomers uint64, oneSigned bool) *StableChoice {
	return must(
		NewStableChoice(
			StableChoiceParams{Base: r, Delta: delta(d), Newcomers: newcomers,
				OneSigned: oneSigned}))
}

var (
	voteSpace = audit.Space{Persons: 4, Values: 3}
	large     = []int64{30, 30, 29} // the scores of persons who stay, with which ⊥ is rare
	pathSpace = audit.Space{Persons: 4, Values: 2}
)

func TestAuditStableChoice(t *testing.T) {
	holds := func(name string, space audit.Space, m *StableChoice, background []int64,
		marks func(int) []int) {
		audittest.Holds(
			t, audit.Audit[int]{Name: "StableEM, " + name, Space: space, Claim: claimOf(m.Loss(1)),
				Law: chooseTouched(background, marks, byTouch(m))})
	}
	r := base(3, 2)
	holds("one newcomer, base 3/2", voteSpace, stable(r, "0.1", 1, false), nil, vote)
	holds("two newcomers, base 3/2", pathSpace, stable(r, "0.1", 2, false), nil, path)
	holds("large scores, base 3/2", voteSpace, stable(r, "0.001", 1, false), large, vote)
	added := voteSpace
	added.AddRemove = true
	holds("one-signed, persons added or removed, base 3/2", added, stable(r, "0.001", 1, true),
		large, vote)
	granted := must(
		NewStableChoice(
			StableChoiceParams{Epsilon: must(privacy.ParseEpsilon("1")), Delta: delta("3/100"),
				Newcomers: 1}))
	holds("ε = 1, δ = 0.03", voteSpace, granted, []int64{3}, vote)
}

// TestAuditStableChoiceKeepsScoreZero has scores that fall back to 0 while candidates stay touched:
// |count − 2|. With both counts at 2 all scores are 0, and one person who moves raises both.
// Candidates touched by count keep their weight at score 0, and one newcomer at most appears;
// candidates taken by score would be two newcomers at once.
func TestAuditStableChoiceKeepsScoreZero(t *testing.T) {
	space := audit.Space{Persons: 4, Values: 2}
	m := stable(base(3, 2), "0.1", 1, false)
	choose := func(touch func(count, score int64) bool) func([]int) (*coin.Law[int], error) {
		return run(coin.Limits{}, func(src coin.Source, rows []int) (int, error) {
			var which []int
			var scores []int64
			for c, n := range counts(rows, 2) {
				if score := max(n-2, 2-n); touch(n, score) {
					which, scores = append(which, c), append(scores, score)
				}
			}
			i, chosen, err := m.Release(src, scores, nil)
			if err != nil || !chosen {
				return nothing, err
			}
			return which[i], nil
		})
	}
	claim := claimOf(m.Loss(1))
	audittest.Holds(
		t, audit.Audit[int]{Name: "StableEM, touched by count, scores down to 0, base 3/2",
			Space: space, Claim: claim,
			Law: choose(func(count, score int64) bool { return count > 0 })})
	audittest.Caught(
		t, audit.Audit[int]{Name: "StableEM that forgets candidates of score 0", Space: space,
			Claim: claim,
			Law:   choose(func(count, score int64) bool { return count > 0 && score > 0 })})
}

// TestAuditStableChoiceGroups finds the law the same when candidates come in groups.
func TestAuditStableChoiceGroups(t *testing.T) {
	for _, d := range []string{"0.1", "3/10"} {
		m := stable(base(3, 2), d, 1, false)
		sameLaw(t, voteSpace,
			chooseTouched(nil, vote, func(src coin.Source, scores []int64) (int, bool, error) {
				var groups list
				for _, s := range scores {
					groups = append(groups, list{{s, 2}}...)
				}
				return m.ReleaseGroups(src, groups, nil)
			}),
			chooseTouched(nil, vote, func(src coin.Source, scores []int64) (int, bool, error) {
				var twice []int64
				for _, s := range scores {
					twice = append(twice, s, s)
				}
				i, chosen, err := m.Release(src, twice, nil)
				return i / 2, chosen, err
			}))
	}
}

// weigh chooses among scores and a ⊥ of a given score and multiplicity, at base r.
func weigh(r coin.Base, score int64, m uint64) func(coin.Source, []int64) (int, bool, error) {
	return func(src coin.Source, scores []int64) (int, bool, error) {
		groups := list{}
		for _, s := range scores {
			groups = append(groups, list{{-s, 1}}...)
		}
		if groups = append(groups, list{{-score, m}}...); len(scores) == 0 {
			return nothing, false, nil
		}
		i, err := src.Choose(groups, r, nil)
		return i, i < len(scores), err
	}
}

func TestPlantedStableChoice(t *testing.T) {
	r := base(3, 2)
	m := stable(r, "0.1", 1, false)
	caught := func(name string, space audit.Space, claim audit.Claim,
		law func([]int) (*coin.Law[int], error)) {
		audittest.Caught(
			t, audit.Audit[int]{Name: "StableEM " + name, Space: space, Claim: claim, Law: law})
	}
	claim := claimOf(m.Loss(1))
	// the twin before it is broken
	sameLaw(t, voteSpace, chooseTouched(nil, vote, byTouch(m)),
		chooseTouched(nil, vote, weigh(r, 1, 9)))
	caught("with a weight of ⊥ off by one", voteSpace, claim,
		chooseTouched(nil, vote, weigh(r, 1, 8)))
	caught("with ⊥ at score 0 for 1", voteSpace, claim, chooseTouched(nil, vote, weigh(r, 0, 9)))
	caught("that never returns ⊥", voteSpace, claim, chooseTouched(nil, vote, weigh(r, 0, 0)))
	caught("with half the noise", voteSpace, claim,
		chooseTouched(large, vote, byTouch(stable(r.Pow(2), "0.1", 1, false))))
	// H: stable.md newcomers
	caught("with one newcomer for two", pathSpace, claim, chooseTouched(nil, path, byTouch(m)))
	caught("among candidates of two persons and more", voteSpace, claim,
		func() func([]int) (*coin.Law[int], error) {
			return run(coin.Limits{}, func(src coin.Source, rows []int) (int, error) {
				var which []int
				var scores []int64
				for c, n := range counts(rows, 3) {
					if n > 1 {
						which, scores = append(which, c), append(scores, n)
					}
				}
				i, chosen, err := m.Release(src, scores, nil)
				if err != nil || !chosen {
					return nothing, err
				}
				return which[i], nil
			})
		}())
	caught("one-signed though persons are replaced", voteSpace, // H: stable.md common-moves
		claimOf(stable(r, "0.001", 1, true).Loss(1)),
		chooseTouched(large, vote, byTouch(stable(r, "0.001", 1, true))))
	caught("that breaks ties by the data", voteSpace, claim,
		chooseTouched(large, vote, func(src coin.Source, scores []int64) (int, bool, error) {
			if len(scores) > 1 && scores[0] == scores[1] {
				return 0, true, nil
			}
			return m.Release(src, scores, nil)
		}))
}

func choosing(r coin.Base, newcomers uint64) *Choosing {
	return must(
		NewChoosing(
			ChoosingParams{Base: r, Delta: delta("0.01"), Newcomers: newcomers,
				Beta: big.NewRat(99, 100)}))
}

// crowd brings scores to where the threshold is.
func crowd(threshold int64) []int64 { return []int64{threshold - 2, threshold - 3} }

func TestAuditChoosing(t *testing.T) {
	holds := func(name string, space audit.Space, m *Choosing, background []int64,
		marks func(int) []int) {
		audittest.Holds(
			t, audit.Audit[int]{Name: "choosing mechanism, " + name, Space: space,
				Claim: claimOf(m.Loss(1)), Law: chooseTouched(background, marks, byTouch(m))})
	}
	one := choosing(base(3, 2), 1)
	holds("few persons, base 3/2", voteSpace, one, nil, vote)
	holds("scores near the threshold, base 3/2", voteSpace, one, crowd(one.threshold), vote)
	two := choosing(base(3, 2), 2)
	holds("two newcomers, base 3/2", pathSpace, two, crowd(two.threshold), path)
}

func TestPlantedChoosing(t *testing.T) {
	r := base(3, 2)
	m := choosing(r, 1)
	claim := claimOf(m.Loss(1))
	caught := func(name string, background []int64,
		choose func(coin.Source, []int64) (int, bool, error)) {
		audittest.Caught(
			t, audit.Audit[int]{Name: "choosing mechanism " + name, Space: voteSpace, Claim: claim,
				Law: chooseTouched(background, vote, choose)})
	}
	choose := func(src coin.Source, scores []int64) (int, bool, error) {
		i, err := src.Choose(positive(scores), r, nil)
		return i, err == nil, err
	}
	best := func(scores []int64) int64 {
		b := int64(0)
		for _, s := range scores {
			b = max(b, s)
		}
		return b
	}
	caught("with a noiseless threshold", crowd(m.threshold),
		func(src coin.Source, scores []int64) (int, bool, error) {
			if best(scores) < m.threshold {
				return nothing, false, nil
			}
			return choose(src, scores)
		})
	caught("that never returns ⊥", nil, func(src coin.Source, scores []int64) (int, bool, error) {
		if len(scores) == 0 {
			return nothing, false, nil
		}
		return choose(src, scores)
	})
	// The constants of the literature are so loose that half the noise would keep the claim.
	caught("with a quarter of the noise", crowd(m.threshold),
		func(src coin.Source, scores []int64) (int, bool, error) {
			less := *m
			less.rate.base = r.Pow(4)
			less.noise = must(NewLaplaceNoise(r.Pow(4)))
			return less.Release(src, scores, nil)
		})
	caught("that tests without a threshold", nil,
		func(src coin.Source, scores []int64) (int, bool, error) {
			low := *m
			low.threshold = 0
			return low.Release(src, scores, nil)
		})
}
