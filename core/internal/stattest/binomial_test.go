package stattest

import (
	"math"
	"testing"
)

// TestBinomial compares with sums of the law.
func TestBinomial(t *testing.T) {
	for _, n := range []int{1, 7, 40} {
		for _, p := range []float64{.05, .5, .95} {
			sum := 0.0
			for hits := range n + 1 {
				all, _ := math.Lgamma(float64(n + 1))
				some, _ := math.Lgamma(float64(hits + 1))
				rest, _ := math.Lgamma(float64(n - hits + 1))
				sum += math.Exp(all-some-rest) * math.Pow(p, float64(hits)) *
					math.Pow(1-p, float64(n-hits))
				if got := AtMost(hits, n, p); math.Abs(got-sum) > 1e-9 {
					t.Errorf("at most %d of %d at %v: %v, want %v", hits, n, p, got, sum)
				}
				if most := Most(hits, n, .05); hits < n &&
					math.Abs(AtMost(hits, n, most)-.05) > 1e-9 {
					t.Errorf("%d of %d refute more than %v", hits, n, most)
				}
			}
		}
	}
}
