package selection

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// eigenvectors returns the eigenvectors of a symmetric matrix of finite numbers and their
// eigenvalues: of length 1, the one with the largest eigenvalue first, and those of equal
// eigenvalues as LAPACK's symmetric QR iteration returns them. O(dimensions³).
func eigenvectors(matrix [][]float64) (sorted [][]float64, values []float64) {
	n := len(matrix)
	upper := mat.NewSymDense(n, nil)
	for i, row := range matrix {
		for j := i; j < n; j++ {
			upper.SetSym(i, j, row[j])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(upper, true) {
		panic("selection: internal error: a matrix of finite numbers without eigenvectors")
	}
	var columns mat.Dense
	eigen.VectorsTo(&columns)
	all, order := eigen.Values(nil), make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(all[j], all[i]) })
	for _, i := range order {
		sorted, values = append(sorted, mat.Col(nil, i, &columns)), append(values, all[i])
	}
	return sorted, values
}
