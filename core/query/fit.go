package query

import (
	"math"
	"strconv"

	"hush/core/coin"
	"hush/core/phrase"
)

// mostToFit bounds the work of a step of [Release.Fit]: the cells of the full table of all columns,
// times the number of tables.
const mostToFit = 1 << 22

// FitsTo reports whether tables of this many of the columns can be fitted: the full table of all
// columns must be small enough to visit again and again.
func FitsTo(columns []Column, together int) bool {
	p, err := newPartition(sizeOf(columns), columns)
	if err != nil {
		return false
	}
	tables, _, err := p.tables(together)
	return err == nil && p.workToFit(len(tables)) <= mostToFit
}

// workToFit returns the work of a step with this many tables.
func (p *partition) workToFit(tables int) float64 {
	work := float64(tables)
	for i := range p.columns {
		work *= float64(p.cells(i))
	}
	return work
}

// Fit makes the tables of a release by tables or by residuals consistent with n people. It finds a
// full table of n people, whole or fractional, without negative counts, that is as near to the
// measured counts, by weighted squares, as the true table would be; Fitted holds the tables of that
// one. This removes much of the noise where many cells are empty. The law of the noise is known
// only for the unfitted counts, which [Table.Raw] keeps.
//
// It is post-processing of the release. It refuses releases of other methods, and columns for which
// [FitsTo] is false, with a [*param.Error] (method, columns). step may be nil.
//
// # Cost
//
// Up to 400 steps of this many additions as the full table has cells, times the tables.
//
// # Reference
//
// McKenna, Sheldon, Miklau, "Graphical-model based estimation and inference for differential
// privacy", 2019, with the full table for a graphical model: entropic mirror descent. It starts
// where the columns have nothing to do with each other, and of equally likely tables it finds one
// that is near to that.
func (r *Release) Fit(step coin.Step) error {
	if r.Method != ByTables && r.Method != ByResiduals {
		return refuse("method", string(r.Method), "tables or residuals")
	}
	open, err := r.opened()
	if err != nil {
		return err
	}
	tables := open.largest()
	if open.workToFit(len(tables)) > mostToFit {
		return refuse("columns", phrase.Of("%d of them", len(open.columns)),
			"columns of which the full table is smaller")
	}
	f := r.fitting(open, tables)
	fitted, err := f.fit(step)
	if err != nil {
		return err
	}
	for i, x := range fitted {
		fitted[i] = math.Round(x*fitUnit) / fitUnit
	}
	r.Fitted = fitted
	return nil
}

// fitUnit is the reciprocal of the unit, in persons, to which fitted counts are rounded: far
// coarser than any difference between machines.
const fitUnit = 1e3

// largest yields the tables that are contained in no other.
func (t *tabled) largest() (tables []table) {
	at := 0
	for i, one := range t.tables {
		inside := false
		for k, other := range t.tables {
			inside = inside || i != k && one.has.Within(other.has)
		}
		if !inside {
			largest := t.table(one.has, at)
			tables, at = append(tables, largest), at+largest.cells
		}
	}
	return tables
}

// checkFitted refuses counts that do not belong to the tables.
func (r *Release) checkFitted(open *tabled) error {
	if r.Fitted == nil {
		return nil
	}
	cells := 0
	for _, t := range open.largest() {
		cells += t.cells
	}
	if cells != len(r.Fitted) {
		return insist("fitted", strconv.Itoa(len(r.Fitted)), strconv.Itoa(cells))
	}
	for _, x := range r.Fitted {
		if !(x >= 0 && x <= float64(r.Persons)) {
			return refuse("fitted", strconv.FormatFloat(x, 'g', -1, 64), "counts from 0 to n")
		}
	}
	return nil
}

// fittedTable returns the fitted table of some columns that one table has together.
func (r *Release) fittedTable(open *tabled, asked Set) []float64 {
	for _, t := range open.largest() {
		if asked.Within(t.has) {
			return marginOf(open.partition, t, r.Fitted, asked.Members())
		}
	}
	panic("query: internal error: columns that are together in no table")
}

// fitting is a least-squares problem over full tables of n people.
type fitting struct {
	*partition
	n      float64
	tables []table
	places [][]uint32 // by table: the cell of the table that a cell of the full table is in
	parts  []fitPart
	truth  float64   // the loss to expect of the true tables
	start  []float64 // logarithms of the cells, a number for each cell of each table
	cells  int       // of the full table
	counts int       // of all tables
}

// fitPart is a measured residual.
type fitPart struct {
	in       table // of those of the fitting
	sizes    []int
	place    []int // by cell of that table
	persons  []float64
	variance float64
}

func (r *Release) fitting(open *tabled, tables []table) *fitting {
	f := &fitting{partition: open.partition, n: float64(r.Persons), tables: tables, cells: 1}
	whole := emptySet(len(open.columns))
	for i := range open.columns {
		whole = whole.With(i)
	}
	full := open.table(whole, 0)
	f.cells = full.cells
	seen := map[string]bool{}
	for _, t := range tables {
		stride, size := open.strides(t.columns)
		place := make([]uint32, full.cells)
		open.walk(full, stride, func(cell, at int) { place[cell] = uint32(t.at + at) })
		f.places, f.counts = append(f.places, place), f.counts+size
		for _, some := range subsetsOf(t.has) {
			if seen[some.key()] {
				continue
			}
			seen[some.key()] = true
			p := r.part(open, some)
			of := fitPart{in: t, sizes: open.sizes(some.Members()), place: make([]int, t.cells),
				persons: p.persons, variance: p.variance}
			free := 0.5
			for _, c := range of.sizes {
				free *= float64(c - 1)
			}
			f.truth += free
			stride, _ := open.strides(some.Members())
			open.walk(t, stride, func(cell, at int) { of.place[cell-t.at] = at })
			f.parts = append(f.parts, of)
		}
	}
	f.start = make([]float64, f.counts)
	for i := range open.columns {
		f.startWith(r.table(open, emptySet(len(open.columns)).With(i)))
	}
	return f
}

// startWith adds the logarithms of the counts of one column, where they are above the noise.
func (f *fitting) startWith(one *Table) {
	for _, t := range f.tables {
		if !t.has.Has(one.Columns[0]) {
			continue
		}
		stride, _ := f.strides(one.Columns)
		f.walk(t, stride, func(cell, at int) {
			f.start[cell] += math.Log(max(one.Persons[at], one.StdDev/8))
		})
		return
	}
}

// The descent ends after this many steps, or once the loss is this part of the true tables'
// expected loss, half the number of free residuals: going on would fit the noise (Morozov's
// discrepancy principle). The part matters little: on all tables of two of five columns of the
// Adult data the mean error was, for .6, .8 and 1, at (.1, 10^-7) 70, 62 and 69 persons, and at (1,
// 10^-7) 11.9, 12.9 and 14.3; unfitted 143 and 15.6.
const (
	mostFitSteps = 400
	leastFitGain = 1e-5
	enough       = 0.6
)

// fit minimises the loss. Its variables are the logarithms of the cells, up to a constant: sums of
// a number for each cell of each table. A step is kept if it gains at least half of the gain that
// the slope promised (Armijo), and halved otherwise; the smoothness of the loss gives the first
// step.
func (f *fitting) fit(step coin.Step) ([]float64, error) {
	stiffness := 0.0 // the most that a move of one person can bend the loss
	for _, p := range f.parts {
		stiffness += 1 / p.variance
	}
	length := 1 / (f.n * stiffness)
	logs := f.start
	margins := f.margins(logs)
	loss, slope := f.loss(margins)
	for i := range mostFitSteps {
		if step != nil {
			if err := step(int64(i), mostFitSteps); err != nil {
				return nil, err
			}
		}
		length *= 2
		for {
			next := make([]float64, f.counts)
			for k := range next {
				next[k] = logs[k] - length*slope[k]
			}
			moved := f.margins(next)
			found, steeper := f.loss(moved)
			promised := 0.0
			for k := range moved {
				promised += slope[k] * (margins[k] - moved[k])
			}
			if promised < leastFitGain*f.truth { // there is nothing left to gain
				return margins, nil
			}
			if loss-found >= promised/2 {
				logs, margins, loss, slope = next, moved, found, steeper
				break
			}
			length /= 2
		}
		if loss <= enough*f.truth {
			break
		}
	}
	return margins, nil
}

// margins returns the counts of all tables, given the full table with these logarithms.
func (f *fitting) margins(logs []float64) []float64 {
	weights, largest := make([]float64, f.cells), math.Inf(-1)
	for _, place := range f.places {
		for cell, at := range place {
			weights[cell] += logs[at]
		}
	}
	for _, w := range weights {
		largest = max(largest, w)
	}
	total := 0.0
	for cell, w := range weights {
		w = math.Exp(w - largest)
		weights[cell], total = w, total+w
	}
	margins := make([]float64, f.counts)
	for _, place := range f.places {
		for cell, at := range place {
			margins[at] += weights[cell]
		}
	}
	for k := range margins {
		margins[k] *= f.n / total
	}
	return margins
}

// loss returns half the squared distance of the residuals from the measured ones, weighted by their
// variances, and its slope in each count.
func (f *fitting) loss(margins []float64) (loss float64, slope []float64) {
	slope = make([]float64, len(margins))
	for _, p := range f.parts {
		off := make([]float64, len(p.persons))
		for cell, at := range p.place {
			off[at] += margins[p.in.at+cell]
		}
		centre(off, p.sizes)
		for at := range off {
			off[at] -= p.persons[at]
			loss += off[at] * off[at] / (2 * p.variance)
		}
		for cell, at := range p.place {
			slope[p.in.at+cell] += off[at] / p.variance
		}
	}
	return loss, slope
}
