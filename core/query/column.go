package query

import (
	"strconv"

	"hush/core/coin"
	"hush/core/phrase"
)

// Column is a set of attributes that exclude or imply each other because one value of a person
// decides them all. Its cells are the sets of attributes that a person can have. A person with any
// other set is in no cell, and counts as having no attribute of the column. Categories are {0},
// {1}, {2}; at the cut points 18 and 65 the attributes ≥ 18, < 18, ≥ 65, < 65 have the cells {1,3},
// {0,3}, {0,2}.
type Column []Set

// partition divides all attributes of records into columns.
type partition struct {
	columns []Column
	masks   []Set // the attributes of each column
	of      []int // the column of each attribute
}

// newPartition checks columns. Without any, each attribute is a column of one cell.
func newPartition(size int, columns []Column) (*partition, error) {
	if columns == nil {
		for x := range size {
			columns = append(columns, Column{emptySet(size).With(x)})
		}
	}
	p := &partition{of: make([]int, size)}
	left := emptySet(size).complement(size)
	for i, column := range columns {
		mask, seen := emptySet(size), map[string]bool{}
		var cells Column
		for _, cell := range column {
			padded := emptySet(size)
			copy(padded, cell)
			if cell.Len() == 0 || !cell.Within(left) || seen[padded.key()] { // H: tables.md parted
				return nil, refuse("columns", phrase.Of("cell %d of column %d", len(cells), i),
					"different cells, not empty, of attributes that are in no other column")
			}
			seen[padded.key()] = true
			cells = append(cells, padded)
			for _, x := range cell.Members() {
				mask, p.of[x] = mask.With(x), i
			}
		}
		if len(cells) == 0 { // H: tables.md parted
			return nil, refuse("columns", phrase.Of("no cell of column %d", i), "at least one")
		}
		p.columns, p.masks = append(p.columns, cells), append(p.masks, mask)
		left = left.minus(mask)
	}
	if left.Len() > 0 { // H: tables.md parted
		return nil, refuse("columns", phrase.Of("none for attribute %d", left.Members()[0]),
			"a column for each of %d attributes", size)
	}
	return p, nil
}

// sizeOf returns the number of attributes in columns, if they are columns.
func sizeOf(columns []Column) (size int) {
	for _, column := range columns {
		for _, cell := range column {
			for _, x := range cell.Members() {
				size = max(size, x+1)
			}
		}
	}
	return size
}

// cell returns the number, from 1, of the cell of column i that holds a record; 0 if none does.
func (p *partition) cell(i int, row Set) int {
	for c, cell := range p.columns[i] {
		if cell.agrees(row, p.masks[i]) {
			return c + 1
		}
	}
	return 0
}

// cells returns the number of cells of column i in a table, including the one for persons who are
// in none.
func (p *partition) cells(i int) int { return len(p.columns[i]) + 1 }

// fitted returns the records without the attributes of each column in none of whose cells the
// person is.
func (p *partition) fitted(records *Records) *Records {
	fitted := &Records{records.size, records.words, make([]uint64, len(records.rows))}
	for person := range records.Persons() {
		row, into := records.Row(person), fitted.Row(person)
		for i, column := range p.columns {
			if c := p.cell(i, row); c > 0 {
				for w, word := range column[c-1] {
					into[w] |= word
				}
			}
		}
	}
	return fitted
}

// moves bounds how many of the counts of conjunctions of up to width attributes change when one
// person is replaced: marginals.md, Lemma.
func (p *partition) moves(width int) int {
	alone, others := 0, 0 // the most that a person has of columns of one cell, and of the others
	for _, column := range p.columns {
		most := 0
		for _, cell := range column {
			most = max(most, cell.Len())
		}
		if len(column) == 1 {
			alone += most
		} else {
			others += most
		}
	}
	within := func(attributes int) int64 { return countSubsets(attributes, width).Int64() }
	moves := int64(0)
	for shared := range alone + 1 {
		moves = max(moves, within(alone+others)+within(shared+others)-2*within(shared))
	}
	return int(min(moves, within(len(p.of))))
}

// table holds the columns of one table and the position of its cells among all counts. The cell of
// the last column changes fastest.
type table struct {
	has       Set
	columns   []int // the members of has
	at, cells int
}

// tables lists the tables of every width columns, in lexicographic order. Too many cells are a
// *param.Error.
func (p *partition) tables(width int) (all []table, cells int, err error) {
	// H: tables.md width
	if count := p.countCells(width); width < 1 || count < 1 || count > mostCounts {
		return nil, 0, refuse("width",
			phrase.Of("%d of %d columns, %s cells", width, len(p.columns),
				strconv.FormatFloat(count, 'g', 6, 64)),
			"a width of at most the number of columns, and at most 2^20 cells")
	}
	var extend func(has Set, from, left int)
	extend = func(has Set, from, left int) {
		if left == 0 {
			t := p.table(has, cells)
			all, cells = append(all, t), cells+t.cells
			return
		}
		for i := from; i <= len(p.columns)-left; i++ {
			extend(has.With(i), i+1, left-1)
		}
	}
	extend(emptySet(len(p.columns)), 0, width)
	return all, cells, nil
}

// table returns the table of some columns, whose cells begin at the given position.
func (p *partition) table(has Set, at int) table {
	t := table{has, has.Members(), at, 1}
	for _, i := range t.columns {
		t.cells *= p.cells(i)
	}
	return t
}

// sizes returns the number of cells of each of some columns.
func (p *partition) sizes(columns []int) []int {
	sizes := make([]int, len(columns))
	for k, i := range columns {
		sizes[k] = p.cells(i)
	}
	return sizes
}

// strides returns a stride for each column: a cell is at position Σ stride·code in the table of
// some columns. Columns that are not in the table have 0. size is the number of its cells.
func (p *partition) strides(columns []int) (stride []int, size int) {
	stride, size = make([]int, len(p.columns)), 1
	for k := len(columns) - 1; k >= 0; k-- {
		stride[columns[k]] = size
		size *= p.cells(columns[k])
	}
	return stride, size
}

// count counts the persons in each cell of each table; all tables together have this many cells.
// step may be nil; its units are persons.
func (p *partition) count(records *Records, tables []table, cells int,
	step coin.Step) ([]int64, error) {
	counts, codes := make([]int64, cells), make([]int, len(p.columns))
	for person := range records.Persons() {
		if step != nil && person%4096 == 0 {
			if err := step(int64(person), int64(records.Persons())); err != nil {
				return nil, err
			}
		}
		row := records.Row(person)
		for i := range codes {
			codes[i] = p.cell(i, row)
		}
		for _, t := range tables {
			cell := 0
			for _, i := range t.columns {
				cell = cell*p.cells(i) + codes[i]
			}
			counts[t.at+cell]++
		}
	}
	return counts, nil
}

// mostTogether is the largest number of columns of a table: each has two cells, so more would have
// over mostCounts cells.
const mostTogether = 20

// countCells returns the number of cells of all tables of this many columns; 0 if there are none.
// Tables of more than mostTogether columns count as tables of mostTogether + 1.
func (p *partition) countCells(width int) float64 {
	return p.products(min(width, mostTogether+1), nil, func(i int) float64 {
		return float64(p.cells(i))
	})
}

// products returns the sum, over all sets of this many columns that contain none of without, of the
// product of their values.
func (p *partition) products(columns int, without Set, value func(column int) float64) float64 {
	if columns == 0 {
		return 1
	}
	sums := make([]float64, columns+1)
	sums[0] = 1
	for i := range p.columns {
		if without.Has(i) {
			continue
		}
		for k := columns; k > 0; k-- {
			sums[k] += sums[k-1] * value(i)
		}
	}
	return sums[columns]
}
