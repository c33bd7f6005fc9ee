package main

import (
	"errors"
	"fmt"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/param"
	"hush/core/task"
)

var rowsCommand = &command{name: "rows", args: "RELEASE", least: 1, most: 1, run: makeRows,
	what: "makes rows up from a release of made-up data or of a density, as CSV: they cost nothing",
	flags: func(c *call) {
		c.flags.StringVar(&c.rows, "rows", "1000", "how many")
	}}

// makeRows draws rows from the release alone.
func makeRows(c *call) error {
	r, err := readRelease(c.args[0])
	if err != nil {
		return err
	}
	again, err := ask.Redo(nil, task.All{}, r) // what follows from the question does not travel
	if err != nil {
		return fail(exitUnread, "%s: %w", c.args[0], err)
	}
	src, file := coin.NewCrypto(), ""
	switch result := again.Release.Answer.Result.(type) {
	case *task.MadeUp:
		file, err = result.Synthetic(nil, src, r.Recipe, c.rows)
	case *task.Joint:
		file, err = result.Synthetic(nil, src, r.Recipe, c.rows)
	case *task.Density:
		file, err = result.Synthetic(nil, src, r.Recipe.Domain, r.Plan.Column, c.rows)
	default:
		return fail(exitUnread, "%s is a release of %s, which has no rows: ask madeup, joint or "+
			"density", c.args[0], r.Recipe.Task)
	}
	if refused := (*param.Error)(nil); errors.As(err, &refused) {
		return fail(exitUsage, "%s is %s, want %s", refused.Field, refused.Value, refused.Want)
	} else if err != nil {
		return err
	}
	_, err = fmt.Fprint(c.out, file)
	return err
}
