package mechanism

import (
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
)

// raceLaw is the law of the winner, candidate by candidate: the leader is all that one challenge
// passes on to the next. Noise is cut where less than 2^−16 is left.
func raceLaw(background []int64, marks func(int) []int, start func(coin.Source) leader,
	challenge func(src coin.Source, lead leader, i int, score int64) leader) func([]int) (
	*coin.Law[int], error) {
	limits := coin.Limits{Tail: big.NewRat(1, 1<<16)}
	kernels := map[[3]int64]*coin.Law[leader]{} // a challenge depends on no more than this
	return func(rows []int) (*coin.Law[int], error) {
		which, scores := touchedBy(rows, 3, background, marks)
		law, err := coin.Enumerate(limits, func(src coin.Source) (leader, error) {
			return start(src), nil
		})
		for i, score := range scores {
			if err != nil {
				return nil, err
			}
			law, err = coin.Then(law, func(lead leader) (*coin.Law[leader], error) {
				at := [3]int64{lead.height, score, 0}
				if kernels[at] == nil {
					law, err := coin.Enumerate(limits, func(src coin.Source) (leader, error) {
						return challenge(src, leader{lead.height, -1}, 0, score), nil
					})
					if err != nil {
						return nil, err
					}
					kernels[at] = law
				}
				next := coin.NewLaw[leader]()
				for _, o := range kernels[at].Outcomes() {
					after := leader{o.height, i}
					if o.index < 0 {
						after.index = lead.index
					}
					next.Add(after, kernels[at].Mass(o))
				}
				next.AddCut(kernels[at].Cut())
				return next, nil
			})
		}
		if err != nil {
			return nil, err
		}
		return coin.Then(law, func(lead leader) (*coin.Law[int], error) {
			winner := coin.NewLaw[int]()
			if lead.index >= 0 {
				lead.index = which[lead.index]
			}
			winner.Add(lead.index, big.NewRat(1, 1))
			return winner, nil
		})
	}
}

func noisyMax(r coin.Base, newcomers uint64) *NoisyMax {
	return must(NewNoisyMax(NoisyMaxParams{Base: r, Delta: delta("0.1"), Newcomers: newcomers}))
}

// every touches all candidates: three newcomers at most.
func every(int) []int { return []int{0, 1, 2} }

func all(score int64) []int64 { return []int64{score, score, score} }

var everySpace = audit.Space{Persons: 2, Values: 1}

var noisyMaxSpace = audit.Space{Persons: 3, Values: 3}

func TestAuditNoisyMax(t *testing.T) {
	m := noisyMax(base(2, 1), 1)
	holds := func(name string, space audit.Space, m *NoisyMax, background []int64,
		marks func(int) []int) {
		audittest.Holds(
			t, audit.Audit[int]{Name: "noisy max, " + name, Space: space, Claim: claimOf(m.Loss(1)),
				Law: raceLaw(background, marks, m.start, m.challenge)})
	}
	holds("few persons, base 2", noisyMaxSpace, m, nil, vote)
	holds("scores near the threshold, base 2", noisyMaxSpace, m,
		[]int64{m.threshold - 1, m.threshold - 1}, vote)
	two := noisyMax(base(2, 1), 2)
	three := noisyMax(base(2, 1), 3)
	holds("persons who raise every score, base 2", everySpace, three, all(three.threshold), every)
	holds("two newcomers, base 2", audit.Space{Persons: 3, Values: 2}, two, nil, path)
}

// TestAuditNoisyMaxRelease finds that Release has the same law as its rounds, except for the tail
// that is cut.
func TestAuditNoisyMaxRelease(t *testing.T) {
	m := noisyMax(base(2, 1), 1)
	whole := must(
		coin.Enumerate(coin.Limits{Tail: big.NewRat(1, 1<<10)}, func(src coin.Source) (int, error) {
			i, chosen, err := m.Release(src, []int64{3, 1}, nil)
			if chosen != (i >= 0) {
				t.Errorf("index %d, chosen %v", i, chosen)
			}
			return i, err
		}))
	rounds := must(raceLaw(nil, vote, m.start, m.challenge)([]int{0, 0, 0, 1}))
	for i := nothing; i < 2; i++ {
		apart := new(big.Rat).Sub(rounds.Mass(i), whole.Mass(i))
		if apart.Cmp(whole.Cut()) > 0 || apart.Neg(apart).Cmp(rounds.Cut()) > 0 {
			t.Errorf("mass of %d is %v by rounds, %v whole", i, rounds.Mass(i).FloatString(9),
				whole.Mass(i).FloatString(9))
		}
	}
}

func TestPlantedNoisyMax(t *testing.T) {
	r := base(2, 1)
	m := noisyMax(r, 1)
	claim := claimOf(m.Loss(1))
	near := []int64{m.threshold - 1, m.threshold - 1}
	caught := func(name string, space audit.Space, law func([]int) (*coin.Law[int], error)) {
		audittest.Caught(
			t, audit.Audit[int]{Name: "noisy max " + name, Space: space, Claim: claim, Law: law})
	}
	half := *m
	half.rate.base, half.noise = r.Pow(2), must(NewLaplaceNoise(r.Pow(2)))
	caught("with half the noise", noisyMaxSpace, raceLaw(near, vote, half.start, half.challenge))
	low := *m // the proof's δ is five times the true one, so a threshold too low by two would pass
	low.threshold -= 3
	caught("with a threshold too low by three", noisyMaxSpace,
		raceLaw(nil, vote, low.start, low.challenge))
	caught("that never returns ⊥", noisyMaxSpace,
		raceLaw(nil, vote, func(coin.Source) leader { return leader{-1 << 40, nothing} },
			func(src coin.Source, lead leader, i int, score int64) leader {
				height := m.noise.AddTo(src, score)
				if height <= lead.height {
					return lead
				}
				return leader{height, i}
			}))
	// Without noise of its own ⊥ tells about all scores at once.
	three := noisyMax(r, 3)
	audittest.Caught(
		t, audit.Audit[int]{Name: "noisy max with a noiseless threshold", Space: everySpace,
			Claim: claimOf(three.Loss(1)),
			Law: raceLaw(all(three.threshold), every, func(coin.Source) leader {
				return leader{three.threshold, nothing}
			}, three.challenge)})
	caught("that draws once for all candidates", noisyMaxSpace,
		run(coin.Limits{Tail: big.NewRat(1, 1<<12)},
			func(src coin.Source, rows []int) (int, error) {
				which, scores := touchedBy(rows, 3, near, vote)
				lead, noise := m.start(src), m.noise.AddTo(src, 0)
				for i, score := range scores {
					if score+noise > lead.height {
						lead = leader{score + noise, which[i]}
					}
				}
				return lead.index, nil
			}))
}
