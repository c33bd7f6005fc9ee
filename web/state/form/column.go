package form

import (
	"strconv"
	"strings"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/web/state/spelling"
)

// ColumnForm is the description of a column as it is typed, right or wrong. It enters a codebook
// through codebook.Column.Describe alone.
type ColumnForm struct {
	Name string // published in place of the header; empty: the header
	Unit string
	DomainForm
}

// ColumnFormOf returns the form that yields a column: its description, or else what the first rows
// suggest.
func ColumnFormOf(c codebook.Column) ColumnForm {
	f := ColumnForm{Name: c.Name, Unit: c.Unit}
	if c.State() == codebook.Described {
		f.Set(c.Values())
		return f
	}
	if f.Unit == "" {
		f.Unit = codebook.UnitOf(c.Header)
	}
	kind := c.Guess.Kind
	if kind == "" {
		kind = domain.Integer
	}
	f.SetKind(kind)
	f.Mark, f.Group, f.Format = c.Guess.Mark, c.Guess.Group, c.Guess.Format
	return f
}

// Set makes the form yield values.
func (f *DomainForm) Set(v codebook.Values) {
	f.SetKind(v.Kind)
	f.Lo, f.Hi, f.NoBounds = v.Lo, v.Hi, v.Whole
	f.Mark, f.Group, f.Format, f.Zone = v.Mark, v.Group, v.Format, v.Zone
	f.Missing, f.Clamp = strings.Join(v.Missing, ", "), v.Outside == domain.Clamp
	f.Categories = spelling.Text(v.Categories, v.Spellings)
	f.Other, f.Fold = v.Other, v.Fold
	if v.Step != "" {
		f.Step = v.Step
	}
	if v.Length > 0 {
		f.Length = strconv.Itoa(v.Length)
	}
}

// BookForm holds the statements about the data set as a whole, as they are typed.
type BookForm struct {
	Name, Source string
	One, Many    string        // whom a row is about: "patient" and "patients"
	Each         codebook.Each // empty: nobody has stated it yet
	Column       int           // that says whose rows, or how many people; from 1, 0: none yet
	Use          UseForm
}

// BookFormOf returns the form that yields a codebook.
func BookFormOf(b codebook.Codebook) BookForm {
	return BookForm{Name: b.Name, Source: b.Source, One: b.Noun.One, Many: b.Noun.Many,
		Each: b.Rows.Each, Column: b.Rows.Column, Use: useFormOf(b.Rows.Use)}
}

// On returns the codebook with the complete entries of the form: a noun with both forms, and a
// column if rows take one. It refuses, with *codebook.Fault, anything that a codebook may not hold.
func (f BookForm) On(b codebook.Codebook) (codebook.Codebook, error) {
	next := b
	next.Name, next.Source = strings.TrimSpace(f.Name), strings.TrimSpace(f.Source)
	next.Noun, next.Rows = codebook.Noun{}, codebook.Rows{}
	if one, many := strings.TrimSpace(f.One), strings.TrimSpace(f.Many); one != "" && many != "" {
		next.Noun = codebook.Noun{One: one, Many: many}
	}
	switch {
	case f.Each == codebook.One:
		next.Rows.Each = codebook.One
	case f.Each != "" && f.Column > 0:
		next.Rows = codebook.Rows{Each: f.Each, Column: f.Column}
		switch {
		case f.Each == codebook.Several:
			next.Rows.Use = f.Use.use(b)
		case b.Rows.Each == codebook.Counted: // it came with the question
			next.Rows.Use = b.Rows.Use
		}
	}
	if err := next.Check(); err != nil {
		return b, err
	}
	return next, nil
}

// Lacks reports whether it is still open what one row is, or which column, or which bound on a
// person's rows, that takes.
func (f BookForm) Lacks() bool {
	return f.Each != codebook.One && f.Column == 0 || f.Each == codebook.Several && f.Use.lacks()
}
