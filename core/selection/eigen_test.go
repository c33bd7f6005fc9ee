package selection

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestEigenvectors: A·v is λ·v, vectors are orthonormal, eigenvalues fall and add up to the trace,
// on random matrices, ones with eigenvalues alike, of rank 1 and of zeros.
func TestEigenvectors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for try := range 200 {
		n := 1 + try%32
		matrix := make([][]float64, n)
		trace, size := 0.0, 1e-300
		for i := range matrix {
			matrix[i] = make([]float64, n)
			for j := range i + 1 {
				x := float64(r.Int64N(1<<40) - 1<<39)
				switch try % 5 {
				case 1:
					x = float64(r.IntN(3)) // many alike
				case 2:
					x = float64((i + 1) * (j + 1)) // of rank 1
				case 3:
					x = 0
				}
				matrix[i][j], matrix[j][i] = x, x
				size = max(size, math.Abs(x))
			}
			trace += matrix[i][i]
		}
		vectors, values := eigenvectors(matrix)
		if !slices.IsSortedFunc(values, func(a, b float64) int { return cmp.Compare(b, a) }) {
			t.Fatalf("%d dimensions: the eigenvalues %v do not fall", n, values)
		}
		near := func(what string, off, scale float64) {
			if !(math.Abs(off) <= 1e-10*scale) {
				t.Fatalf("%d dimensions: %s is off by %v", n, what, off)
			}
		}
		for c, v := range vectors {
			trace -= values[c]
			for i, row := range matrix {
				near(fmt.Sprintf("A·v of vector %d", c), inner(row, v)-values[c]*v[i],
					size*float64(n))
			}
			for d, w := range vectors[:c] {
				near(fmt.Sprintf("the product of vectors %d and %d", c, d), inner(v, w), 1)
			}
			near(fmt.Sprintf("the length of vector %d", c), inner(v, v)-1, 1)
		}
		near("the trace", trace, size*float64(n))
	}
}

func inner(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
