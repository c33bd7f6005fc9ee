package joint

import "math"

// goal holds the tables that rows are fitted to.
type goal struct {
	tables  [][]float64 // by table, in persons
	stdDevs []float64   // how far off the counts of each may be
	misfits []float64   // of rows that are near enough to each, as misfit measures it
	open    []bool      // the tables with interactions; of the others the columns are independent
}

// newGoal derives the goal from a release, table by table. Every table gets the best known sums,
// those of all tables together, and keeps its interactions: the rest, in which each row and each
// column adds up to 0. In a table of a·b cells the interactions have (a − 1)·(b − 1) dimensions,
// and their noise has as many; so the true table has a misfit of about that number.
//
// A table is closed where its interactions are no farther from none than that. It is closed as well
// where all interactions together are no farther than noise alone is in 999 of 1000 releases,
// unless its own are farther than those of any table are by noise in 999 of 1000: one strong
// relation shows among many tables without any. Columns of a closed table are taken to be
// independent, and rows are fitted to that, more closely than persons drawn by chance would be.
func newGoal(m *Measured, singles [][]float64) *goal {
	g := &goal{tables: independent(m, singles), open: make([]bool, len(m.Tables))}
	far, freedoms := make([]float64, len(m.Tables)), make([]float64, len(m.Tables))
	allFar, allFreedom := 0.0, 0.0
	interactions := make([][]float64, len(m.Tables))
	for k, t := range m.Tables {
		a, b := m.Sizes[t.Columns[0]], m.Sizes[t.Columns[1]]
		for cell, count := range t.Counts {
			interactions[k] = append(interactions[k], float64(count)-g.tables[k][cell])
		}
		center(interactions[k], a, b)
		for _, off := range interactions[k] {
			far[k] += off * off / (t.StdDev * t.StdDev)
		}
		freedoms[k] = float64((a - 1) * (b - 1))
		allFar, allFreedom = allFar+far[k], allFreedom+freedoms[k]
	}
	noise := allFar <= noiseBelow(allFreedom, unlikely)
	for k, t := range m.Tables {
		g.open[k] = far[k] > freedoms[k] && (!noise ||
			far[k] > noiseBelow(freedoms[k], unlikely/float64(len(m.Tables))))
		cells := float64(len(g.tables[k]))
		if !g.open[k] {
			g.stdDevs = append(g.stdDevs, math.Sqrt(float64(m.Persons)/cells))
			g.misfits = append(g.misfits, nearApart*cells)
			continue
		}
		for cell, off := range interactions[k] {
			g.tables[k][cell] += off
		}
		g.stdDevs, g.misfits = append(g.stdDevs, t.StdDev), append(g.misfits,
			freedoms[k]*stop(far[k], freedoms[k]))
	}
	return g
}

const (
	// unlikely is the chance with which noise alone is taken for a relation.
	unlikely = 0.001

	// nearApart is a part of the misfit that persons with independent columns have by chance.
	nearApart = 0.1
)

// stop returns the part of the noise in this many dimensions that remains in a table's misfit, if
// its interactions are far from none. Fitting all the noise away would mean following it, and
// leaving all of it blurs interactions far above it: on the Adult data all of it is best where a
// table hardly shows a relation, and .6 where it shows one plainly.
func stop(far, freedom float64) float64 {
	above := (far - freedom) / math.Sqrt(2*freedom)
	return leastLeft + (1-leastLeft)*min(1, hardly/max(above, hardly))
}

const (
	leastLeft = 0.6
	hardly    = 2.5 // standard deviations of the misfit of noise
)

// noiseBelow returns the number that the squares of noise in this many dimensions exceed with this
// chance: a quantile of χ², by Wilson and Hilferty.
func noiseBelow(freedom, chance float64) float64 {
	if freedom == 0 {
		return 0
	}
	z, part := math.Sqrt2*math.Erfinv(1-2*chance), 2/(9*freedom)
	return freedom * math.Pow(1-part+z*math.Sqrt(part), 3)
}

// center makes each row and each column of a table add up to 0.
func center(table []float64, rows, columns int) {
	level := func(first, apart, cells int) { // of one row, or of one column
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

// misfit is the sum of squares of a table's distances from the goal, in units of the standard
// deviation.
func (g *goal) misfit(table int, counts []float64) (sum float64) {
	for cell, persons := range counts {
		off := (persons - g.tables[table][cell]) / g.stdDevs[table]
		sum += off * off
	}
	return sum
}
