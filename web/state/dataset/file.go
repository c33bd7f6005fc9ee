// Package dataset is the data set at hand: the file that was opened, how it is read, and what was
// spent on it.
package dataset

import (
	"fmt"
	"slices"

	"hush/core/table"
	"hush/web/engine"
	"hush/web/outside"
	"hush/web/say"
)

// File is step 1: the file, and how it is read.
type File struct {
	Phase    Phase
	Name     string // the file's, for the owner's screen only
	Size     int64  // bytes
	Sample   bool   // one of the bundled data sets, whose reading is known
	Progress engine.Progress
	Opened   engine.Opening
	Failure  *engine.Fault
	// Confirmed is true once the person has accepted how the file is read. Nothing guessed enters a
	// recipe before that.
	Confirmed bool
	// Unanswered is true once its owner has tried to go on without stating what one row is.
	Unanswered bool
	// Misfit is true if a recipe that needs rows of another width was applied to the file: that
	// recipe still waits.
	Misfit bool

	request engine.Request
}

// Phase is the state of step 1.
type Phase int

const (
	None Phase = iota
	Opening
	Opened
	Failed
)

// NotText reports whether the file is not text: a workbook, an archive, a picture.
func (f *File) NotText() bool {
	return slices.ContainsFunc(f.Opened.Problems,
		func(p table.Problem) bool { return p.Kind == table.NotText })
}

// Unusable says why no reading of an opened file makes it a data set. It is empty if the file is
// one, or if another reading makes it one. It depends on the number of rows, which is public, and
// on what the owner's screen shows.
func (f *File) Unusable() string {
	switch {
	case f.NotText():
		return say.Text("This is no table of text, and cannot be read as one. Open another file.")
	case f.Opened.Rows == 0:
		return say.Text("This file has no rows, so there is nothing to ask. Open another file.")
	}
	return ""
}

// Counting reports whether the number of rows depends on places where the file is not as it should
// be. The number is published, so a person confirms it.
func (f *File) Counting() bool {
	return slices.ContainsFunc(f.Opened.Problems, table.Problem.CountsRows)
}

// Columns returns the names of the columns on the owner's screen.
func (f *File) Columns() []string {
	names := make([]string, len(f.Opened.Fields))
	for i := range names {
		names[i] = f.ColumnName(i + 1)
	}
	return names
}

// ColumnName is the form's name for column i, from 1: its number and, for the owner's eyes, its
// header.
func (f *File) ColumnName(i int) string {
	if name := f.HeaderName(i); name != "" {
		return fmt.Sprintf("%d · %s", i, name)
	}
	return say.Format("column %d", i)
}

// Field is column i, from 1, as the file shows it; nil if there is none.
func (f *File) Field(i int) *table.Field {
	if i < 1 || i > len(f.Opened.Fields) {
		return nil
	}
	return &f.Opened.Fields[i-1]
}

// HeaderName is the header of column i, from 1; empty without one.
func (f *File) HeaderName(i int) string {
	if field := f.Field(i); field != nil {
		return field.Name
	}
	return ""
}

// First returns the cells of a column in the first rows, for the owner's screen.
func (f *File) First(column int) (cells []string) {
	for _, row := range f.Opened.Preview {
		if column <= len(row) {
			cells = append(cells, row[column-1])
		}
	}
	return cells
}

// ForClaims returns the file as far as claims from outside refer to it.
func (f *File) ForClaims() outside.File {
	o := f.Opened
	return outside.File{Options: o.Options, Own: o.Own, Fields: o.Fields}
}
