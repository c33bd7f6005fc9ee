package joint

import "math"

// goal is what rows are fitted to.
type goal struct {
	tables  [][]float64 // by table, in persons
	stdDevs []float64   // how far off the counts of each may be
	misfit  float64     // of rows that are near enough, as chain.misfit measures it
}

// newGoal reads it from a release. Without tables of one column it is the noisy tables themselves.
//
// With them every table gets the sums that are known best, those of all tables together, and keeps
// its interactions: the rest, of which each row and each column adds up to 0. These have (a −
// 1)·(b − 1) dimensions in a table of a·b cells, and with them their noise. If all interactions
// together are no farther from those of independent columns than noise alone is in 999 of 1000
// releases, the columns are taken to be independent, and rows are fitted to that, more closely than
// persons drawn by chance would be.
func newGoal(m *Measured, singles [][]float64) *goal {
	g := &goal{}
	for _, t := range m.Tables {
		counts := make([]float64, len(t.Counts))
		for cell, count := range t.Counts {
			counts[cell] = float64(count)
		}
		g.tables, g.stdDevs = append(g.tables, counts), append(g.stdDevs, t.StdDev)
	}
	apart := independent(m, singles)
	if m.Singles == nil {
		g.misfit = enough(misfit(apart, g.tables, g.stdDevs))
		return g
	}
	far, freedom, cells := 0.0, 0.0, 0.0
	for k, t := range m.Tables {
		a, b := m.Sizes[t.Columns[0]], m.Sizes[t.Columns[1]]
		counts := g.tables[k]
		for cell := range counts {
			counts[cell] -= apart[k][cell]
		}
		center(counts, a, b)
		for cell, off := range counts {
			far += off * off / (t.StdDev * t.StdDev)
			counts[cell] += apart[k][cell]
		}
		freedom += float64((a - 1) * (b - 1))
		cells += float64(a * b)
	}
	if far <= freedom+sureOfNoise*math.Sqrt(2*freedom) {
		g.tables, g.misfit = apart, nearApart
		for k := range g.stdDevs {
			g.stdDevs[k] = math.Sqrt(float64(m.Persons) / float64(len(apart[k])))
		}
		return g
	}
	g.misfit = enough(far/freedom) * freedom / cells
	return g
}

const (
	sureOfNoise = 3.1 // standard deviations of χ², which 1 in 1000 exceeds

	// nearApart is a part of the misfit to independent columns that persons have by chance.
	nearApart = 0.1
)

// center makes each row and each column of a table add up to 0.
func center(table []float64, rows, columns int) {
	level := func(first, apart, cells int) { // those of one row, or of one column
		sum := 0.0
		for i := range cells {
			sum += table[first+i*apart]
		}
		for i := range cells {
			table[first+i*apart] -= sum / float64(cells)
		}
	}
	for row := range rows {
		level(row*columns, 1, columns)
	}
	for column := range columns {
		level(column, columns, rows)
	}
}

// misfit is the mean square of how far tables are from others, in units of the standard deviations.
func misfit(tables, from [][]float64, stdDevs []float64) float64 {
	sum, counts := 0.0, 0
	for k := range from {
		for cell, persons := range tables[k] {
			off := (persons - from[k][cell]) / stdDevs[k]
			sum += off * off
		}
		counts += len(from[k])
	}
	return sum / float64(counts)
}
