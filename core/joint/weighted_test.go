package joint

import (
	"math"
	"testing"
)

// massOf is the law of a noise from −len/2 on, by its formula.
func massOf(l law) []float64 {
	const reach = 400
	mass, sum := make([]float64, 2*reach+1), 0.0
	for i := range mass {
		z := math.Abs(float64(i - reach))
		if mass[i] = math.Exp(-z * z / (2 * l.stdDev * l.stdDev)); l.half > 0 {
			mass[i] = math.Exp(-2 * l.half * z)
		}
		sum += mass[i]
	}
	for i := range mass {
		mass[i] /= sum
	}
	return mass
}

// TestNarrowed: the bound of a sum with weights is at least the quantile of the exact convolution,
// and at most 3 in 100 more; Chernoff's is up to half more.
func TestNarrowed(t *testing.T) {
	sizes, people := town(500)
	for _, delta := range []string{"0.0000001", "0"} {
		l := laid(t, "3", delta, 1, people, sizes)
		of := l.laws[0]
		mass := massOf(of)
		for _, weights := range [][]int{{1, 2}, {1, 3, 7}, {5, 4, 3, 2, 1, 1, 1}} {
			law := []float64{1}
			x := linear{parts: []weighted{{}}}
			for _, w := range weights {
				out := make([]float64, len(law)+w*(len(mass)-1))
				for i, p := range law {
					for j, q := range mass {
						out[i+w*j] += p * q
					}
				}
				law = out
				x.parts[0].weights = append(x.parts[0].weights, float64(w))
			}
			for _, beta := range []float64{.2, .05, .001} {
				exact, tail := len(law)/2, 0.0
				for ; exact > 0; exact-- {
					if tail += 2 * law[len(law)/2+exact]; tail > beta {
						break
					}
				}
				got, wide := l.bound(x, beta), l.wide(x, beta)
				if got < float64(exact) || got > 1.03*float64(exact)+1 || got > wide {
					t.Errorf("δ = %s, %v, %v: %v, exactly %d, by Chernoff %v", delta, weights, beta,
						got, exact, wide)
				}
				if beta == .05 {
					t.Logf("δ = %s, %v: exactly %d, %.1f, Chernoff %.1f", delta, weights, exact,
						got, wide)
				}
			}
		}
	}
}
