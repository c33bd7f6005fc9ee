package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/table"
)

var describeCommand = &command{name: "describe", args: "FILE [COLUMN=VALUES …]", least: 1,
	most: 1 << 10, run: describe, flags: func(c *call) {
		c.flags.StringVar(&c.words.person, "person", "", ofPersons)
		c.flags.Var(&c.words.fold, "fold", "a `COLUMN` of a list of values whose case and spaces "+
			"do not count: F is f, and New  York is new york")
	}, what: "writes a codebook: the columns of FILE, and the values of those that are given, " +
		"written as -range of ask"}

// describe writes a codebook, which the page opens, and which ask takes with -codebook. All that it
// says about the rows is how the file is read.
func describe(c *call) error {
	h := newHost(c)
	if err := h.open(c.args[0], table.Options{}, ""); err != nil {
		return err
	}
	book := codebook.New(h.opened.Options, h.fields())
	if c.words.person != "" {
		number, _, err := h.column(c.words.person)
		if err != nil {
			return err
		}
		book.Rows = codebook.Rows{Each: codebook.Several, Column: number}
	}
	folded := map[int]string{}
	for _, name := range c.words.fold {
		number, _, err := h.column(name)
		if err != nil {
			return err
		}
		folded[number] = name
	}
	for _, text := range c.args[1:] {
		name, values, ok := strings.Cut(text, "=")
		if !ok {
			return fail(exitUsage, "%q describes nothing: want COLUMN=VALUES, such as age=0..100",
				text)
		}
		number, _, err := h.column(name)
		if err != nil {
			return err
		}
		spec, err := valuesOf(values)
		if err != nil {
			return fail(exitUsage, "%s: %w", text, err)
		}
		if _, spec.Fold = folded[number]; spec.Fold && spec.Kind == domain.Category {
			delete(folded, number)
		}
		column, err := codebook.FromSpec(number, "", spec)
		if err == nil {
			was, _ := book.Column(number)
			column.Header = was.Header
			book, err = book.With(column)
		}
		if err != nil {
			return fail(exitUsage, "%s: %w", text, err)
		}
	}
	for _, name := range folded {
		return fail(exitUsage, "-fold %s takes a list of its values, %s=a,b,c", name, name)
	}
	text, err := book.Encode()
	if err != nil {
		return &failure{exitUnread, err}
	}
	_, err = c.out.Write(text)
	return err
}

// look opens the codebook that -codebook names, which must belong to the open file.
func (w *words) look(h *host) error {
	if w.codebook == "" {
		return nil
	}
	text, err := readFile(w.codebook)
	if err != nil {
		return err
	}
	if w.book, err = codebook.Decode(text); err != nil {
		return fail(exitUnread, "%s: %w", w.codebook, err)
	}
	if other := w.book.Differs(h.fields()); len(other) > 0 {
		return fail(exitUnread, "%s is no codebook of %s: column %d has another name there, or "+
			"is missing", w.codebook, h.names, other[0])
	}
	return nil
}

// fields returns the columns of the open file with their names alone.
func (h *host) fields() (list []table.Field) {
	for _, f := range h.opened.Fields {
		list = append(list, table.Field{Column: f.Column, Name: f.Name})
	}
	return list
}

// described returns the values of a column as the words state them, or else as the codebook does.
func (w *words) described(number int, values string) (domain.Spec, error) {
	if values != "" {
		spec, err := valuesOf(values)
		return w.spelled(number, spec), err
	}
	if column, _ := w.book.Column(number); column.State() == codebook.Described {
		return column.Spec()
	}
	return domain.Spec{}, errUndescribed
}

// spelled returns the values named of a column as the codebook reads them, where it has several
// spellings of a value and the words have none.
func (w *words) spelled(number int, spec domain.Spec) domain.Spec {
	column, _ := w.book.Column(number)
	book := column.Values().Spec
	if spec.Kind != domain.Category || spec.Spelled() || !book.Spelled() {
		return spec
	}
	return book.Among(book.Meant(spec.Categories))
}

var errUndescribed = errors.New("its values are not described")

// public adds to a recipe what the codebook says apart from its columns.
func (w *words) public(r *ask.Recipe) {
	r.Data, r.Source, r.Noun = w.book.Name, w.book.Source, w.book.Noun
	if column, is := w.book.Column(r.Column); is {
		if r.Label == "" || column.Name != "" {
			r.Label = fmt.Sprint(column.Title())
		}
		r.Unit = cmp.Or(r.Unit, column.Unit)
	}
	if r.Person == 0 {
		rows := w.book.Rows
		r.Person, r.Count, r.Use = rows.Person(), rows.Count(), rows.Use
	}
}
