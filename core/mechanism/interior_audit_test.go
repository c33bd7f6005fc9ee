package mechanism

import (
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

// interiorSpace spreads its values over a domain of interiorSize points, so that gaps weigh more
// than codes. The last value is beyond the domain and counts as the last point.
var (
	interiorSpace = audit.Space{Persons: 3, Values: len(interiorCodes)}
	interiorCodes = [...]uint64{0, 1, 20, interiorSize - 1, interiorSize + 5}
)

const interiorSize = 40

// codes are those of the persons who have one.
func codes(rows []int) (sorted []uint64) {
	for _, v := range rows {
		if v != audit.None {
			sorted = append(sorted, interiorCodes[v])
		}
	}
	return sorted
}

func interior(r coin.Base) *InteriorPoint {
	return must(
		NewInteriorPoint(InteriorPointParams{Base: r, DomainSize: big.NewInt(interiorSize)}))
}

// medianLaw gives the codes as finders do, counted.
func medianLaw(m *InteriorPoint) func([]int) (*coin.Law[uint64], error) {
	return run(coin.Limits{}, func(src coin.Source, rows []int) (uint64, error) {
		distinct, upTo := counted(codes(rows))
		return m.ReleaseCounted(src, distinct, upTo, nil)
	})
}

func TestAuditInteriorPoint(t *testing.T) {
	m := interior(base(3, 2))
	audittest.Holds(
		t, audit.Audit[uint64]{Name: "interior point, base 3/2", Space: interiorSpace,
			Claim: claimOf(m.Loss(1)), Law: medianLaw(m)})
	granted := must(
		NewInteriorPoint(
			InteriorPointParams{Epsilon: must(privacy.ParseEpsilon("1")),
				DomainSize: big.NewInt(interiorSize)}))
	audittest.Holds(
		t, audit.Audit[uint64]{Name: "interior point, ε = 1", Space: interiorSpace,
			Claim: claimOf(granted.Loss(1)), Law: medianLaw(granted)})
}

// TestAuditInteriorPointForms finds the law the same however the codes are given.
func TestAuditInteriorPointForms(t *testing.T) {
	m := interior(base(3, 2))
	each := run(coin.Limits{}, func(src coin.Source, rows []int) (uint64, error) {
		return m.Release(src, codes(rows), nil)
	})
	sameLaw(t, interiorSpace, medianLaw(m), each)
}

// pointScores are the scores by their definition, one group per point: min(#{codes ≤ x}, #{codes ≥
// x}).
func pointScores(rows []int) (scores list) {
	sorted := codes(rows)
	for x := range uint64(interiorSize) {
		var atMost, atLeast int64
		for _, c := range sorted {
			c = min(c, interiorSize-1)
			if c <= x {
				atMost++
			}
			if c >= x {
				atLeast++
			}
		}
		scores = append(scores, struct {
			score int64
			m     uint64
		}{-min(atMost, atLeast), 1})
	}
	return scores
}

// TestAuditInteriorPointByDefinition compares the law with the exponential mechanism on the points
// one by one.
func TestAuditInteriorPointByDefinition(t *testing.T) {
	byPoint := run(coin.Limits{}, func(src coin.Source, rows []int) (uint64, error) {
		i, err := src.Choose(pointScores(rows), base(3, 2), nil)
		return uint64(i), err
	})
	sameLaw(t, interiorSpace, medianLaw(interior(base(3, 2))), byPoint)
}

func TestPlantedInteriorPoint(t *testing.T) {
	r := base(3, 2)
	claim := claimOf(interior(r).Loss(1))
	caught := func(name string, release func(src coin.Source, rows []int) (uint64, error)) {
		audittest.Caught(
			t, audit.Audit[uint64]{Name: "interior point " + name, Space: interiorSpace,
				Claim: claim, Law: run(coin.Limits{}, release)})
	}
	caught("with half the noise", func(src coin.Source, rows []int) (uint64, error) {
		return interior(r.Pow(2)).Release(src, codes(rows), nil)
	})
	caught("among the data's own codes", func(src coin.Source, rows []int) (uint64, error) {
		if len(codes(rows)) == 0 {
			return 0, nil
		}
		scores := pointScores(rows)
		for x := range scores {
			if !slices.ContainsFunc(codes(rows), func(c uint64) bool {
				return min(c, interiorSize-1) == uint64(x)
			}) {
				scores[x].m = 0
			}
		}
		i, err := src.Choose(scores, r, nil)
		return uint64(i), err
	})
	caught("with gaps that count one point too many",
		func(src coin.Source, rows []int) (uint64, error) {
			g := longGaps{
				&gaps{codes: codes(rows), size: big.NewInt(interiorSize), last: interiorSize - 1}}
			i, err := src.Choose(g, r, nil)
			_, width, _ := g.Group(i)
			return g.low(i) + src.Uniform(width), err
		})
	caught("with the best point by data", func(src coin.Source, rows []int) (uint64, error) {
		best := uint64(0)
		scores := pointScores(rows)
		for x := range scores {
			if scores[x].score < scores[best].score {
				best = uint64(x)
			}
		}
		if src.Bernoulli(coin.Ratio(1, 2)) {
			return best, nil // ties go to the lowest, that is, the data decide
		}
		return src.Uniform(interiorSize), nil
	})
}

// longGaps take the code after each gap for a point of the gap.
type longGaps struct{ *gaps }

func (g longGaps) Group(i int) (int64, uint64, *big.Int) {
	score, m, _ := g.gaps.Group(i)
	switch {
	case len(g.codes) == 0:
		return 0, interiorSize, nil
	case i%2 == 0:
		m++
	}
	return score, m, nil
}
