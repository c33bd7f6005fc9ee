package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/task"
	"hush/web/hush/writers"
)

var rowsCommand = &command{name: "rows", args: "RELEASE", least: 1, most: 1, run: makeRows,
	what: "makes rows up from a release of made-up data or of a density, as CSV, or as XLSX or " +
		"Parquet with -o: they cost nothing",
	flags: func(c *call) {
		c.flags.StringVar(&c.rows, "rows", "1000", "how many")
		c.flags.StringVar(&c.output, "o", "", "the file to write them to, whose ending says its "+
			"kind: .csv, .xlsx or .parquet; empty: the standard output, as CSV")
	}}

// rowForms write made-up rows, given as a CSV file with fields, by the extension of the output
// file.
var rowForms = map[string]func(w io.Writer, file string, fields []ask.Field) error{
	".csv": func(w io.Writer, file string, _ []ask.Field) error {
		_, err := io.WriteString(w, file)
		return err
	},
	".xlsx": func(w io.Writer, file string, fields []ask.Field) error {
		t, err := rowTable(file, fields)
		if err != nil {
			return err
		}
		return writers.Workbook(w, t, "made up")
	},
	".parquet": func(w io.Writer, file string, fields []ask.Field) error {
		t, err := rowTable(file, fields)
		if err != nil {
			return err
		}
		return writers.Parquet(w, t)
	},
}

// makeRows draws rows from the release alone.
func makeRows(c *call) error {
	form, known := rowForms[strings.ToLower(filepath.Ext(c.output))]
	if c.output != "" && !known {
		return fail(exitUsage, "-o is %q, want a name that ends in .csv, .xlsx or .parquet",
			c.output)
	}
	r, err := readRelease(c.args[0])
	if err != nil {
		return err
	}
	again, err := ask.Redo(nil, task.All{}, r) // what follows from the question does not travel
	if err != nil {
		return fail(exitUnread, "%s: %w", c.args[0], err)
	}
	src, file, fields := coin.NewCrypto(), "", r.Recipe.Others
	switch result := again.Release.Answer.Result.(type) {
	case *task.MadeUp:
		file, err = result.Synthetic(nil, src, r.Recipe, c.rows)
	case *task.Joint:
		file, err = result.Synthetic(nil, src, r.Recipe, c.rows)
	case *task.Density:
		file, err = result.Synthetic(nil, src, r.Recipe.Domain, r.Plan.Column, c.rows)
		fields = []ask.Field{{Domain: r.Recipe.Domain}}
	default:
		return fail(exitUnread, "%s is a release of %s, which has no rows: ask madeup, joint or "+
			"density", c.args[0], r.Recipe.Task)
	}
	if refused := (*param.Error)(nil); errors.As(err, &refused) {
		return fail(exitUsage, "%s is %s, want %s", refused.Field, refused.Value, refused.Want)
	} else if err != nil {
		return err
	}
	if c.output == "" {
		_, err = fmt.Fprint(c.out, file)
		return err
	}
	out, err := newBlank(c.output)
	if err != nil {
		return err
	}
	defer out.drop()
	if err = form(out, file, fields); err == nil {
		err = out.finish()
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", c.output, err)
	}
	printf(c.err, "Written to %s\n", c.output)
	return nil
}

// rowTable reads the CSV file of made-up rows with these fields; its cells are defused.
func rowTable(file string, fields []ask.Field) (t writers.Table, err error) {
	all, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil {
		return t, err
	}
	t = writers.Table{Names: all[0], Rows: all[1:]}
	for _, f := range fields {
		t.Kinds = append(t.Kinds, kindOf(f.Domain))
	}
	return t, nil
}

// kindOf returns the kind of a domain's made-up cells.
func kindOf(s domain.Spec) writers.Kind {
	switch s.Kind {
	case domain.Integer:
		return writers.Whole
	case domain.Decimal, domain.Float64:
		return writers.Number
	case domain.Date:
		return writers.Day
	case domain.Timestamp:
		if s.Step == "day" {
			return writers.Day
		}
		return writers.Moment
	}
	return writers.Text
}
