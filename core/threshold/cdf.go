package threshold

import (
	"fmt"
	"math"
	"math/big"
	"sort"
)

// CDF is a released distribution function: for every value of a domain, about how many persons have
// it or a smaller one. All its answers are post-processing of one release and cost nothing.
type CDF struct {
	points []*big.Int // ascending
	before []float64  // persons with a value below each point
	upTo   []float64  // persons with a value up to each point
	size   *big.Int
	total  float64
}

// newCDF takes counts of the open cells and of the points between them, cells[0], atoms[0],
// cells[1], …, and makes their sums monotone: the mean of the largest so far and the smallest to
// come, which is nowhere further from the truth than the sums are at their worst (quantiles.md).
func newCDF(size *big.Int, points []*big.Int, cells, atoms []int64) *CDF {
	sums := make([]float64, 0, 2*len(atoms)+1)
	sum := int64(0)
	for i, cell := range cells {
		sum += cell
		sums = append(sums, float64(sum))
		if i < len(atoms) {
			sum += atoms[i]
			sums = append(sums, float64(sum))
		}
	}
	up := make([]float64, len(sums))
	highest := 0.0
	for i, s := range sums {
		highest = max(highest, s)
		up[i] = highest
	}
	c := &CDF{points: points, size: size, before: make([]float64, len(points)),
		upTo: make([]float64, len(points))}
	lowest := max(sums[len(sums)-1], 0)
	for i := len(sums) - 1; i >= 0; i-- {
		lowest = max(min(lowest, sums[i]), 0)
		value := (up[i] + lowest) / 2
		switch {
		case i == len(sums)-1:
			c.total = value
		case i%2 == 0:
			c.before[i/2] = value
		default:
			c.upTo[i/2] = value
		}
	}
	return c
}

// NewCDF returns a function that was released before, from its points (ascending, in a domain of
// that many values), what was measured below and up to each of them, and the total.
func NewCDF(size *big.Int, points []*big.Int, below, upTo []float64, total float64) (*CDF, error) {
	c := &CDF{points: points, before: below, upTo: upTo, size: size, total: total}
	if len(below) != len(points) || len(upTo) != len(points) {
		return nil, refuse("points", fmt.Sprint(len(points)),
			"as many as counts below and up to them")
	}
	last, count := big.NewInt(-1), 0.0
	for i, at := range points {
		if at.Cmp(last) <= 0 || at.Cmp(size) >= 0 {
			return nil, refuse("points", fmt.Sprint("number ", i), "ascending values of the domain")
		}
		if !(count <= below[i] && below[i] <= upTo[i] && upTo[i] <= total) {
			return nil, refuse("points", fmt.Sprint("number ", i),
				"counts that rise up to the total")
		}
		last, count = at, upTo[i]
	}
	return c, nil
}

// Total returns about how many persons have a value.
func (c *CDF) Total() float64 { return c.total }

// Points returns the places at which the function was measured, ascending. The result must not be
// written to.
func (c *CDF) Points() []*big.Int { return c.points }

// At returns what was measured at point i: about how many persons have a value below it, and up to
// it.
func (c *CDF) At(i int) (below, upTo float64) { return c.before[i], c.upTo[i] }

// Count returns about how many persons have the value x or a smaller one: between two points of the
// release in proportion to the values between them.
func (c *CDF) Count(x *big.Int) float64 {
	if x.Sign() < 0 {
		return 0
	}
	if x.Cmp(c.size) >= 0 {
		return c.total
	}
	// the first point not below x
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].Cmp(x) >= 0 })
	if i < len(c.points) && c.points[i].Cmp(x) == 0 {
		return c.upTo[i]
	}
	from, start, end, to := c.cell(i)
	part := ratio(new(big.Int).Sub(x, from), new(big.Int).Sub(to, from))
	return start + part*(end-start)
}

// cell is the open cell before point i: the values in it are above from and below to + 1, and the
// function goes from start to end.
func (c *CDF) cell(i int) (from *big.Int, start, end float64, to *big.Int) {
	from, to, end = big.NewInt(-1), c.size, c.total
	if i > 0 {
		from, start = c.points[i-1], c.upTo[i-1]
	}
	if i < len(c.points) {
		to, end = c.points[i], c.before[i]
	}
	return from, start, end, new(big.Int).Sub(to, oneInt)
}

// Quantile returns the smallest value x with Count(x) ≥ q·Total, for 0 ≤ q ≤ 1, to the precision of
// a float64.
func (c *CDF) Quantile(q float64) *big.Int {
	target := q * c.total
	i := sort.Search(len(c.points), func(i int) bool { return c.upTo[i] >= target })
	from, start, end, to := c.cell(i)
	switch {
	case from.Cmp(to) < 0 && target <= start: // nothing is asked for
		return new(big.Int).Add(from, oneInt)
	case from.Cmp(to) < 0 && target <= end || i == len(c.points):
		const unit = 1 << 53
		share := int64(math.Ceil(min((target-start)/(end-start), 1) * unit))
		x := new(big.Int).Sub(to, from)
		x.Mul(x, big.NewInt(share)).Add(x, big.NewInt(unit-1))
		return x.Add(x.Rsh(x, 53), from)
	}
	return new(big.Int).Set(c.points[i])
}

// ratio returns x/y for 0 ≤ x ≤ y of any size.
func ratio(x, y *big.Int) float64 {
	q := new(big.Float).SetPrec(64).SetInt(x)
	f, _ := q.Quo(q, new(big.Float).SetPrec(64).SetInt(y)).Float64()
	return f
}
