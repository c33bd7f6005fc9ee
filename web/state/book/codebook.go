// Package book is the codebook of the data set at hand: its owner's statements about it and its
// columns, claims about it that came from outside, and the cells that have no place in a list.
package book

import (
	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/state/spelling"
	"hush/web/state/stage"
)

// Codebook holds the statements about the data set and its columns, and what is typed about it.
type Codebook struct {
	place.Link
	codebook.Codebook               // as it was taken
	Form              form.BookForm // of the data set as a whole, as typed

	// Describing is the column whose description is open. Note says what a recipe changed in the
	// codebook, Refused why none was opened, and Differing which columns of an opened one the file
	// lacks.
	Describing Describing
	Note       string
	Refused    string
	Differing  []string
	Spelling   spelling.Cells // cells without a place in the lists of categories

	Data   *dataset.Data
	Way    *stage.Way
	Claims *Claims
	Asked  Asked

	drafts   map[int]form.ColumnForm // descriptions that were typed and not accepted, by column
	fault    error
	waits    bool              // for a file that is opened next
	saved    codebook.Codebook // as it was before anything was typed, or when it was saved
	placed   string            // the lists in which cells were looked for, encoded
	placing  engine.Request
	whose    string // header of the column that named the rows' persons, before a new reading
	expected string // the columns that the engine expects, as text
}

// Asked follows the changes of the codebook: a question about its columns.
type Asked interface {
	Remember(field string) // before a change, so that it can be undone. See [Codebook.Edit]
	ForgetSteps()          // no change can be taken back: they were about another reading
	Settle()               // after a change
}

// Fault returns what is wrong with a field of the data set as a whole, or "".
func (k *Codebook) Fault(field string) string { return faultAt(k.fault, field) }

// Edit changes the statements about the data set as a whole. Consecutive typing into one field is
// undone at once.
func (k *Codebook) Edit(field string, change func(*form.BookForm)) {
	k.Asked.Remember(field)
	change(&k.Form)
	k.Codebook, k.fault = k.Form.On(k.Codebook)
	k.Asked.Settle()
}

// IsDescribed reports whether a column, from 1, is described.
func (k *Codebook) IsDescribed(column int) bool {
	c, ok := k.Column(column)
	return ok && c.State() == codebook.Described
}

// Published returns what a recipe states about a column: nothing before it is described.
func (k *Codebook) Published(number int) (label, unit string, spec domain.Spec) {
	c, ok := k.Column(number)
	if !ok || c.State() != codebook.Described {
		return "", "", domain.Spec{}
	}
	if label = c.Name; label == "" {
		label = c.Header
	}
	if len(label) > ask.MaxLabel && c.Name == "" {
		label = "" // the header is too long for a name: its number serves
	}
	return label, c.Unit, c.Values().Spec
}

// Title is the title of a column: its published name, its header, or its number.
func (k *Codebook) Title(column int) string {
	if c, ok := k.Column(column); ok {
		return say.Phrase(c.Title())
	}
	return k.Data.ColumnName(column)
}

// Listed returns the groups of a column that is described by a public list.
func (k *Codebook) Listed(column int) []string {
	_, _, spec := k.Published(column)
	return spec.Categories
}

// People names the people or things in the rows.
func (k *Codebook) People() (one, many string) {
	a, b := k.Noun.Words()
	return say.Phrase(a), say.Phrase(b)
}
