package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/table"
)

var describeCommand = &command{name: "describe", args: "FILE [COLUMN=VALUES …]", least: 1,
	most: 1 << 10, run: describe, flags: func(c *call) {
		c.flags.StringVar(&c.words.person, "person", "",
			"the column that names persons, of whom one row each counts")
	}, what: "writes a codebook: the columns of FILE, and the values of those that are given, " +
		"written as -range of ask"}

// describe writes a codebook, which the page opens, and ask takes with -codebook. It says nothing
// of the rows but how the file is read.
func describe(c *call) error {
	h := newHost(c)
	if err := h.open(c.args[0], table.Options{}, ""); err != nil {
		return err
	}
	var fields []table.Field
	for _, f := range h.opened.Fields {
		fields = append(fields, table.Field{Column: f.Column, Name: f.Name})
	}
	book := codebook.New(h.opened.Options, fields)
	if c.words.person != "" {
		number, _, err := h.column(c.words.person)
		if err != nil {
			return err
		}
		book.Rows = codebook.Rows{Each: codebook.Several, Column: number}
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
			return err
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
	text, err := book.Encode()
	if err != nil {
		return &failure{exitUnread, err}
	}
	_, err = c.out.Write(text)
	return err
}

// book is the codebook that -codebook names, of the open file; ok is false where none is named.
func (w *words) book(h *host) (book codebook.Codebook, ok bool, err error) {
	if w.codebook == "" {
		return book, false, nil
	}
	text, err := os.ReadFile(w.codebook)
	if err != nil {
		return book, false, &failure{exitUnread, err}
	}
	if book, err = codebook.Decode(text); err != nil {
		return book, false, fail(exitUnread, "%s: %w", w.codebook, err)
	}
	var fields []table.Field
	for _, f := range h.opened.Fields {
		fields = append(fields, table.Field{Column: f.Column, Name: f.Name})
	}
	if other := book.Differs(fields); len(other) > 0 {
		return book, false, fail(exitUnread, "%s is no codebook of %s: column %d has another name "+
			"there, or is missing", w.codebook, h.names, other[0])
	}
	return book, true, nil
}

// described are the values of a column: as the words say, or else as the codebook does.
func (w *words) described(number int, values string, h *host) (s domain.Spec, err error) {
	if values != "" {
		return valuesOf(values)
	}
	book, ok, err := w.book(h)
	if err != nil {
		return s, err
	}
	if !ok {
		return s, errUndescribed
	}
	column, _ := book.Column(number)
	if s, err = column.Spec(); err != nil {
		return s, errUndescribed
	}
	return s, nil
}

var errUndescribed = errors.New("its values are not described")

// public is what the codebook says of a recipe beside its columns.
func (w *words) public(r *ask.Recipe, h *host) error {
	book, ok, err := w.book(h)
	if err != nil || !ok {
		return err
	}
	r.Data, r.Source, r.Noun = book.Name, book.Source, book.Noun
	if column, is := book.Column(r.Column); is {
		if r.Label == "" || column.Name != "" {
			r.Label = fmt.Sprint(column.Title())
		}
		if r.Unit == "" {
			r.Unit = column.Unit
		}
	}
	if r.Person == 0 {
		r.Person, r.Count, r.Use = book.Rows.Person(), book.Rows.Count(), book.Rows.Use
	}
	return nil
}
