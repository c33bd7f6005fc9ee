package density

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// TestMinimise compares with gonum on random programs that have a solution: min c·x, A·x ≤ b with
// slacks.
func TestMinimise(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for range 300 {
		m, n := 1+random.IntN(8), 1+random.IntN(8)
		cost, right, rows := make([]float64, n+m), make([]float64, m), make([][]float64, m)
		all := mat.NewDense(m, n+m, nil)
		for j := range n {
			cost[j] = random.Float64() // bounded below by 0
		}
		for i := range m {
			rows[i] = make([]float64, n+m)
			for j := range n {
				rows[i][j] = math.Round(4*random.NormFloat64()) / 2
			}
			rows[i][n+i] = 1
			right[i] = math.Round(3 * random.NormFloat64())
			all.SetRow(i, rows[i])
		}
		want, _, err := lp.Simplex(cost, all, right, 1e-10, nil)
		x, have, ok := minimise(cost, rows, right)
		if errors.Is(err, lp.ErrZeroColumn) {
			continue
		}
		if ok != (err == nil) {
			t.Fatalf("%v·x = %v: solved %v, gonum says %v", rows, right, ok, err)
		}
		if !ok {
			continue
		}
		for i, row := range rows {
			sum := 0.0
			for j, a := range row {
				sum += a * x[j]
			}
			if math.Abs(sum-right[i]) > 1e-6 {
				t.Fatalf("row %d is %g, want %g", i, sum, right[i])
			}
		}
		if math.Abs(have-want) > 1e-6 {
			t.Fatalf("value %g, want %g", have, want)
		}
	}
	if _, _, ok := minimise([]float64{-1, 0}, [][]float64{{0, 1}}, []float64{1}); ok {
		t.Error("a program without a least value was solved")
	}
}
