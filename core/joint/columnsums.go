package joint

import "math"

// ColumnSums holds the number of persons in each place of one column from all noisy tables that
// have it, each weighted by its precision. It is post-processing, and costs nothing. Proof:
// living.md, "The sums of one column".
type ColumnSums struct {
	// Persons are near the true counts, and add up to n.
	Persons []float64
	number  linear     // of one place; that of any other has the same weights in another order
	laws    [2]*Living // with Laplace noise and with Gaussian
}

// ColumnSums adds up the tables of a column; ok is false where no table has it.
func (m *Measured) ColumnSums(column int) (c *ColumnSums, ok bool) {
	c = &ColumnSums{Persons: make([]float64, m.Sizes[column])}
	for i, of := range []func(stdDev float64) law{laplaceOf, gaussianOf} {
		l := &Living{model: &Model{Measured: m}}
		for _, t := range m.Tables {
			l.laws = append(l.laws, of(t.StdDev))
		}
		for _, t := range m.Singles {
			l.laws = append(l.laws, of(t.StdDev))
		}
		c.laws[i] = l
	}
	for place := range c.Persons {
		ways := c.laws[0].ofColumn(column, anyWeights, func(at int) float64 {
			return one(at == place)
		})
		if len(ways) == 0 {
			return nil, false
		}
		c.number = ways[len(ways)-1] // by all tables
		c.Persons[place] = c.laws[0].value(c.number)
	}
	return c, true
}

// Bound returns a t with Pr[|error of a place| > t] ≤ beta, whichever noise the tables have.
func (c *ColumnSums) Bound(beta float64) (t float64) {
	for _, l := range c.laws {
		if list := l.shares(c.number); len(list) > 0 {
			t = max(t, l.narrowed(c.number, list, beta))
		}
	}
	return t
}

// laplaceOf returns discrete Laplace noise with this standard deviation, 1/(√2·sinh(ln r/2)).
func laplaceOf(stdDev float64) law {
	steep := math.Sqrt2 / 2 / stdDev
	return law{stdDev: stdDev, half: math.Asinh(steep), steep: steep}
}

func gaussianOf(stdDev float64) law {
	of := law{stdDev: stdDev}
	of.atZero = of.theta(0)
	return of
}
