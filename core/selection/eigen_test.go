package selection

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestEigenvectors compares with gonum: random matrices, ones with eigenvalues alike, of rank 1 and
// of zeros.
func TestEigenvectors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for try := range 200 {
		n := 1 + try%32
		matrix := make([][]float64, n)
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
			}
		}
		sym := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range n {
				sym.SetSym(i, j, matrix[i][j])
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(sym, false) {
			t.Fatal("gonum finds none")
		}
		want := eigen.Values(nil)
		size := max(math.Abs(want[0]), math.Abs(want[n-1]), 1e-300)
		vectors, values := eigenvectors(matrix)
		for c, v := range vectors {
			value := want[n-1-c]
			if off := math.Abs(values[c]-value) / size; !(off < 1e-10) {
				t.Fatalf("%d dimensions: eigenvalue %d is off by %v", n, c, off)
			}
			image := mat.NewVecDense(n, nil)
			image.MulVec(sym, mat.NewVecDense(n, v))
			for i := range n {
				if off := math.Abs(image.AtVec(i)-value*v[i]) / size; !(off < 1e-10) {
					t.Fatalf("%d dimensions, vector %d: A·v is off λ·v by %v", n, c, off)
				}
			}
			for _, w := range vectors[:c+1] {
				dot := mat.Dot(mat.NewVecDense(n, v), mat.NewVecDense(n, w))
				if &w[0] == &v[0] {
					dot--
				}
				if !(math.Abs(dot) < 1e-10) {
					t.Fatalf("%d dimensions: a product of two vectors is off by %v", n, dot)
				}
			}
		}
	}
}
