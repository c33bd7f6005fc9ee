package density

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"hush/core/coin"
	"hush/core/phrase"
)

// stairs has cells of different widths, one of them of nobody.
func stairs() *Distribution {
	d := newDistribution(whole(0, 2, 5, 6, 10), []float64{4, 0, 10, 6}, 25, phrase.Plain("stairs"))
	d.band = bandAround(d, 1.5)
	return d
}

func TestDistributionAnswers(t *testing.T) {
	d := stairs()
	for x, want := range map[int64]float64{-1: 0, 0: 2, 1: 4, 3: 4, 4: 4, 5: 14, 6: 15.5, 9: 20,
		12: 20} {
		if have := d.Count(big.NewInt(x)); math.Abs(have-want) > 1e-12 {
			t.Errorf("up to %d: %g, want %g", x, have, want)
		}
	}
	for v, have := range d.counts(12) {
		if want := d.Count(big.NewInt(int64(v))); math.Abs(have-want) > 1e-12 {
			t.Errorf("up to %d: %g of the list, want %g", v, have, want)
		}
	}
	for q, want := range map[float64]int64{0: 0, 0.1: 0, 0.11: 1, 0.2: 1, 0.21: 5, 0.7: 5, 0.71: 6,
		1: 9} {
		if have := d.Quantile(q).Int64(); have != want {
			t.Errorf("quantile %g: %d, want %d", q, have, want)
		}
	}
	if have := d.Range(big.NewInt(1), big.NewInt(5)); math.Abs(have-12) > 1e-12 {
		t.Errorf("range: %g", have)
	}
	if have := d.Range(big.NewInt(5), big.NewInt(1)); have != 0 {
		t.Errorf("empty range: %g", have)
	}
	low, high := d.Within(big.NewInt(1))
	between, above := d.Within(big.NewInt(7))
	if fmt.Sprint(low, high, between, above) != "3 5 13 21" {
		t.Error(low, high, between, above)
	}
	if low, high := d.RangeWithin(big.NewInt(2), big.NewInt(5)); low != 8 || high != 12 {
		t.Error(low, high)
	}
	if low, high := d.QuantileWithin(0.5); low.Int64() != 5 || high.Int64() != 5 {
		t.Error(low, high)
	}
	if low, high := d.QuantileWithin(0.2); low.Int64() != 0 || high.Int64() != 5 {
		t.Error(low, high)
	}
}

// TestDraw compares counts of codes with the law by a chi-square test, and the same with a law that
// is a little off.
func TestDraw(t *testing.T) {
	const n = 40_000
	d := stairs()
	counts := make([]float64, 10)
	for _, code := range must(d.Draw(coin.NewSeeded(5), n, nil)) {
		counts[code.Int64()]++
	}
	law := []float64{2, 2, 0, 0, 0, 10, 1.5, 1.5, 1.5, 1.5}
	statistic := func(law []float64) (sum float64) {
		for i, part := range law {
			if want := part / 20 * n; want > 0 {
				sum += (counts[i] - want) * (counts[i] - want) / want
			} else if counts[i] > 0 {
				return math.Inf(1)
			}
		}
		return sum
	}
	critical := distuv.ChiSquared{K: 6}.Quantile(0.999)
	if s := statistic(law); s > critical {
		t.Errorf("statistic %g, want at most %g", s, critical)
	}
	law[0], law[5] = 2.4, 9.6
	if s := statistic(law); s < critical {
		t.Errorf("another law passes: %g", s)
	}
	nobody := newDistribution(whole(0, 3), []float64{0}, 5, phrase.Phrase{})
	seen := map[int64]bool{}
	for _, code := range must(nobody.Draw(coin.NewSeeded(1), 100, nil)) {
		seen[code.Int64()] = true
	}
	if len(seen) != 3 {
		t.Errorf("of nobody: %v", seen)
	}
}
