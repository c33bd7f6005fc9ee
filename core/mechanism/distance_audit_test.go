package mechanism

import (
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
)

var pollSpace = audit.Space{Persons: 7, Values: 2}

// majority says whether more persons have 1 than 0.
func majority(rows []int) int {
	if count(rows, 1) > count(rows, 0) {
		return 1
	}
	return 0
}

// stableFor is the largest j such that no j replacements change the majority, by trying all data
// sets of the space.
func stableFor(rows []int) int64 {
	nearest := len(rows) + 1
	for _, other := range pollSpace.DataSets() {
		if majority(other) == majority(rows) {
			continue
		}
		common := int64(0)
		for v := audit.None; v < pollSpace.Values; v++ {
			common += min(count(rows, v), count(other, v))
		}
		nearest = min(nearest, len(rows)-int(common))
	}
	return int64(nearest - 1)
}

// pollLaw releases the majority if allows says so, given how stable it is, else ⊥.
func pollLaw(
	allows func(src coin.Source, distance int64) bool) func([]int) (*coin.Law[int], error) {
	return run(coin.Limits{}, func(src coin.Source, rows []int) (int, error) {
		if !allows(src, stableFor(rows)) {
			return nothing, nil
		}
		return majority(rows), nil
	})
}

func distanceTest(r coin.Base, d string) *DistanceTest {
	return must(NewDistanceTest(DistanceTestParams{Base: r, Delta: delta(d)}))
}

func TestAuditDistanceTest(t *testing.T) {
	for _, d := range []string{"0.2", "0.02"} {
		m := distanceTest(base(3, 2), d)
		audittest.Holds(
			t, audit.Audit[int]{Name: "distance to instability, base 3/2, δ ≤ " + d,
				Space: pollSpace, Claim: claimOf(m.Loss(1)), Law: pollLaw(m.Allows)})
	}
}

func TestPlantedDistanceTest(t *testing.T) {
	r := base(3, 2)
	m := distanceTest(r, "0.2")
	caught := func(name string, allows func(coin.Source, int64) bool) {
		audittest.Caught(
			t, audit.Audit[int]{Name: "distance to instability " + name, Space: pollSpace,
				Claim: claimOf(m.Loss(1)), Law: pollLaw(allows)})
	}
	// H: distance.md unstable
	caught("with a distance off by one", func(src coin.Source, distance int64) bool {
		return m.Allows(src, distance+1)
	})
	caught("with a threshold off by one", func(src coin.Source, distance int64) bool {
		return src.Bernoulli(m.noise.AtLeast(m.threshold - 1 - distance))
	})
	noise := must(NewLaplaceNoise(r.Pow(2)))
	caught("with half the noise", func(src coin.Source, distance int64) bool {
		return src.Bernoulli(noise.AtLeast(m.threshold - distance))
	})
	caught("with a noiseless threshold", func(_ coin.Source, distance int64) bool {
		return distance >= m.threshold
	})
	// H: distance.md after-yes
	caught("that never returns ⊥", func(coin.Source, int64) bool { return true })
}
