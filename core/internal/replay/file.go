package replay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
)

// row is one row of a file: its cells, of which there may be too few or too many.
type row struct {
	cells  []string
	quoted bool // every cell stands in quotes
}

// file is a table before it is written.
type file struct {
	dialect
	columns []column // of a row that is not ragged
	rows    []row
	person  int // the column of identifiers, and of counts, from 1; 0: none
	count   int
	group   int // the column by whose groups a person's rows are bounded
}

// newFile draws a file that a recipe can be asked of, of this many people or rows with counts; with
// many, each of its counts is of thousands.
func newFile(d dice, r ask.Recipe, people int, many bool) *file {
	last := max(r.Column, r.Person, r.Count)
	specs := map[int][]domain.Spec{}
	reads := func(column int, spec domain.Spec) {
		if column > 0 {
			specs[column] = append(specs[column], spec)
			last = max(last, column)
		}
	}
	reads(r.Column, r.Domain)
	for _, f := range r.Others {
		reads(f.Column, f.Domain)
	}
	for _, c := range r.Filter {
		reads(c.Column, c.Spec)
	}
	groups := map[int]bool{}
	if r.Group != nil {
		reads(r.Group.Column, groupSpec)
		groups[r.Group.Column] = true
	}
	group := 0
	if r.Use != nil {
		group = r.Use.Column
		groups[group] = true
		if r.Group == nil || r.Group.Column != r.Use.Column {
			reads(r.Use.Column, groupSpec)
		}
		for _, v := range r.Use.Values {
			if v.By != nil {
				reads(v.By.Column, v.By.Spec)
			}
		}
	}
	f := &file{dialect: newDialect(d, max(2, last+d.below(2))), person: r.Person, count: r.Count,
		group: group}
	for i := range f.Columns {
		c := newColumn(d, specs[i+1])
		c.spelt = groups[i+1]
		f.columns = append(f.columns, c)
	}
	if many {
		people = few
	}
	for ; people > 0; people-- {
		switch {
		case f.person > 0:
			id := fmt.Sprintf("p%d", people)
			for range 1 + d.below(3) {
				at := d.below(len(f.rows) + 1)
				f.rows = slices.Insert(f.rows, at, f.rowOf(d, id))
			}
		case f.count > 0:
			r := f.rowOf(d, pick(d, "0", "1", "2", "5", "x", "40"))
			if many {
				r = f.rowOf(d, strconv.Itoa(pick(d, 1, 2, 5)*times))
			}
			if len(f.rows) == 0 { // so that there is somebody
				r = f.rowOf(d, "3")
			}
			f.rows = append(f.rows, r)
		default:
			f.rows = append(f.rows, f.rowOf(d, ""))
		}
	}
	return f
}

// groupSpec describes the values of group columns, none of which is empty.
var groupSpec = domain.Spec{Kind: domain.Category, Categories: []string{"Hill", "Mill", "Park"}}

// rowOf draws a row whose special cell, of persons or of counts, is that text. A row of no special
// column may be ragged.
func (f *file) rowOf(d dice, special string) row {
	r := row{quoted: d.percent(10)}
	for i, c := range f.columns {
		cell := c.cell(d)
		if i+1 == f.person || i+1 == f.count {
			cell = special
			if f.person > 0 && d.percent(20) {
				cell = " " + cell + " "
			}
		}
		r.cells = append(r.cells, cell)
	}
	if special == "" && d.percent(10) {
		if d.percent(50) {
			r.cells = append(r.cells, "more")
		} else {
			r.cells = r.cells[:1+d.below(len(r.cells)-1)]
		}
	}
	return r
}

// owner is the identifier of a row as table reads it.
func (f *file) owner(r row) string {
	if len(r.cells) != f.Columns && f.Ragged != table.Keep || f.person > len(r.cells) {
		return ""
	}
	return strings.Trim(r.cells[f.person-1], " \t")
}

// owners returns the person of each row, or nil where no column names persons.
func (f *file) owners() (list []string) {
	if f.person == 0 {
		return nil
	}
	for _, r := range f.rows {
		list = append(list, f.owner(r))
	}
	return list
}

// bytes are the file's.
func (f *file) bytes() []byte {
	var header []string
	for i := range f.columns {
		header = append(header, fmt.Sprintf("name %d", i+1))
	}
	return f.write(header, f.rows)
}

// neighbour is the file with one person replaced, and what was done in words.
func (f *file) neighbour(d dice) (*file, string) {
	g := *f
	g.rows = slices.Clone(f.rows)
	switch {
	case f.person > 0:
		return &g, g.replacePerson(d)
	case f.count > 0:
		return &g, g.movePerson(d)
	}
	at := d.below(len(g.rows))
	g.rows[at] = g.rowOf(d, "")
	return &g, fmt.Sprintf("row %d is another", at+1)
}

// replacePerson gives the place of one person's rows to another person, with other rows; nobody
// else's place among the persons changes.
func (f *file) replacePerson(d dice) string {
	id := f.owner(pick(d, f.rows...))
	first := slices.IndexFunc(f.rows, func(r row) bool { return f.owner(r) == id })
	rest := slices.DeleteFunc(slices.Clone(f.rows[first:]), func(r row) bool {
		return f.owner(r) == id
	})
	next := pick(d, id, "q", "q")
	if !slices.Contains(f.owners(), "") && d.percent(20) {
		next = ""
	}
	one := "" // a label that all of the new rows have, each spelt in its own way
	if f.group > 0 && d.percent(80) {
		one = pick(d, f.columns[f.group-1].usual...)
	}
	row := func() row {
		r := f.rowOf(d, next)
		if one != "" && f.group <= len(r.cells) {
			r.cells[f.group-1] = pick(d, one, one+"\x00", one+"\x00\x00", spelt(d, one))
		}
		return r
	}
	f.rows = append(f.rows[:first:first], row())
	f.rows = append(f.rows, rest...)
	for range d.below(5) {
		at := first + 1 + d.below(len(f.rows)-first)
		f.rows = slices.Insert(f.rows, at, row())
	}
	return fmt.Sprintf("%q is replaced by %q", id, next)
}

// movePerson counts one person in the row before or behind, which may be a new one at the end:
// nobody else's place among the people changes.
func (f *file) movePerson(d dice) string {
	var from []int
	for i, r := range f.rows {
		if f.counted(r) > 0 {
			from = append(from, i)
		}
	}
	i := pick(d, from...)
	j := i + 1
	if i > 0 && d.percent(50) {
		j = i - 1
	}
	f.recount(i, -1)
	if j == len(f.rows) {
		f.rows = append(f.rows, f.rowOf(d, "1"))
	} else {
		f.recount(j, 1)
	}
	return fmt.Sprintf("a person of row %d moves to row %d", i+1, j+1)
}

// counted returns the number of people that a row stands for.
func (f *file) counted(r row) int {
	n, err := strconv.Atoi(r.cells[f.count-1])
	if err != nil {
		return 0
	}
	return n
}

func (f *file) recount(i, by int) {
	r := &f.rows[i]
	r.cells = slices.Clone(r.cells)
	r.cells[f.count-1] = strconv.Itoa(f.counted(*r) + by)
}

// spread is the file with a row for each person in place of its counts, which are 1.
func (f *file) spread() *file {
	g := *f
	g.rows = nil
	for _, r := range f.rows {
		for range f.counted(r) {
			one := row{cells: slices.Clone(r.cells), quoted: r.quoted}
			one.cells[f.count-1] = "1"
			g.rows = append(g.rows, one)
		}
	}
	return &g
}
