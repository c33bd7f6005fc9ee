package mechanism

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

// countsOf lists all ways in which a person has up to g of this many values, each up to k times.
func countsOf(values int, g, k int64) (list [][]int64) {
	list = [][]int64{make([]int64, values)}
	for next := 0; next < len(list); next++ {
		used, last := int64(0), -1
		for i, n := range list[next] {
			if n > 0 {
				used++
				last = i
			}
		}
		for i := last + 1; i < values && used < g; i++ {
			for n := range k {
				more := append([]int64(nil), list[next]...)
				more[i] = n + 1
				list = append(list, more)
			}
		}
	}
	return list
}

// severalValues returns the law of the values that the histogram m shows when each person has
// several values.
func severalValues(name string, m *StabilityHistogram, claimed *StabilityHistogram, persons,
	values int, g, k int64) audit.Audit[string] {
	have := countsOf(values, g, k)
	high := m.threshold + 3
	return audit.Audit[string]{Name: name, Claim: claimOf(claimed.Loss(1)),
		Space: audit.Space{Persons: persons, Values: len(have), NoNone: true},
		Law: func(rows []int) (*coin.Law[string], error) {
			var counts []int64
			var which []int
			for v := range values {
				total := int64(0)
				for _, row := range rows {
					total += have[row][v]
				}
				if total > 0 {
					counts, which = append(counts, total), append(which, v)
				}
			}
			return coin.Enumerate(coin.Limits{Top: uint64(2 * high)},
				func(src coin.Source) (string, error) {
					shown, err := m.Release(src, counts, nil)
					out := ""
					for _, s := range shown {
						out += fmt.Sprint(which[s.Index], ":", min(s.Count, high), " ")
					}
					return out, err
				})
		}}
}

func valued(r coin.Base, d string, g, k uint64) *StabilityHistogram {
	return must(NewStabilityHistogram(
		StabilityHistogramParams{Base: r, Delta: delta(d), Groups: g, Rows: k}))
}

func TestAuditSeveralValues(t *testing.T) {
	for _, c := range []struct {
		m               *StabilityHistogram
		persons, values int
		g, k            int64
	}{
		{valued(base(2, 1), "1/3", 2, 1), 2, 4, 2, 1},
		{valued(base(3, 2), "1/3", 2, 1), 2, 3, 2, 1},
		{valued(base(2, 1), "1/4", 1, 2), 2, 3, 1, 2},
		{valued(base(2, 1), "1/3", 2, 2), 1, 4, 2, 2},
	} {
		audittest.Holds(t, severalValues(fmt.Sprintf("stability histogram, up to %d values of a "+
			"person, each up to %d times, base %v", c.g, c.k, c.m.rate.base), c.m, c.m, c.persons,
			c.values, c.g, c.k))
	}
}

func TestPlantedSeveralValues(t *testing.T) {
	for _, c := range []struct {
		name, delta string
		g, k        uint64
	}{
		// H: stability.md values
		{"the threshold of one value", "0.2", 2, 1}, {"the threshold of one row", "0.2", 1, 2},
	} {
		m := valued(base(2, 1), c.delta, c.g, c.k)
		low := *m
		low.threshold = valued(base(2, 1), c.delta, 1, 1).threshold
		if low.threshold >= m.threshold {
			t.Fatalf("%s: nothing is planted", c.name)
		}
		audittest.Caught(t, severalValues("stability histogram, planted: several values with "+
			c.name, &low, m, 2, 4, int64(c.g), int64(c.k)))
	}
}

// TestSeveralValuesNeedATail: where a δ would allow newcomers to be shown more often than r^−k of
// the time they are not, the threshold stays above.
func TestSeveralValuesNeedATail(t *testing.T) {
	// A threshold of 1 would have δ = 1 − (1 − 2/3)² = 8/9.
	const most = "0.9"
	// H: stability.md tail
	if m := valued(base(2, 1), most, 2, 1); m.threshold != 2 {
		t.Errorf("threshold %d, want 2", m.threshold)
	}
	if m := valued(base(2, 1), most, 1, 1); m.threshold != 1 {
		t.Errorf("one value of each: threshold %d, want 1", m.threshold)
	}
}

// TestSeveralValues: the δ stated is the formula's, and less than that of group privacy; one value
// of each is what it was.
func TestSeveralValues(t *testing.T) {
	for _, c := range []struct {
		r          coin.Base
		delta      string
		g, k       uint64
		threshold  int64
		num, denom int64
	}{
		{base(2, 1), "0.3056", 2, 1, 3, 11, 36},
		{base(3, 2), "0.324", 2, 1, 4, 656, 2025},
		{base(3, 2), "0.1", 1, 1, 6, 32, 405}, // r^(2−τ)/(r+1)
	} {
		m := valued(c.r, c.delta, c.g, c.k)
		if m.threshold != c.threshold || m.delta.Cmp(big.NewRat(c.num, c.denom)) < 0 ||
			new(big.Rat).Sub(m.delta, big.NewRat(c.num, c.denom)).Cmp(big.NewRat(1, 1<<60)) > 0 {
			t.Errorf("g = %d: threshold %d, δ = %v", c.g, m.threshold, m.delta)
		}
	}
	for _, g := range []uint64{2, 5, 30, 1000} {
		for _, tail := range []float64{1e-9, 1e-5, 0.01, 0.3} {
			have, _ := someOf(g, new(big.Rat).SetFloat64(tail)).Float64()
			want := -math.Expm1(float64(g) * math.Log1p(-tail))
			if have < want*(1-1e-12) || have > want*(1+1e-9) {
				t.Errorf("%d of %v: %v, want %v", g, tail, have, want)
			}
		}
		const tenth = "0.0000001"
		m := must(NewStabilityHistogram(StabilityHistogramParams{
			Epsilon: must(privacy.ParseEpsilon("1")), Delta: delta(tenth), Groups: g}))
		each := must(privacy.DeltaOfEach(must(privacy.ParseEpsilon("1")).Part(1, int64(g)),
			delta(tenth), privacy.Distance(g)))
		old := must(NewStabilityHistogram(StabilityHistogramParams{
			Epsilon: must(privacy.ParseEpsilon("1")).Part(1, int64(g)), Delta: each}))
		if m.rate.base.Rat().Cmp(old.rate.base.Rat()) != 0 || m.threshold >= old.threshold {
			t.Errorf("g = %d: threshold %d, by group privacy %d", g, m.threshold, old.threshold)
		}
		t.Logf("g = %d: threshold %d, by group privacy %d", g, m.threshold, old.threshold)
		entry := must(m.EntryLoss())
		if !m.delta.IsInt() && entry.Delta().Cmp(m.delta) > 0 {
			t.Errorf("g = %d: an entry has a larger δ than a person", g)
		}
	}
}
