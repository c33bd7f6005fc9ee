package selection

import (
	"cmp"
	"math"
	"slices"
)

// eigenvectors returns the eigenvectors of a symmetric matrix, which it overwrites, and their
// eigenvalues: of length 1, that of the largest eigenvalue first. Jacobi's method: rotations in two
// coordinates, each of which makes one entry 0, until none beside the diagonal counts (Golub, Van
// Loan, "Matrix Computations", 2013, section 8.5). O(dimensions³) for each of about ten sweeps;
// gonum's, with which TestEigenvectors compares it, would be a fortieth of what a visitor loads.
func eigenvectors(matrix [][]float64) (sorted [][]float64, values []float64) {
	n := len(matrix)
	vectors := make([][]float64, n) // by row: rotated as the columns of the matrix are
	for i := range vectors {
		vectors[i] = make([]float64, n)
		vectors[i][i] = 1
	}
	const sweeps = 64 // it converges quadratically: a bound for what is no number
	for range sweeps {
		if !rotateAll(matrix, vectors) {
			break
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(matrix[j][j], matrix[i][i])
	})
	for _, from := range order {
		sorted, values = append(sorted, vectors[from]), append(values, matrix[from][from])
	}
	return sorted, values
}

// rotateAll makes each entry above the diagonal 0 once, and reports whether one was not.
func rotateAll(matrix, vectors [][]float64) (rotated bool) {
	const nothing = 1e-15 // beside the two diagonal entries
	n := len(matrix)
	for p := range n {
		for q := p + 1; q < n; q++ {
			x := matrix[p][q]
			if math.Abs(x) <= nothing*math.Sqrt(math.Abs(matrix[p][p]*matrix[q][q])) {
				continue
			}
			rotated = true
			theta := (matrix[q][q] - matrix[p][p]) / (2 * x)
			tan := math.Copysign(1, theta) / (math.Abs(theta) + math.Hypot(theta, 1))
			cos := 1 / math.Hypot(tan, 1)
			sin := tan * cos
			for k := range n {
				a, b := matrix[k][p], matrix[k][q]
				matrix[k][p], matrix[k][q] = cos*a-sin*b, sin*a+cos*b
			}
			for _, rows := range [][][]float64{matrix, vectors} {
				for k := range n {
					a, b := rows[p][k], rows[q][k]
					rows[p][k], rows[q][k] = cos*a-sin*b, sin*a+cos*b
				}
			}
			matrix[p][q], matrix[q][p] = 0, 0
		}
	}
	return rotated
}
