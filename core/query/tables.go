package query

import (
	"math"
	"strconv"

	"hush/core/coin"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// TablesParams are the parameters of Tables.
type TablesParams struct {
	Epsilon privacy.Epsilon // the privacy loss granted; required
	Delta   privacy.Delta   // 0 is Laplace noise, else Gaussian

	// Columns are those of the attributes, from public facts (H: tables.md public-columns); none:
	// each attribute is a column.
	Columns []Column

	// Width is how many columns each table has: as many as are asked for together, or more. All of
	// them make one full table. At least 1; required.
	Width int
}

// Tables counts, with noise, the persons in each cell of each table of Width columns. A conjunction
// is a sum of cells; where several tables have its columns, their mean is taken.
//
// # Guarantee
//
// Pure Epsilon-DP, or (Epsilon, Delta)-DP, for neighbours that differ in one replaced person. A
// person is in one cell of each table: of T tables, at most 2T counts change, by 1 each, however
// many cells there are. Proof: tables.md.
//
// # Errors
//
// [*param.Error] (epsilon, columns, width) from the constructor, (columns, width) from Release
// where the columns do not fit the records; width where the tables have more than 2^20 cells.
//
// # Cost and accuracy
//
// T = (columns choose Width) steps for each person. The noise on a cell has about √8·T/ε persons;
// with a δ, about 2·√(T·ln(1/δ))/ε. A sum of g cells of a table has √g of that, and each answer
// says its own.
//
// # Reference
//
// Barak, Chaudhuri, Dwork, Kale, McSherry, Talwar, "Privacy, Accuracy, and Consistency Too", 2007,
// has both ends. Differs: any width between, a cell for those without a value, and means of tables
// in place of a linear program.
type Tables struct {
	noise   noise
	columns []Column
	width   int
}

var _ Conjunctive = (*Tables)(nil)

// NewTables checks the parameters.
func NewTables(p TablesParams) (*Tables, error) {
	switch {
	case !p.Epsilon.IsSet(): // H: tables.md some-epsilon
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	case p.Width < 1: // H: tables.md width
		return nil, refuse("width", strconv.Itoa(p.Width), "at least 1")
	}
	noise, err := newNoise(p.Epsilon, p.Delta)
	m := &Tables{noise, p.Columns, p.Width}
	if err != nil || p.Columns == nil {
		return m, err
	}
	columns, err := newPartition(sizeOf(p.Columns), p.Columns)
	if err != nil {
		return nil, err
	}
	tables, _, err := columns.tables(p.Width)
	if err != nil {
		return nil, err
	}
	m.noise, err = noise.priced(2 * len(tables))
	return m, err
}

// Loss returns the loss of all tables together.
func (m *Tables) Loss(d privacy.Distance) (privacy.Loss, error) {
	return m.noise.spend.Loss.Group(d)
}

// Release counts. step may be nil.
func (m *Tables) Release(src coin.Source, records *Records, step coin.Step) (*Release, error) {
	columns, err := newPartition(records.Size(), m.columns)
	if err != nil {
		return nil, err
	}
	tables, cells, err := columns.tables(m.width)
	if err != nil {
		return nil, err
	}
	counts, err := columns.count(records, tables, cells, step)
	if err != nil {
		return nil, err
	}
	noisy, stdDev, err := m.noise.add(src, counts, 2*len(tables), 1, step)
	if err != nil {
		return nil, err
	}
	return &Release{Format: format, Method: ByTables, Kind: Conjunctions, Size: records.Size(),
		Persons: records.Persons(), Loss: m.noise.spend.Loss, Origin: src.Origin(),
		Noise: stdDev, Width: m.width, Columns: columns.columns, Counts: noisy}, nil
}

// tabled holds what answers from tables need.
type tabled struct {
	*partition
	tables []table // of ByResiduals, the places of the residuals
	known  map[string]estimate
	parts  map[string]*part
}

// estimate is what all tables together say about the table of some columns.
type estimate struct {
	persons  []float64 // in each cell; they add up to n
	variance float64   // of one, before they were made to add up to n
}

// openTables checks the columns and counts of a release by tables.
func (r *Release) openTables() (*tabled, error) {
	if r.tabled == nil {
		columns, err := newPartition(r.Size, r.Columns)
		if err != nil {
			return nil, err
		}
		tables, cells, err := columns.tables(r.Width)
		if err != nil {
			return nil, err
		}
		if cells != len(r.Counts) {
			return nil, insist("counts", strconv.Itoa(len(r.Counts)), strconv.Itoa(cells))
		}
		r.tabled = &tabled{columns, tables, map[string]estimate{}, map[string]*part{}}
	}
	return r.tabled, nil
}

// askTables answers how many persons have all, or any, attributes of a set, from the table of its
// columns.
func (r *Release) askTables(s Set, any bool) (Answer, error) {
	open, err := r.opened()
	if err != nil {
		return Answer{}, err
	}
	asked := emptySet(len(open.columns))
	for _, x := range s.Members() {
		asked = asked.With(open.of[x])
	}
	switch {
	case r.Method == ByTables && asked.Len() > r.Width:
		return Answer{}, refuse("set", phrase.Of("attributes of %d columns", asked.Len()),
			"at most %d", r.Width)
	case !open.holds(asked):
		return Answer{}, refuse("set", phrase.Of("attributes of %d columns", asked.Len()),
			"attributes of columns that are together in a table")
	}
	counted := []bool{!any} // which cells, extended column by column
	for _, i := range asked.Members() {
		of := make([]bool, open.cells(i))
		for c, cell := range open.columns[i] {
			if any {
				of[c+1] = cell.Meets(s)
			} else {
				of[c+1] = s.shared(open.masks[i]) == s.shared(cell)
			}
		}
		var extended []bool
		for _, before := range counted {
			for _, now := range of {
				if any {
					extended = append(extended, before || now)
				} else {
					extended = append(extended, before && now)
				}
			}
		}
		counted = extended
	}
	if r.Method == ByResiduals {
		sum, variance := r.sumOf(open, asked, counted)
		return r.answer(sum, math.Sqrt(variance)), nil
	}
	e, sum, number := r.estimate(open, asked), 0.0, 0.0
	for cell, yes := range counted {
		if yes {
			sum, number = sum+e.persons[cell], number+1
		}
	}
	variance := e.variance * number * (1 - number/float64(len(counted)))
	return r.answer(sum, math.Sqrt(variance)), nil
}

// estimate returns the table of the chosen columns: the mean over the tables that have them,
// adjusted to add up to n.
func (r *Release) estimate(open *tabled, chosen Set) estimate {
	if known, ok := open.known[chosen.key()]; ok {
		return known
	}
	e := r.mean(open, chosen)
	total := 0.0
	for _, persons := range e.persons {
		total += persons
	}
	for at := range e.persons {
		e.persons[at] += (float64(r.Persons) - total) / float64(len(e.persons))
	}
	open.known[chosen.key()] = e
	return e
}

// mean averages, by inverse variance, what each table that has the chosen columns says of theirs:
// the best weights for independent noise.
func (r *Release) mean(open *tabled, chosen Set) estimate {
	stride, size := open.strides(chosen.Members())
	e, weights := estimate{persons: make([]float64, size)}, 0.0
	for _, t := range open.tables {
		if !chosen.Within(t.has) {
			continue
		}
		weight := float64(size) / float64(t.cells)
		weights += weight
		open.walk(t, stride, func(cell, at int) {
			e.persons[at] += weight * float64(r.Counts[cell])
		})
	}
	for at := range e.persons {
		e.persons[at] /= weights
	}
	e.variance = r.Noise * r.Noise / weights
	return e
}

// walk visits the cells of a table, each with the sum of its columns' strides times its codes.
func (p *partition) walk(t table, stride []int, visit func(cell, at int)) {
	codes, at := make([]int, len(t.columns)), 0
	for cell := range t.cells {
		visit(t.at+cell, at)
		for k := len(codes) - 1; k >= 0; k-- {
			i := t.columns[k]
			if codes[k]++; codes[k] < p.cells(i) {
				at += stride[i]
				break
			}
			at -= stride[i] * (codes[k] - 1)
			codes[k] = 0
		}
	}
}

// spread returns the mean standard deviation of an answer about a conjunction of 1 to asked
// columns, with each number and each set of columns counting alike, where tables of width columns
// have noise of standard deviation 1.
func (p *partition) spread(asked, width int) float64 {
	part := func(i int) float64 { return 1 / float64(p.cells(i)) }
	root, share := make([]float64, len(p.columns)), make([]float64, len(p.columns))
	for i, column := range p.columns { // means over its attributes, of which each has some cells
		for _, x := range p.masks[i].Members() {
			number := 0.0
			for _, cell := range column {
				if cell.Has(x) {
					number++
				}
			}
			root[i] += math.Sqrt(number) / float64(p.masks[i].Len())
			share[i] += number * part(i) / float64(p.masks[i].Len())
		}
	}
	sums, numbers := make([]float64, asked+1), make([]float64, asked+1)
	for _, chosen := range subsets(len(p.columns), asked) {
		k, off, all := chosen.Len(), 1.0, 1.0
		for _, i := range chosen.Members() {
			off, all = off*root[i], all*share[i]
		}
		off *= math.Sqrt((1 - all) / p.products(width-k, chosen, part))
		sums[k], numbers[k] = sums[k]+off, numbers[k]+1
	}
	mean := 0.0
	for k := 1; k <= asked; k++ {
		mean += sums[k] / numbers[k] / float64(asked)
	}
	return mean
}
