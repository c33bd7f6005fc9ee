package codebook

import (
	"cmp"
	"slices"
	"strconv"

	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/table"
)

// State says how much is known about a column.
type State string

const (
	Undescribed State = "undescribed" // at most its name
	Guessed     State = "guessed"     // the rows suggest a type, for the owner's screen only
	Described   State = "described"   // the owner said which values are possible
)

// Column is one column. Its values are set by [Column.Describe] alone, so that changing a field
// cannot give it values that the owner has not seen beside the first rows.
type Column struct {
	Number int    // from 1
	Header string // as in the file's first row; empty without one
	Name   string // published in place of the header; empty: the header
	Unit   string // "kg"; empty: none

	Guess Guess // what the rows suggest; never written

	values Values
}

// Values say which values are possible and how cells are written.
type Values struct {
	domain.Spec
	// Whole says that an empty bound is intended: it is the type's own first or last value.
	Whole bool `json:"whole,omitempty"`
}

// Guess is a proposal from the rows, for the owner's screen. It holds a kind and how cells are
// written; bounds, steps, categories and missing words are never guessed.
type Guess struct {
	Kind   domain.Kind
	Mark   string        // decimal mark of numbers
	Group  string        // thousands mark of numbers
	Format string        // layout of dates
	Why    phrase.Phrase // why, in words
}

// FromField returns an undescribed column: its header, where the options say that there is one, and
// the rows' guess without anything that a single cell could have caused.
func FromField(options table.Options, f table.Field) Column {
	c := Column{Number: f.Column}
	if options.Header == table.Yes {
		c.Header = plain(f.Name, maxName)
	}
	g := f.Guess
	c.Guess = Guess{Kind: g.Kind, Mark: g.Mark, Group: g.Group, Format: g.Format, Why: f.Why}
	return c
}

// Values starts a description from the guess. Everything in it must be shown, marked as guessed,
// before the column is described; see [Guess.Fields].
func (g Guess) Values() Values {
	spec := domain.Spec{Kind: g.Kind, Mark: g.Mark, Group: g.Group, Format: g.Format}
	return Values{Spec: spec}
}

// Fields returns the JSON names of the guessed fields that a person must confirm: "kind", and
// "mark", "group" and "format" where cells are not written the plain way.
func (g Guess) Fields() (names []string) {
	for _, f := range []struct{ name, value string }{
		{"kind", string(g.Kind)}, {"mark", g.Mark}, {"group", g.Group}, {"format", g.Format},
	} {
		if f.value != "" {
			names = append(names, f.name)
		}
	}
	return names
}

// State says how much is known.
func (c Column) State() State {
	switch {
	case c.values.Kind != "":
		return Described
	case c.Guess.Kind != "":
		return Guessed
	}
	return Undescribed
}

// Title is the published name, the header, or the column's number in words.
func (c Column) Title() phrase.Phrase {
	if c.Name == "" && c.Header == "" {
		return phrase.Of("column %d", c.Number)
	}
	return phrase.Plain(cmp.Or(c.Name, c.Header))
}

// Values returns the described values; their Kind is empty before a description.
func (c Column) Values() Values { return c.values.clone() }

// Spec returns the domain of a described column, for a recipe. Other columns are refused with
// [*Fault].
func (c Column) Spec() (domain.Spec, error) {
	if c.State() != Described {
		return domain.Spec{}, &Fault{Column: c.Number, Err: refuse("kind", strconv.Quote(""),
			phrase.Key("a described column: say which values are possible"))}
	}
	return c.values.clone().Spec, nil
}

// FromSpec returns a described column from an old recipe: its number, published name and domain. A
// bound that the recipe leaves empty is the type's own. It refuses, with [*Fault], what is not a
// domain.
func FromSpec(number int, name string, spec domain.Spec) (Column, error) {
	c := Column{Number: number, Name: plain(name, maxName)}
	c.values = Values{Spec: spec, Whole: spec.Lo == "" || spec.Hi == ""}.only().clone()
	if err := c.check(); err != nil {
		return Column{}, &Fault{Column: number, Err: err}
	}
	return c, c.described()
}

// described refuses a column without a description.
func (c Column) described() error {
	_, err := c.Spec()
	return err
}

// Undescribe returns the column with its names and unit only.
func (c Column) Undescribe() Column {
	c.values = Values{}
	return c
}

// Unspelled returns the column with each category under its own name alone.
func (c Column) Unspelled() Column {
	c = c.clone()
	c.values.Spellings, c.values.Other, c.values.Fold = nil, "", false
	return c
}

// bounded reports whether a kind has a smallest and a largest value that are typed in.
func bounded(k domain.Kind) bool { return numeric(k) || dated(k) }

func numeric(k domain.Kind) bool {
	return k == domain.Integer || k == domain.Decimal || k == domain.Float64
}

func dated(k domain.Kind) bool { return k == domain.Date || k == domain.Timestamp }

func (c Column) clone() Column {
	c.values = c.values.clone()
	return c
}

func (v Values) clone() Values {
	v.Categories, v.Missing = slices.Clone(v.Categories), slices.Clone(v.Missing)
	v.Spellings = slices.Clone(v.Spellings)
	return v
}
