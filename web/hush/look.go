package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"hush/core/table"
)

var lookCommand = &command{name: "look", args: "FILE", least: 1, most: 1, run: look,
	what: "shows what a file is: how it is read, its columns, and what is wrong with it"}

// look shows what a file is. It is for its owner's screen: it shows names, and cells with problems,
// and no statistic.
func look(c *call) error {
	h := newHost(c)
	if err := h.open(c.args[0], table.Options{}, ""); err != nil {
		return err
	}
	if c.json {
		return writeJSON(c, h.opened)
	}
	o := h.opened
	printf(c.out, "%s: %d rows, %d columns\n\n", c.args[0], o.Rows, o.Options.Columns)
	for _, f := range o.Fields {
		printf(c.out, "  %-3d %-24s %-10s %s\n", f.Column, cmp.Or(f.Name, "(no name)"),
			f.Guess.Kind, f.Why)
	}
	for _, f := range o.Findings {
		printf(c.out, "\n%s = %q: %s", f.Field, f.Value, f.Why)
	}
	fmt.Fprintln(c.out)
	writeProblems(c, o.Problems, o.Fields)
	text, err := json.Marshal(o.Options)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "\nIf that is right, a recipe states it so:\n  \"table\": %s\n", text)
	return nil
}

// writeProblems lists the problems, each with its first place.
func writeProblems(c *call, list []problem, fields []field) {
	for _, p := range list {
		where := ""
		if len(p.Places) > 0 {
			where = " (first: " + whereIs(p.Places[0]) + ")"
		}
		text := p.Text
		if name := nameOf(fields, p.Column); name != "" {
			text = strings.Replace(text, fmt.Sprintf("column %d ", p.Column),
				fmt.Sprintf("column %q ", name), 1)
		}
		printf(c.out, "\n%s%s\n  %s\n", text, where, p.Advice)
		if c.words.values != "" && p.Column > 0 {
			printf(c.out, "  write -range as the cells are: 0,00..2,50 with a decimal comma, "+
				"01.01.2020..31.12.2026 where days are so\n")
		}
	}
}

// nameOf returns the name of a column, or an empty text if it has none.
func nameOf(fields []field, column int) string {
	for _, f := range fields {
		if f.Column == column {
			return f.Name
		}
	}
	return ""
}

// whereIs describes a place in a file.
func whereIs(at table.Place) string {
	var parts []string
	for _, part := range []struct {
		name string
		n    int64
	}{{"row", at.Row}, {"line", at.Line}, {"column", int64(at.Column)}, {"byte", at.Byte}} {
		if part.n > 0 || part.name == "byte" {
			parts = append(parts, fmt.Sprintf("%s %d", part.name, part.n))
		}
	}
	return strings.Join(parts, ", ")
}

// writeJSON writes a value for programs.
func writeJSON(c *call, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(c.out, "%s\n", text)
	}
	return err
}
