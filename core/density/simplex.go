package density

import "math"

// minimise solves the linear program min cost·x over x ≥ 0 with matrix·x = right, by the two-phase
// simplex method on a dense table, with Bland's rule, which never cycles. It returns false if there
// is no solution, if none is least, or if rounding got in the way. It is our own, since gonum's
// panics where cells are as uneven as in a domain of 62 bits: see ../NUMBERS.md.
//
// It sees released numbers only, so that no guarantee rests on it. Proof: learn.md, Polynomials;
// compared with gonum in TestMinimise.
func minimise(cost []float64, matrix [][]float64,
	right []float64) (x []float64, value float64, ok bool) {
	m, n := len(matrix), len(cost)
	// Columns: x, an artificial variable for each row, the right side. The last row are the reduced
	// costs.
	table, basis := make([][]float64, m+1), make([]int, m)
	for i := range table {
		table[i] = make([]float64, n+m+1)
	}
	for i, row := range matrix {
		sign := 1.0
		if right[i] < 0 {
			sign = -1
		}
		for j, a := range row {
			table[i][j] = sign * a
		}
		table[i][n+i], table[i][n+m], basis[i] = 1, sign*right[i], n+i
		for j := range n {
			table[m][j] -= table[i][j]
		}
		table[m][n+m] -= table[i][n+m]
	}
	if !pivots(table, basis, n) || table[m][n+m] < -tolerance {
		return nil, 0, false
	}
	for i, b := range basis { // an artificial variable left at 0 leaves for any other
		for j := 0; j < n && b >= n && basis[i] >= n; j++ {
			if math.Abs(table[i][j]) > tolerance {
				pivot(table, basis, i, j)
			}
		}
	}
	last := table[m]
	clear(last)
	copy(last, cost)
	for i, b := range basis {
		if b < n && cost[b] != 0 {
			for j, a := range table[i] {
				last[j] -= cost[b] * a
			}
			last[b] = 0
		}
	}
	if !pivots(table, basis, n) {
		return nil, 0, false
	}
	x = make([]float64, n)
	for i, b := range basis {
		if b < n {
			x[b] = max(table[i][n+m], 0)
			value += cost[b] * x[b]
		}
	}
	return x, value, true
}

// tolerance is below any entry that counts: programs are scaled to numbers of about 1.
const tolerance = 1e-9

// pivots moves from corner to corner until no reduced cost of the first n columns is negative. It
// returns false if that never happens.
func pivots(table [][]float64, basis []int, n int) bool {
	m := len(basis)
	right := len(table[0]) - 1
	for range 50 * (m + n) {
		enter := 0
		for enter < n && table[m][enter] >= -tolerance {
			enter++
		}
		if enter == n {
			return true
		}
		leave, least := -1, math.Inf(1)
		for i := range basis {
			if a := table[i][enter]; a > tolerance {
				if q := table[i][right] / a; q < least-tolerance || q < least+tolerance &&
					basis[i] < basis[leave] {
					leave, least = i, min(q, least)
				}
			}
		}
		if leave < 0 {
			return false
		}
		pivot(table, basis, leave, enter)
	}
	return false
}

// pivot makes a column the unit vector of a row.
func pivot(table [][]float64, basis []int, row, column int) {
	by := table[row][column]
	for j := range table[row] {
		table[row][j] /= by
	}
	for i := range table {
		if times := table[i][column]; i != row && times != 0 {
			for j, a := range table[row] {
				table[i][j] -= times * a
			}
			table[i][column] = 0
		}
	}
	basis[row] = column
}
