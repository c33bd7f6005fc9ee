package classify

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"hush/core/coin"
)

// margin is the largest t ≤ 1 for which some weights within ±1 have y·w·x ≥ t for the whole sample, by gonum's linear programs.
func margin(t *testing.T, sample []Votes, sizes []uint64) float64 {
	t.Helper()
	d, n := len(sizes)+1, len(sample)
	// Variables: w + 1 ≥ 0 (d), t (1), slacks of the sample (n), slacks of w + 1 ≤ 2 (d), slack of t ≤ 1.
	columns := d + 1 + n + d + 1
	a, b, cost := mat.NewDense(n+d+1, columns, nil), make([]float64, n+d+1), make([]float64, columns)
	cost[d] = -1
	x := make([]float64, d)
	for i, v := range sample {
		scaleInto(x, v.Point, sizes)
		y := 1.0
		if v.No > v.Yes {
			y = -1
		}
		for j := range d {
			a.Set(i, j, y*x[j])
			b[i] += y * x[j]
		}
		a.Set(i, d, -1)
		a.Set(i, d+1+i, -1)
	}
	for j := range d {
		a.Set(n+j, j, 1)
		a.Set(n+j, d+1+n+j, 1)
		b[n+j] = 2
	}
	a.Set(n+d, d, 1)
	a.Set(n+d, columns-1, 1)
	b[n+d] = 1
	best, _, err := lp.Simplex(cost, a, b, 1e-10, nil)
	if err != nil {
		return 0 // infeasible at t ≥ 0, or too close to tell
	}
	return -best
}

// TestHalfspaces: samples that a halfspace separates with some margin, as a linear program tells, are learned without mistakes.
func TestHalfspaces(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 22))
	class := must(NewHalfspaces([]uint64{50, 50, 50}))
	separable := 0
	for range 200 {
		target := []float64{random.NormFloat64(), random.NormFloat64(), random.NormFloat64(), random.NormFloat64() / 3}
		says := Linear{target, class.sizes}
		var sample []Votes
		for _, p := range distinctPoints(randomPoints(random, class.sizes, 25), class.sizes) {
			if says.Says(p) {
				sample = append(sample, Votes{p, 1, 0})
			} else {
				sample = append(sample, Votes{p, 0, 1})
			}
		}
		if len(sample) == 0 || margin(t, sample, class.sizes) < 0.01 {
			continue
		}
		separable++
		if wrong := mistakes(class.Learn(sample), sample); wrong > 0 {
			t.Errorf("%d mistakes on %d separable persons", wrong, len(sample))
		}
	}
	if separable < 100 {
		t.Errorf("only %d separable samples", separable)
	}
}

// TestLogistic: with much privacy loss and many persons it is the plain optimum; with little it is not.
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
		w := m.Learn(coin.NewSeeded(1), examples).Rule.(Linear).Weights
		best := fitLogistic(sample, sizes, 0.001, nil)
		return dot(w, best) / math.Sqrt(dot(w, w)*dot(best, best))
	}
	if close, far := angle("100"), angle("0.001"); close < 0.999 || far > 0.95 {
		t.Errorf("cosines %g and %g", close, far)
	}
}
