package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/warehouse"
)

var sqlCommand = &command{name: "sql", args: "RECIPE FILE", least: 2, most: 2, flags: inDatabase,
	run: writeSQL, what: "writes the SQL that counts for a question in a database; FILE has the " +
		"table's columns and some of its rows"}

// target says what the SQL is written for.
type target struct{ dialect, table, key, counts string }

// inDatabase declares the flags of the command that writes SQL.
func inDatabase(c *call) {
	var names []string
	for _, d := range warehouse.Dialects {
		names = append(names, string(d))
	}
	c.flags.StringVar(&c.target.dialect, "dialect", string(warehouse.DuckDB),
		"the database: "+strings.Join(names, ", "))
	c.flags.StringVar(&c.target.table, "table", "visits", "the table, with its schema")
	c.flags.StringVar(&c.target.key, "key", "", "64 hexadecimal digits by which rows of persons "+
		"are drawn; empty: they are drawn anew")
	c.flags.StringVar(&c.target.counts, "counts", "",
		"the file to write the question to that is asked of the counts")
}

// writeSQL writes the statement and, if a file is named, the question for its counts. It spends
// nothing: no row is counted here.
func writeSQL(c *call) error {
	written, err := readDraft(c.args[0])
	if err != nil {
		return err
	}
	r, err := checked[ask.Recipe](written)
	if err != nil {
		return err
	}
	h := newHost(c)
	if err := h.open(c.args[1], r.Table, ""); err != nil {
		return err
	}
	if r, err = placed[ask.Recipe](written, h); err != nil {
		return err
	}
	names := make([]string, h.opened.Options.Columns)
	for _, f := range h.opened.Fields {
		names[f.Column-1] = f.Name
	}
	key := c.target.key
	if key == "" {
		key = warehouse.NewKey(coin.NewCrypto())
	}
	counts, err := warehouse.New(warehouse.Params{Dialect: warehouse.Dialect(c.target.dialect),
		Table: c.target.table, Columns: names, Recipe: r, Key: key})
	if err != nil {
		return &failure{exitUnread, err}
	}
	if c.target.counts != "" {
		text, err := json.MarshalIndent(counts.Recipe, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(c.target.counts, append(text, '\n'), 0o600); err != nil {
			return &failure{exitFailed, err}
		}
	}
	if c.json {
		return writeJSON(c, map[string]any{"sql": counts.SQL, "recipe": counts.Recipe})
	}
	_, err = fmt.Fprint(c.out, counts.SQL)
	return err
}
