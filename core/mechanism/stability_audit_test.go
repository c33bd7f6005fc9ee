package mechanism

import (
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
)

// shownLaw is the law of the noisy counts shown, 0 for a value that is not shown. Noisy counts are
// clamped 3 above the threshold, from where all noise is alike: nothing is cut.
func shownLaw(threshold int64, background []int64,
	release func(src coin.Source, counts []int64) ([]Shown, error)) func([]int) (
	*coin.Law[[3]int64], error) {
	high := threshold + 3
	return run(coin.Limits{Top: uint64(2 * high)},
		func(src coin.Source, rows []int) (counts [3]int64, err error) {
			which, scores := touchedBy(rows, 3, background, vote)
			shown, err := release(src, scores)
			for _, s := range shown {
				counts[which[s.Index]] = min(s.Count, high)
			}
			return counts, err
		})
}

func stability(r coin.Base, d string) *StabilityHistogram {
	return must(NewStabilityHistogram(StabilityHistogramParams{Base: r, Delta: delta(d)}))
}

func showing(m *StabilityHistogram) func(coin.Source, []int64) ([]Shown, error) {
	return func(src coin.Source, counts []int64) ([]Shown, error) {
		return m.Release(src, counts, nil)
	}
}

var shownSpace = audit.Space{Persons: 3, Values: 3}

func TestAuditStabilityHistogram(t *testing.T) {
	m := stability(base(3, 2), "0.1")
	holds := func(name string, background []int64) {
		audittest.Holds(
			t, audit.Audit[[3]int64]{Name: "stability histogram, " + name, Space: shownSpace,
				Claim: claimOf(m.Loss(1)),
				Law:   shownLaw(m.threshold, background, showing(m))})
	}
	holds("few persons, base 3/2", nil)
	holds("counts around the threshold, base 3/2", []int64{m.threshold - 2, m.threshold, 0})
}

// TestAuditStabilityHistogramClamp clamps further out and finds the same figures.
func TestAuditStabilityHistogramClamp(t *testing.T) {
	m := stability(base(3, 2), "0.1")
	near := audit.Audit[[3]int64]{Space: audit.Space{Persons: 2, Values: 2},
		Claim: claimOf(m.Loss(1)), Law: shownLaw(m.threshold, nil, showing(m))}
	far := near
	far.Law = shownLaw(m.threshold+4, nil, showing(m))
	a, b := must(audit.Run(near, nil)), must(audit.Run(far, nil))
	if a.Odds.Cmp(b.Odds) != 0 || a.High.Cmp(b.High) != 0 {
		t.Errorf("clamped further out:\n%snear:\n%s", b.Row(), a.Row())
	}
}

func TestPlantedStabilityHistogram(t *testing.T) {
	r := base(3, 2)
	m := stability(r, "0.1")
	around := []int64{m.threshold - 2, m.threshold, 0}
	caught := func(name string, background []int64,
		release func(coin.Source, []int64) ([]Shown, error)) {
		audittest.Caught(
			t, audit.Audit[[3]int64]{Name: "stability histogram " + name, Space: shownSpace,
				Claim: claimOf(m.Loss(1)),
				Law:   shownLaw(m.threshold, background, release)})
	}
	half := *m
	half.rate.base, half.noise = r.Pow(2), must(NewLaplaceNoise(r.Pow(2)))
	caught("with half the noise", around, showing(&half))
	low := *m
	low.threshold--
	caught("with a threshold off by one", nil, showing(&low))
	caught("with a noiseless threshold", around,
		func(src coin.Source, counts []int64) (shown []Shown, err error) {
			for i, c := range counts {
				if c >= m.threshold {
					shown = append(shown, Shown{i, m.noise.AddTo(src, c)})
				}
			}
			return shown, nil
		})
	caught("that shows every value that occurs", nil,
		func(src coin.Source, counts []int64) (shown []Shown, err error) {
			for i, c := range counts {
				shown = append(shown, Shown{i, max(m.noise.AddTo(src, c), m.threshold)})
			}
			return shown, nil
		})
	caught("that draws once for all values", around,
		func(src coin.Source, counts []int64) (shown []Shown, err error) {
			noise := m.noise.AddTo(src, 0)
			for i, c := range counts {
				if c+noise >= m.threshold {
					shown = append(shown, Shown{i, c + noise})
				}
			}
			return shown, nil
		})
}
