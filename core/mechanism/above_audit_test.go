package mechanism

import (
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
)

// below is the outcome of a run that never answers "above"; else it is the index of the query that
// was.
const below = -1

// haltLaw is the exact law of a run, nothing cut. start draws the threshold's noise; far from the
// middle, where the noise reaches beyond reach, each answer's chance is a + b·r^(−distance), and
// the tail of the series is summed in closed form.
func haltLaw[T comparable](m *AboveThreshold, middle, reach int64, queries int,
	start func(coin.Source) int64,
	answers func(src coin.Source, height int64, rows []int) (T, error)) func([]int) (*coin.Law[T],
	error) {
	return func(rows []int) (*coin.Law[T], error) {
		at := func(height int64) (*coin.Law[T], error) {
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (T, error) {
				return answers(src, height, rows)
			})
		}
		heights, err := coin.Enumerate(coin.Limits{Top: uint64(reach)},
			func(src coin.Source) (int64, error) { return start(src), nil })
		if err != nil {
			return nil, err
		}
		return coin.Then(heights, func(height int64) (*coin.Law[T], error) {
			side := int64(1)
			switch height - middle {
			case -reach - 1:
				side = -1
			case reach + 1:
			default:
				return at(height)
			}
			return audit.Mixture(m.threshold.base, m.queries.base, queries,
				func(j uint64) (*coin.Law[T], error) {
					return at(height + side*int64(j))
				})
		})
	}
}

// firstAbove runs the queries against a noisy threshold until one is above.
func firstAbove(
	m *AboveThreshold) func(src coin.Source, height int64, values []int64) (int, error) {
	return func(src coin.Source, height int64, values []int64) (int, error) {
		r := &Run{mechanism: m, src: src, height: height}
		for i, v := range values {
			if yes, err := r.Above(v); yes || err != nil {
				return i, err
			}
		}
		return below, nil
	}
}

func aboveThreshold(r1, r2 coin.Base, sensitivity uint64, oneSigned bool) *AboveThreshold {
	return must(
		NewAboveThreshold(
			AboveThresholdParams{BaseThreshold: r1, BaseQueries: r2, Sensitivity: sensitivity,
				OneSigned: oneSigned}))
}

// questions are n queries that one person can move together: the count of 0 again and again, and
// last that of 1.
func questions(rows []int, n int, weight int64) []int64 {
	values := make([]int64, n)
	for i := range values {
		values[i] = weight * count(rows, 0)
	}
	values[n-1] = weight * count(rows, 1)
	return values
}

// asked are n questions, asked one after the other for being above 1.
func asked[T comparable](m *AboveThreshold, n int, weight int64,
	answers func(coin.Source, int64, []int64) (T, error)) func([]int) (*coin.Law[T], error) {
	return haltLaw(m, 1, 2*weight+2, n, func(src coin.Source) int64 {
		return m.Start(src, 1).height
	},
		func(src coin.Source, height int64, rows []int) (T, error) {
			return answers(src, height, questions(rows, n, weight))
		})
}

const manyQuestions = 8

var askedSpace = audit.Space{Persons: 2, Values: 2}

func TestAuditAboveThreshold(t *testing.T) {
	holds := func(name string, space audit.Space, m *AboveThreshold, weight int64) {
		audittest.Holds(
			t, audit.Audit[int]{Name: "AboveThreshold, " + name, Space: space,
				Claim: claimOf(m.Loss(1)), Law: asked(m, manyQuestions, weight, firstAbove(m))})
	}
	holds("bases 3/2 and 3/2", askedSpace, aboveThreshold(base(3, 2), base(3, 2), 1, false), 1)
	holds("bases 2 and 5/4", askedSpace, aboveThreshold(base(2, 1), base(5, 4), 1, false), 1)
	holds("queries in twos, bases 5/4 and 5/4", askedSpace,
		aboveThreshold(base(5, 4), base(5, 4), 2, false), 2)
	added := askedSpace
	added.AddRemove = true
	holds("one-signed, persons added or removed, bases 3/2 and 3/2", added,
		aboveThreshold(base(3, 2), base(3, 2), 1, true), 1)
}

// TestAuditAboveThresholdRun finds the same law, except for the tail that is cut, by running
// everything from Start on.
func TestAuditAboveThresholdRun(t *testing.T) {
	m := aboveThreshold(base(3, 2), base(2, 1), 1, false)
	for _, rows := range askedSpace.DataSets() {
		exact := must(asked(m, 3, 1, firstAbove(m))(rows))
		cut := must(
			coin.Enumerate(coin.Limits{Tail: big.NewRat(1, 1<<16)},
				func(src coin.Source) (int, error) {
					r := m.Start(src, 1)
					for i, v := range questions(rows, 3, 1) {
						if yes, err := r.Above(v); yes || err != nil {
							return i, err
						}
					}
					return below, nil
				}))
		for i := below; i < 3; i++ {
			if missing := new(big.Rat).Sub(exact.Mass(i), cut.Mass(i)); missing.Sign() < 0 ||
				missing.Cmp(cut.Cut()) > 0 {
				t.Errorf("data set %v: mass of %d is %v, by whole runs %v", rows, i,
					exact.Mass(i).FloatString(9), cut.Mass(i).FloatString(9))
			}
		}
	}
}

func TestPlantedAboveThreshold(t *testing.T) {
	r := base(3, 2)
	m := aboveThreshold(r, r, 1, false)
	claim := claimOf(m.Loss(1))
	caught := func(name string, claim audit.Claim, law func([]int) (*coin.Law[int], error)) {
		audittest.Caught(
			t, audit.Audit[int]{Name: "AboveThreshold " + name, Space: askedSpace, Claim: claim,
				Law: law})
	}
	half := aboveThreshold(r.Pow(2), r.Pow(2), 1, false)
	caught("with half the noise", claim, asked(half, manyQuestions, 1, firstAbove(half)))
	// H: above.md moves
	caught("with sensitivity 1 for 2", claim, asked(m, manyQuestions, 2, firstAbove(m)))
	signed := aboveThreshold(r, r, 1, true)
	caught("one-signed though persons are replaced", claimOf(signed.Loss(1)), // H: above.md one-way
		asked(signed, manyQuestions, 1, firstAbove(signed)))
	caught("with a noiseless threshold", claim,
		run(coin.Limits{}, func(src coin.Source, rows []int) (int, error) {
			return firstAbove(m)(src, 1, questions(rows, manyQuestions, 1))
		}))
	caught("with noiseless queries", claim,
		asked(m, manyQuestions, 1, func(_ coin.Source, height int64, values []int64) (int, error) {
			for i, v := range values {
				if v >= height {
					return i, nil
				}
			}
			return below, nil
		}))
	caught("that draws once for all queries", claim,
		run(coin.Limits{Tail: big.NewRat(1, 1<<16)},
			func(src coin.Source, rows []int) (int, error) {
				height, noise := m.Start(src, 1).height, m.queriesNoise.AddTo(src, 0)
				for i, v := range questions(rows, manyQuestions, 1) {
					if v+noise >= height {
						return i, nil
					}
				}
				return below, nil
			}))
	// Six questions, half of them for the count of 0 and half for that of 1: each answer tells a
	// little.
	audittest.Caught(
		// H: above.md halted
		t, audit.Audit[[6]bool]{Name: "AboveThreshold that goes on after the first above",
			Space: askedSpace, Claim: claim,
			Law: haltLaw(m, 1, 4, 6, func(src coin.Source) int64 { return m.Start(src, 1).height },
				func(src coin.Source, height int64, rows []int) (all [6]bool, err error) {
					for i := range all {
						all[i], err = (&Run{mechanism: m, src: src, height: height}).
							Above(count(rows, i/3))
					}
					return all, err
				})})
}

func clippedThreshold(d string) *ClippedThreshold {
	return must(NewClippedThreshold(ClippedThresholdParams{
		AboveThresholdParams: AboveThresholdParams{BaseThreshold: base(3, 2),
			BaseQueries: base(3, 2), Sensitivity: 1},
		Delta: delta(d), Cap: 2,
	}))
}

// wild are queries that are stable until one reaches the cap of 2. What comes after it may be
// anything, and is far below the threshold for data in which none does.
func wild(rows []int) []int64 {
	first, after := count(rows, 0), int64(-10)
	if first >= 2 && count(rows, 1)%2 == 1 {
		after = 10
	}
	return []int64{first, after, after}
}

var wildSpace = audit.Space{Persons: 4, Values: 2}

// clippedLaw is the law of the first "above" among the wild queries as clip passes them on.
func clippedLaw(m *ClippedThreshold,
	clip func() func(int64) int64) func([]int) (*coin.Law[int], error) {
	return haltLaw(m.above, m.threshold, 11+max(m.threshold, -m.threshold), 3,
		func(src coin.Source) int64 { return m.Start(src).run.height },
		func(src coin.Source, height int64, rows []int) (int, error) {
			values, next := wild(rows), clip()
			for i := range values {
				values[i] = next(values[i])
			}
			return firstAbove(m.above)(src, height, values)
		})
}

// itself clips as the mechanism does.
func itself(m *ClippedThreshold) func() func(int64) int64 {
	return func() func(int64) int64 { return (&Clip{Cap: m.cap}).Next }
}

func TestAuditClippedThreshold(t *testing.T) {
	for _, d := range []string{"0.2", "0.01"} {
		m := clippedThreshold(d)
		audittest.Holds(
			t, audit.Audit[int]{Name: "clipped AboveThreshold, bases 3/2 and 3/2, δ ≤ " + d,
				Space: wildSpace,
				Claim: claimOf(m.Loss(1)), Law: clippedLaw(m, itself(m))})
	}
}

// TestAuditClippedThresholdRun clips by the run that Start makes.
func TestAuditClippedThresholdRun(t *testing.T) {
	m := clippedThreshold("0.2")
	for height := int64(-3); height < 4; height++ {
		sameLaw(t, wildSpace,
			run(coin.Limits{}, func(src coin.Source, rows []int) (int, error) {
				r := m.Start(coin.NewSeeded(1))
				r.run.src, r.run.height = src, height
				for i, v := range wild(rows) {
					if yes, err := r.Above(v); yes || err != nil {
						return i, err
					}
				}
				return below, nil
			}),
			run(coin.Limits{}, func(src coin.Source, rows []int) (int, error) {
				values, next := wild(rows), itself(m)()
				for i := range values {
					values[i] = next(values[i])
				}
				return firstAbove(m.above)(src, height, values)
			}))
	}
}

func TestPlantedClippedThreshold(t *testing.T) {
	m := clippedThreshold("0.01")
	caught := func(name string, m *ClippedThreshold, clip func() func(int64) int64) {
		audittest.Caught(
			t, audit.Audit[int]{Name: "clipped AboveThreshold " + name, Space: wildSpace,
				Claim: claimOf(clippedThreshold("0.01").Loss(1)), Law: clippedLaw(m, clip)})
	}
	near := *m
	near.threshold = m.cap - 1
	caught("without a margin", &near, itself(m))
	caught("that clips one value at a time, without a margin", &near, func() func(int64) int64 {
		return func(v int64) int64 { return min(v, m.cap) }
	})
	caught("that does not clip", &near, func() func(int64) int64 { // H: clip.md clipped
		return func(v int64) int64 { return v }
	})
}
