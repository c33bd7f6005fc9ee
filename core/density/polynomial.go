package density

import (
	"fmt"
	"math"
	"math/big"
)

// Polynomial is one piece of a piecewise polynomial density.
type Polynomial struct {
	// First and Last are its first and last code.
	First, Last *big.Int

	// Bernstein are the coefficients, at least 0, in the Bernstein basis: persons per width of the
	// piece at u = (x − First)/width, 0 ≤ u ≤ 1, is Σ Bernstein[j]·(r over j)·u^j·(1−u)^(r−j).
	Bernstein []float64

	// Error is the A_(r+1) distance in persons between the piece and its target: the largest sum of
	// differences on r + 1 intervals.
	Error float64
}

// Polynomials returns the distribution as at most this many pieces of polynomials of a degree from
// 0 to 8, by agnostic merging as Pieces does, with the projection in the A_(degree+1) norm, found
// by linear programming, instead of flat cells. It projects onto polynomials with Bernstein
// coefficients of at least 0, which keep the persons of the piece; none of them is negative
// anywhere.
//
// The second result is the same as a Distribution, each piece in 32 cells. It is free:
// post-processing. Proof: learn.md, Polynomials. *param.Error (pieces, degree).
func (d *Distribution) Polynomials(pieces, degree int) ([]Polynomial, *Distribution, error) {
	if degree < 0 || degree > 8 {
		return nil, nil, refuse("degree", fmt.Sprint(degree), "0 to 8")
	}
	const most = 64 // a projection takes milliseconds
	coarse, err := d.Pieces(max(most, 2*pieces))
	if err != nil || pieces < 1 {
		return nil, nil, refuse("pieces", fmt.Sprint(pieces), "at least 1")
	}
	fits := map[run]fit{}
	project := func(r run) fit {
		f, known := fits[r]
		if !known {
			f = coarse.project(r, degree)
			fits[r] = f
		}
		return f
	}
	var all []Polynomial
	bounds, mass := []*big.Int{new(big.Int)}, []float64{}
	for _, r := range merged(coarse.runs(), pieces, (pieces-1)/2, func(r run) float64 {
		return project(r).err
	}) {
		f := project(r)
		first, end := coarse.bounds[r.from], coarse.bounds[r.to]
		all = append(all, Polynomial{first, new(big.Int).Sub(end, oneInt), f.bernstein, f.err})
		before := 0.0
		for _, b := range equalCells(new(big.Int).Sub(end, first), 32)[1:] {
			upTo := cumulative(f.bernstein, ratio(b, new(big.Int).Sub(end, first)))
			bounds, mass = append(bounds, new(big.Int).Add(first, b)), append(mass, upTo-before)
			before = upTo
		}
	}
	return all, d.inherit(bounds, mass), nil
}

// fit is a projection: the coefficients and their distance.
type fit struct {
	bernstein []float64
	err       float64
}

// project finds, by cutting planes, the polynomial with the smallest A_(degree+1) distance to some
// cells: a linear program over the cuts so far gives a polynomial, for which the worst intervals
// are one more cut.
func (d *Distribution) project(r run, degree int) fit {
	total := d.upTo[r.to-1] - d.before(r.from)
	flat := make([]float64, degree+1)
	for j := range flat {
		flat[j] = total
	}
	if total <= 0 {
		return fit{flat, 0}
	}
	at, target := d.grid(r, total)
	best := fit{flat, worst(at, target, flat, degree+1, total).value * total}
	if degree == 0 || r.to-r.from == 1 {
		return best
	}
	var cuts []cut
	coefficients := make([]float64, degree+1)
	for j := range coefficients {
		coefficients[j] = 1
	}
	for range 60 {
		c := worst(at, target, coefficients, degree+1, 1)
		if c.value*total < best.err {
			best.err = c.value * total
			for j, x := range coefficients {
				best.bernstein[j] = x * total
			}
		}
		cuts = append(cuts, c)
		next, reached, ok := solve(cuts, degree)
		if !ok || c.value <= reached+1e-6 && len(cuts) > 1 && best.err/total <= reached+1e-6 {
			break
		}
		coefficients = next
	}
	return best
}

// grid lists positions in a run of cells, as fractions of its width, with the fraction of its
// persons below each: the bounds, and a few positions within each cell.
func (d *Distribution) grid(r run, total float64) (at, target []float64) {
	width := new(big.Int).Sub(d.bounds[r.to], d.bounds[r.from])
	at, target = []float64{0}, []float64{0}
	const within = 4
	for i := r.from; i < r.to; i++ {
		left, right := at[len(at)-1],
			ratio(new(big.Int).Sub(d.bounds[i+1], d.bounds[r.from]), width)
		before := (d.before(i) - d.before(r.from)) / total
		for k := 1; k <= within; k++ {
			part := float64(k) / within
			at, target = append(at, left+(right-left)*part),
				append(target, before+d.mass[i]/total*part)
		}
	}
	return at, target
}

// cut holds disjoint intervals, each with a sign, on which a polynomial is compared with the
// target: the sum of its excess, or of its shortfall.
type cut struct {
	value float64
	row   []float64 // of the coefficients
	fixed float64   // of the target
}

// worst returns up to k disjoint intervals between positions of the grid with the largest sum of
// absolute differences, by dynamic programming.
func worst(at, target, coefficients []float64, k int, scale float64) cut {
	n := len(at)
	off := make([]float64, n)
	for i, u := range at {
		off[i] = cumulative(coefficients, u)/scale - target[i]
	}
	// states: 3·j outside after j intervals, 3·j + 1 and + 2 inside of one more that rises or
	// falls. from remembers the state before.
	const outside, rises = 0, 1
	states := 3*k + 1
	value, from := make([]float64, states), make([][]int, n)
	for s := range value {
		value[s] = math.Inf(-1)
	}
	value[outside] = 0
	for i := range at {
		from[i] = make([]int, states)
		for s := range states {
			from[i][s] = s
		}
		better := func(s, before int, gain float64) {
			if v := value[before] + gain; v > value[s]+1e-15 {
				value[s], from[i][s] = v, before
			}
		}
		for j := k - 1; j >= 0; j-- {
			// closing before opening, so that intervals may touch but not be empty
			better(3*j+3, 3*j+1, off[i])
			better(3*j+3, 3*j+2, -off[i])
		}
		for j := range k {
			better(3*j+1, 3*j, -off[i])
			better(3*j+2, 3*j, off[i])
		}
	}
	s := 0
	for j := 1; j <= k; j++ {
		if value[3*j] > value[s] {
			s = 3 * j
		}
	}
	c := cut{value: value[s], row: make([]float64, len(coefficients))}
	add := func(i int, sign float64) {
		for j := range c.row {
			c.row[j] += sign * cumulativeOf(j, len(c.row)-1, at[i])
		}
		c.fixed += sign * target[i]
	}
	for i := n - 1; i >= 0; i-- {
		for before := from[i][s]; before != s; before = from[i][s] {
			inside := s
			sign := 1.0 // of off at the end of an interval that rises
			if s%3 == outside {
				inside = before
			} else {
				sign = -1
			}
			if inside%3 != rises {
				sign = -sign
			}
			add(i, sign)
			s = before
		}
	}
	return c
}

// solve minimises the largest cut over coefficients of at least 0 with mean 1.
func solve(cuts []cut, degree int) (coefficients []float64, value float64, ok bool) {
	columns := degree + 2 + len(cuts) // coefficients, the value, a slack for each cut
	matrix, right := make([][]float64, len(cuts)+1), make([]float64, len(cuts)+1)
	for i := range matrix {
		matrix[i] = make([]float64, columns)
	}
	for j := range degree + 1 {
		matrix[0][j] = 1
	}
	right[0] = float64(degree + 1)
	for i, c := range cuts {
		copy(matrix[i+1], c.row)
		matrix[i+1][degree+1], matrix[i+1][degree+2+i] = -1, 1
		right[i+1] = c.fixed
	}
	cost := make([]float64, columns)
	cost[degree+1] = 1
	x, value, ok := minimise(cost, matrix, right)
	if !ok {
		return nil, 0, false
	}
	return x[:degree+1], value, true
}

// cumulative returns the integral from 0 to u of a polynomial in the Bernstein basis.
func cumulative(coefficients []float64, u float64) (sum float64) {
	for j, c := range coefficients {
		sum += c * cumulativeOf(j, len(coefficients)-1, u)
	}
	return sum
}

// cumulativeOf returns the integral of the basis polynomial j of a degree: Σ_{i > j} B_{i,
// degree+1}(u)/(degree+1).
func cumulativeOf(j, degree int, u float64) (sum float64) {
	for i := j + 1; i <= degree+1; i++ {
		sum += float64(new(big.Int).Binomial(int64(degree+1), int64(i)).Int64()) *
			math.Pow(u, float64(i)) * math.Pow(1-u, float64(degree+1-i))
	}
	return sum / float64(degree+1)
}
