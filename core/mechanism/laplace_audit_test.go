package mechanism

import (
	"math"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

const edge = 2 // counts are clamped this far outside their range

// noisyCount releases how many persons have the value 0.
func noisyCount(m *Laplace, persons int) func([]int) (*coin.Law[int64], error) {
	return run(coin.Limits{Top: top(persons, edge)},
		func(src coin.Source, rows []int) (int64, error) {
			noisy, err := m.Release(src, []int64{count(rows, 0)}, nil)
			if err != nil {
				return 0, err
			}
			return clamp(noisy[0], persons, edge), nil
		})
}

// noisyPair releases how many persons have each of two values, as release does it.
func noisyPair(persons int,
	release func(coin.Source, []int64) ([]int64, error)) func([]int) (*coin.Law[[2]int64], error) {
	return run(coin.Limits{Top: top(persons, edge)},
		func(src coin.Source, rows []int) ([2]int64, error) {
			noisy, err := release(src, counts(rows, 2))
			if err != nil {
				return [2]int64{}, err
			}
			return [2]int64{clamp(noisy[0], persons, edge), clamp(noisy[1], persons, edge)}, nil
		})
}

func laplace(r coin.Base, sensitivity uint64) *Laplace {
	return must(NewLaplace(LaplaceParams{Base: r, L1Sensitivity: sensitivity}))
}

func TestAuditLaplaceCount(t *testing.T) {
	space := audit.Space{Persons: 4, Values: 1}
	m := laplace(base(3, 2), 1)
	audittest.Holds(
		t, audit.Audit[int64]{Name: "Laplace, one count, base 3/2", Space: space,
			Claim: claimOf(m.Loss(1)), Law: noisyCount(m, 4)})
	granted := must(
		NewLaplace(LaplaceParams{Epsilon: must(privacy.ParseEpsilon("1")), L1Sensitivity: 1}))
	audittest.Holds(
		t, audit.Audit[int64]{Name: "Laplace, one count, ε = 1", Space: space,
			Claim: claimOf(granted.Loss(1)), Law: noisyCount(granted, 4)})
}

func TestAuditLaplaceHistogram(t *testing.T) {
	m := laplace(base(3, 2), 2)
	audittest.Holds(t, audit.Audit[[2]int64]{
		Name:  "Laplace, two disjoint counts, base 3/2",
		Space: audit.Space{Persons: 2, Values: 2},
		Claim: claimOf(m.Loss(1)),
		Law: noisyPair(2, func(src coin.Source, counts []int64) ([]int64, error) {
			return m.Release(src, counts, nil)
		}),
	})
}

// TestAuditLaplaceClamp shows that clamping wider changes nothing: the figures are those of the
// release itself.
func TestAuditLaplaceClamp(t *testing.T) {
	m := laplace(base(3, 2), 1)
	space, claim := audit.Space{Persons: 3, Values: 1}, claimOf(m.Loss(1))
	wide := run(coin.Limits{Top: 20}, func(src coin.Source, rows []int) (int64, error) {
		noisy, err := m.Release(src, []int64{count(rows, 0)}, nil)
		return clamp(noisy[0], 3, 10), err
	})
	narrow := must(
		audit.Run(audit.Audit[int64]{Space: space, Claim: claim, Law: noisyCount(m, 3)}, nil))
	report := must(audit.Run(audit.Audit[int64]{Space: space, Claim: claim, Law: wide}, nil))
	if report.Odds.Cmp(narrow.Odds) != 0 || report.High.Cmp(narrow.High) != 0 {
		t.Errorf("clamped at 10:\n%sat %d:\n%s", report.Row(), edge, narrow.Row())
	}
}

func TestPlantedLaplace(t *testing.T) {
	r := base(3, 2)
	one, two := audit.Space{Persons: 4, Values: 1}, audit.Space{Persons: 2, Values: 2}
	m := laplace(r, 2)
	caught := func(name string, space audit.Space, claim audit.Claim,
		law func([]int) (*coin.Law[int64], error)) {
		audittest.Caught(t, audit.Audit[int64]{Name: name, Space: space, Claim: claim, Law: law})
	}
	single := claimOf(laplace(r, 1).Loss(1))
	caught("Laplace with half the noise", one, single, noisyCount(laplace(r.Pow(2), 1), 4))

	// e as a float64 is above e, by less than 2^-53.
	granted := must(
		NewLaplace(LaplaceParams{Epsilon: must(privacy.ParseEpsilon("1")), L1Sensitivity: 1}))
	up := roundedUp(math.Nextafter(math.E, 3), claimOf(granted.Loss(1)).Odds)
	caught("Laplace with a base rounded upwards in a float", one, claimOf(granted.Loss(1)),
		noisyCount(laplace(up, 1), 4))

	pair := func(name string, claim audit.Claim,
		release func(coin.Source, []int64) ([]int64, error)) {
		audittest.Caught(
			t, audit.Audit[[2]int64]{Name: name, Space: two, Claim: claim,
				Law: noisyPair(2, release)})
	}
	pair("Laplace on a histogram with sensitivity 1 for 2", single, // H: laplace.md moves
		func(src coin.Source, counts []int64) ([]int64, error) {
			return laplace(r, 1).Release(src, counts, nil)
		})
	pair("Laplace that draws once for both counts", claimOf(m.Loss(1)), // H: laplace.md own-noise
		func(src coin.Source, counts []int64) ([]int64, error) {
			noise, err := m.Release(src, []int64{0}, nil)
			return []int64{counts[0] + noise[0], counts[1] + noise[0]}, err
		})
	pair("Laplace that leaves a count of 0 alone", claimOf(m.Loss(1)), // H: laplace.md own-noise
		func(src coin.Source, counts []int64) ([]int64, error) {
			noisy, err := m.Release(src, counts, nil)
			for i, c := range counts {
				if c == 0 {
					noisy[i] = 0
				}
			}
			return noisy, err
		})
}
