package classify

import (
	"math"
	"math/rand/v2"
	"testing"

	"hush/core/coin"
)

// TestLogistic: with much privacy loss and many persons it is the plain optimum; with little it is
// not.
func TestLogistic(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 24))
	sizes := []uint64{100, 100}
	examples := make([]Example, 5000)
	for i := range examples {
		p := Point{random.Uint64N(100), random.Uint64N(100)}
		examples[i] = Example{p, p[0]+2*p[1] > 150}
	}
	sample := votes(examples, sizes, nil)
	angle := func(e string) float64 {
		m := must(NewLogistic(LogisticParams{Sizes: sizes, Epsilon: epsilon(e), Persons: 5000}))
		w := must(m.Learn(coin.NewSeeded(1), examples, nil)).Weights
		best := fitLogistic(sample, sizes, 1e-5, make([]float64, 3), nil)
		return dot(w, best) / math.Sqrt(dot(w, w)*dot(best, best))
	}
	if close, far := angle("100"), angle("0.001"); close < 0.999 || far > 0.95 {
		t.Errorf("cosines %g and %g", close, far)
	}
}
