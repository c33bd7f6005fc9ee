package query

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"hush/core/phrase"
)

// Residual is a residual of a release: the part of the table of its columns that no table of fewer
// columns shows. Its values are Counts, divided by the number of cells and with the mean of each
// line removed.
type Residual struct {
	Columns []int `json:"columns"` // ascending

	// StdDev is σ, in persons: the noise has the covariance σ²·⊗(I − J/c), c the cells of a column
	// and J all ones.
	StdDev float64 `json:"stdDev"`
}

// Table is a release's answer about the table of some columns.
type Table struct {
	Columns []int
	Cells   []int // of each column; the first is that of the persons in none of its cells

	// Persons is how many are in each cell, those of the last column fastest. They add up to n, and
	// may be below 0 where they are not fitted.
	Persons []float64

	// Raw are the same before they were fitted; nil: they were not.
	Raw []float64

	// StdDev is the standard deviation of the noise on each, before it was fitted, in persons; 0
	// where noise is not all that a release is off by.
	StdDev float64
}

// part is a residual and the variance of its noise.
type part struct {
	persons  []float64
	variance float64
}

// openResiduals checks the residuals of a release.
func (r *Release) openResiduals() (*tabled, error) {
	if r.tabled != nil {
		return r.tabled, nil
	}
	of, err := newPartition(r.Size, r.Columns)
	if err != nil {
		return nil, err
	}
	open := &tabled{partition: of, parts: map[string]*part{}}
	cells := 0
	for i, residual := range r.Residuals {
		members := emptySet(len(of.columns))
		for k, column := range residual.Columns {
			if column < 0 || column >= len(of.columns) ||
				k > 0 && column <= residual.Columns[k-1] {
				return nil, refuse("residuals", phrase.Of("columns of residual %d", i),
					"numbers from 0 to %d in ascending order", len(of.columns)-1)
			}
			members = members.With(column)
		}
		t := of.table(members, cells)
		if !(residual.StdDev > 0) || math.IsInf(residual.StdDev, 0) || members.Len() == 0 ||
			members.Len() > mostOfMargin || t.cells > mostCounts {
			return nil, refuse("residuals", phrase.Of("residual %d", i),
				"1 to %d columns and noise above 0", mostOfMargin)
		}
		if cells += t.cells; cells > len(r.Counts) {
			break
		}
		open.tables = append(open.tables, t)
	}
	if cells != len(r.Counts) {
		return nil, insist("counts", strconv.Itoa(len(r.Counts)), strconv.Itoa(cells))
	}
	for i, t := range open.tables {
		for _, some := range subsetsOf(t.has) {
			if !slices.ContainsFunc(open.tables, func(other table) bool {
				return other.has.key() == some.key()
			}) {
				return nil, refuse("residuals", phrase.Of("residual %d", i),
					"one for each set of its columns as well")
			}
		}
		values := make([]float64, t.cells)
		for k := range values {
			values[k] = float64(r.Counts[t.at+k]) / float64(t.cells)
		}
		centre(values, of.sizes(t.columns))
		stdDev := r.Residuals[i].StdDev
		open.parts[t.has.key()] = &part{values, stdDev * stdDev}
	}
	r.tabled = open
	return open, nil
}

// centre removes the mean of each line, along every axis.
func centre(values []float64, sizes []int) {
	for axis, c := range sizes {
		lines(sizes, axis, func(start, apart int) {
			mean := 0.0
			for k := range c {
				mean += values[start+k*apart] / float64(c)
			}
			for k := range c {
				values[start+k*apart] -= mean
			}
		})
	}
}

// opened checks a release of tables.
func (r *Release) opened() (*tabled, error) {
	if r.Method == ByResiduals {
		return r.openResiduals()
	}
	return r.openTables()
}

// holds reports whether some columns are together in a table.
func (t *tabled) holds(columns Set) bool {
	for _, one := range t.tables {
		if columns.Within(one.has) {
			return true
		}
	}
	return false
}

// part returns the residual of columns that are together in a table. All tables that contain them
// estimate it together: their residuals are averaged by inverse variance, which least squares over
// all cells of all tables gives too.
func (r *Release) part(open *tabled, columns Set) *part {
	if open.parts[columns.key()] == nil {
		e := r.mean(open, columns)
		centre(e.persons, open.sizes(columns.Members()))
		open.parts[columns.key()] = &part{e.persons, e.variance}
	}
	return open.parts[columns.key()]
}

// Table returns the table of some columns, given by their numbers among the release's Columns, in
// ascending order; where a release of multiplicative weights has no Columns, each attribute is a
// column. All tables of a release by residuals or by tables agree with each other and with n.
// Columns for which the release has no table are a *param.Error.
func (r *Release) Table(columns ...int) (*Table, error) {
	var open *tabled
	var err error
	switch r.Method {
	case ByTables, ByResiduals:
		open, err = r.opened()
	case ByWeights:
		of, partition := newPartition(r.Size, nil)
		open, err = &tabled{partition: of}, partition
	default:
		err = refuse("method", string(r.Method), "tables, residuals or weights")
	}
	if err != nil {
		return nil, err
	}
	asked := emptySet(len(open.columns))
	for k, i := range columns {
		if i < 0 || i >= len(open.columns) || k > 0 && i <= columns[k-1] {
			return nil, refuse("columns", fmt.Sprint(columns),
				"numbers from 0 to %d in ascending order", len(open.columns)-1)
		}
		asked = asked.With(i)
	}
	if r.Method == ByWeights {
		return r.weighed(columns)
	}
	if !open.holds(asked) {
		return nil, refuse("columns", fmt.Sprint(columns), "columns that are together in a table")
	}
	t := r.table(open, asked)
	if r.Fitted != nil {
		t.Persons, t.Raw = r.fittedTable(open, asked), t.Persons
	}
	return t, nil
}

// table adds up the residuals of all sets of some columns.
func (r *Release) table(open *tabled, asked Set) *Table {
	all := open.table(asked, 0)
	t := &Table{Columns: all.columns, Cells: open.sizes(all.columns),
		Persons: make([]float64, all.cells)}
	for cell := range t.Persons {
		t.Persons[cell] = float64(r.Persons) / float64(all.cells)
	}
	variance := 0.0
	for _, some := range subsetsOf(asked) {
		p := r.part(open, some)
		stride, size := open.strides(some.Members())
		share := float64(size) / float64(all.cells)
		open.walk(all, stride, func(cell, at int) { t.Persons[cell] += share * p.persons[at] })
		variance += p.variance * open.ofCell(some, asked)
	}
	t.StdDev = math.Sqrt(variance)
	return t
}

// subsetsOf lists the non-empty sets of some columns.
func subsetsOf(columns Set) (all []Set) {
	members := columns.Members()
	for mask := 1; mask < 1<<len(members); mask++ {
		some := make(Set, len(columns))
		for k, i := range members {
			if mask>>k&1 == 1 {
				some = some.With(i)
			}
		}
		all = append(all, some)
	}
	return all
}

// weighed adds up the weights of the records in each cell of a table.
func (r *Release) weighed(columns []int) (*Table, error) {
	u, err := r.open()
	if err != nil {
		return nil, err
	}
	t := &Table{Columns: columns, Persons: make([]float64, 1<<len(columns))}
	for range columns {
		t.Cells = append(t.Cells, 2)
	}
	for record, weight := range u.weight {
		at := 0
		for _, i := range columns {
			at = 2*at + record>>i&1
		}
		t.Persons[at] += weight * float64(r.Persons)
	}
	return t, nil
}

// sumOf returns the sum of some cells of the table of columns, and its variance. A residual
// contributes σ² times the squares of the rest of the sum once the mean of each line is
// removed.
func (r *Release) sumOf(open *tabled, asked Set, counted []bool) (sum, variance float64) {
	t, yes := r.table(open, asked), make([]float64, len(counted))
	for cell, is := range counted {
		if is {
			yes[cell], sum = 1, sum+t.Persons[cell]
		}
	}
	all := open.table(asked, 0)
	for _, some := range subsetsOf(asked) {
		margin := marginOf(open.partition, all, yes, some.Members())
		centre(margin, open.sizes(some.Members()))
		share, squares := float64(len(margin))/float64(all.cells), 0.0
		for _, x := range margin {
			squares += x * x * share * share
		}
		variance += squares * r.part(open, some).variance
	}
	return sum, variance
}
