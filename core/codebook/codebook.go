package codebook

import (
	"cmp"
	"slices"

	"hush/core/phrase"
	"hush/core/table"
)

// Version is the schema version written into codebooks.
const Version = 1

// Codebook is the public knowledge about a data set. It is a value: With and similar methods return
// another one, and share nothing with it that either could change.
type Codebook struct {
	Name   string        // the data set's: "Books on a reading site"
	Source string        // a line below every chart: "Library of Example, 2026"
	Noun   Noun          // whom the rows are about
	Rows   Rows          // what one row is
	Table  table.Options // how the file is read, as far as the owner confirmed it

	columns []Column // by number, each once
}

// Noun names the people or things that are protected. Empty: the default, "person" and "people".
type Noun struct {
	One  string `json:"one,omitempty"`  // "patient"
	Many string `json:"many,omitempty"` // "patients"
}

// Words returns both forms, with the default for an empty one. A plural is never derived from a
// singular, since languages differ in that.
func (n Noun) Words() (one, many phrase.Phrase) {
	return given(n.One, "person"), given(n.Many, "people")
}

// given returns a text, or the default where it is empty.
func given(text string, otherwise phrase.Key) phrase.Phrase {
	if text == "" {
		return otherwise.Phrase()
	}
	return phrase.Plain(text)
}

// Each says what one row stands for.
type Each string

const (
	One     Each = "one"     // one person (the default)
	Several Each = "several" // one of several rows of a person named by a column
	Counted Each = "counted" // as many people as a column says
)

// Rows says what one row stands for, and by which column, from 1, where that takes one.
type Rows struct {
	Each   Each `json:"each,omitempty"`
	Column int  `json:"column,omitempty"`
	// Use says which of a person's several rows are used; nil: one, drawn at random. How a column
	// of times is read stands in that column's description. Where rows are counted, it says how
	// many of each person were counted.
	Use *table.Use `json:"use,omitempty"`
}

// Person is the column that names the person of a row, 0 for none: a recipe's "person".
func (r Rows) Person() int {
	if r.Each == Several {
		return r.Column
	}
	return 0
}

// Count is the column that says how many people a row stands for, 0 for none: a recipe's "count".
func (r Rows) Count() int {
	if r.Each == Counted {
		return r.Column
	}
	return 0
}

// New returns the codebook of a file before anything is described: its columns by number and name,
// with their guesses.
func New(options table.Options, fields []table.Field) Codebook {
	return Codebook{Table: options}.See(fields)
}

// See returns the codebook fitted to an opened file: it adds columns that only the file has, and
// gives columns without a description the file's guess. Descriptions stay.
func (b Codebook) See(fields []table.Field) Codebook {
	known := b.columns
	b.columns = b.Columns()
	for _, f := range fields {
		seen := FromField(b.Table, f)
		i, ok := slices.BinarySearchFunc(known, f.Column, byNumber)
		if !ok {
			b.columns = append(b.columns, seen)
			continue
		}
		c := &b.columns[i]
		c.Header, c.Guess = cmp.Or(c.Header, seen.Header), seen.Guess
	}
	slices.SortStableFunc(b.columns, func(a, c Column) int { return a.Number - c.Number })
	return b
}

// Differs returns the numbers of the columns whose header in the file differs from the codebook's,
// and of those that the file lacks: the codebook then belongs to another file, or to another order
// of columns.
func (b Codebook) Differs(fields []table.Field) (numbers []int) {
	for _, c := range b.columns {
		i := slices.IndexFunc(fields, func(f table.Field) bool { return f.Column == c.Number })
		if i < 0 || c.Header != "" && c.Header != FromField(b.Table, fields[i]).Header {
			numbers = append(numbers, c.Number)
		}
	}
	return numbers
}

// Columns returns all columns in the order of the file.
func (b Codebook) Columns() []Column {
	list := make([]Column, len(b.columns))
	for i, c := range b.columns {
		list[i] = c.clone()
	}
	return list
}

// Column returns the column with a number, from 1.
func (b Codebook) Column(number int) (Column, bool) {
	i, ok := b.at(number)
	if !ok {
		return Column{}, false
	}
	return b.columns[i].clone(), true
}

// Described counts the described columns.
func (b Codebook) Described() (n int) {
	for _, c := range b.columns {
		if c.State() == Described {
			n++
		}
	}
	return n
}

// With returns the codebook with this column in place of the one with its number, or added to the
// others. No other column changes. It refuses, with [*Fault], what [Codebook.Check] would refuse.
func (b Codebook) With(c Column) (Codebook, error) {
	if err := c.check(); err != nil {
		return Codebook{}, &Fault{Column: c.Number, Err: err}
	}
	return b.put(c), nil
}

// Without returns the codebook without any description of a column.
func (b Codebook) Without(number int) Codebook {
	if i, ok := b.at(number); ok {
		b.columns = slices.Delete(slices.Clone(b.columns), i, i+1)
	}
	return b
}

// put is With for a column that was checked.
func (b Codebook) put(c Column) Codebook {
	i, known := b.at(c.Number)
	b.columns = slices.Clone(b.columns)
	if known {
		b.columns[i] = c.clone()
	} else {
		b.columns = slices.Insert(b.columns, i, c.clone())
	}
	return b
}

func (b Codebook) at(number int) (int, bool) {
	return slices.BinarySearchFunc(b.columns, number, byNumber)
}

func byNumber(c Column, number int) int { return cmp.Compare(c.Number, number) }
