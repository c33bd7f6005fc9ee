package basic

import (
	"fmt"

	"hush/core/coin"
	"hush/core/privacy"
)

// TableParams are a Table's public parameters. Exactly one of Epsilon and Base is given.
type TableParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon
	// Base is r itself, in place of Epsilon: the loss is then 2·ln r.
	Base coin.Base

	// Sizes are how many places each column has, in the order in which the table names them: 1 to
	// MaxTableColumns of them, their product at most MaxCells.
	Sizes []uint64
}

// MaxTableColumns bounds the columns of a table, and MaxCells its cells.
const (
	MaxTableColumns = 4
	MaxCells        = 1 << 20
)

// Table releases the number of persons in each cell of a table of several columns: a contingency
// table.
//
// # Guarantee
//
// Pure ε-DP for neighbours that replace one person, n public: the person may leave one cell and
// enter another, so the counts' L1 sensitivity is 2, however many columns and cells there are. The
// places of each column are public. Proof: sums.md, Lemma 2 and Theorem 1.
//
// # Input and output
//
// A column of values for each of Sizes, all of the same length, of which the first one says how
// many persons a row stands for. One int64 count per cell, in persons, possibly negative; the place
// in the last column changes fastest. A person without a place in one of the columns, or with a
// code beyond its last one, counts nowhere.
//
// # Errors
//
// [*param.Error] from the parameters alone; step's error when cancelled.
//
// # Cost and accuracy
//
// O(n + cells). The Noise's ErrorBound and SimultaneousErrorBound are exact, and so is its
// SumErrorBound for sums of cells, as margins are.
//
// # Reference
//
// Barak, Chaudhuri, Dwork, Kale, McSherry, Talwar, "Privacy, Accuracy, and Consistency Too", 2007;
// discrete Laplace instead of Laplace.
type Table struct {
	asked[[]int64]
	sizes []uint64
}

// NewTable checks the parameters.
func NewTable(p TableParams) (*Table, error) {
	if len(p.Sizes) < 1 || len(p.Sizes) > MaxTableColumns { // H: sums.md cells
		return nil, refuse("columns", fmt.Sprint(len(p.Sizes)), "1 to %d of them", MaxTableColumns)
	}
	cells := uint64(1)
	for _, size := range p.Sizes {
		if size < 1 || size > MaxCells/cells { // H: sums.md cells
			return nil, refuse("cells", fmt.Sprint(p.Sizes),
				"at least one place in each column, and at most %d cells", MaxCells)
		}
		cells *= size
	}
	a, err := newAsked[[]int64](histogram{partition{n: cells, width: 1}},
		strength{epsilon: p.Epsilon, base: p.Base}, 0, false)
	if err != nil {
		return nil, err
	}
	return &Table{a, p.Sizes}, nil
}

// Cells returns the number of cells.
func (t *Table) Cells() int {
	cells := 1
	for _, size := range t.sizes {
		cells *= int(size)
	}
	return cells
}

// Release counts the cells. step may be nil.
func (t *Table) Release(src coin.Source, columns []Values, step coin.Step) ([]int64, error) {
	return t.asked.Release(src, Crossed(columns, t.sizes), step)
}

// Crossed combines several columns into one column of cells: the place in the last column changes
// fastest. A row has no cell where it has no place in one of the columns, or one beyond its size.
// Rows stand for as many persons as in the first column.
func Crossed(columns []Values, sizes []uint64) Values {
	return CountedAs(&crossed{columns: columns, sizes: sizes}, columns[0])
}

type crossed struct {
	columns []Values
	sizes   []uint64

	places []uint64 // of rows read at once, and which have one
	has    []bool
}

func (c *crossed) Len() int { return c.columns[0].Len() }

func (c *crossed) Code(row int) (cell uint64, ok bool) {
	for i, column := range c.columns {
		place, ok := column.Code(row)
		if !ok || place >= c.sizes[i] { // H: sums.md in-codes
			return 0, false
		}
		cell = cell*c.sizes[i] + place
	}
	return cell, true
}

func (c *crossed) Codes(from int, cells []uint64, has []bool) {
	for len(c.places) < len(cells) {
		c.places, c.has = append(c.places, 0), append(c.has, false)
	}
	places, also := c.places[:len(cells)], c.has[:len(cells)]
	CodesOf(c.columns[0], from, cells, has)
	for i, place := range cells {
		has[i] = has[i] && place < c.sizes[0]
	}
	for k, column := range c.columns[1:] {
		size := c.sizes[k+1]
		CodesOf(column, from, places, also)
		for i, place := range places {
			has[i] = has[i] && also[i] && place < size // H: sums.md in-codes
			cells[i] = cells[i]*size + place
		}
	}
}
