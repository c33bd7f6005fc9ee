package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/table"
	"hush/core/task"
	"hush/core/warehouse"
	"hush/web/engine"
	"hush/web/hush/database"
	"hush/web/outside"
)

// on is the database that counts, in place of a file.
type on struct{ address, table, called string }

// inPlace declares the flags of a command that takes a database in place of a file.
func inPlace(c *call) {
	c.flags.StringVar(&c.on.address, "on", "", "the database that counts, in the place of FILE: "+
		"postgres://HOST/DATABASE, duckdb:FILE or sc://HOST")
	c.flags.StringVar(&c.on.table, "table", "", "with -on: the table, with its schema")
	c.flags.StringVar(&c.on.called, "dataset", "", "with -on: a name for the data set; tables "+
		"that are given the same one share their account in the ledger")
}

// checkPlace refuses a command line that names a file and a database, or neither.
func (c *call) checkPlace() error {
	switch file := len(c.args) == 2; {
	case len(c.args) > 2:
		var ids []string
		for _, t := range task.Catalogue() {
			ids = append(ids, t.ID)
		}
		return fail(exitUsage, "there is no question %q%s", c.args[0],
			near(c.args[0], ids, "hush questions lists them"))
	case file && c.on != (on{}):
		return fail(exitUsage, "it takes a FILE, or a database with -on and -table: not both")
	case file:
		return nil
	case c.on.address == "" || c.on.table == "":
		return fail(exitUsage, "it takes a FILE, or a database with -on and -table")
	}
	return nil
}

// askDatabase has a database count for a question, and asks it of the counts. The counts are
// complete before the ledger is opened: a run that ends earlier debits nothing.
func askDatabase(c *call, r ask.Recipe) error {
	l, err := c.openLedger(c.drawing())
	if err != nil {
		return err
	}
	l.Close()
	counted, err := count(c, r)
	if err != nil {
		return err
	}
	d := &desk{host: newHost(c), call: c, ledger: l,
		names: l.TableNames(counted.identity, c.on.called)}
	d.file, d.host.names = &file{size: int64(len(counted.file)), options: counted.recipe.Table,
		own: counted.recipe.Table, held: counted.file}, c.on.table
	if err := d.survey(""); err != nil {
		return err
	}
	if counted.plan, err = d.price(counted.recipe); err != nil {
		return err
	}
	if _, err := d.read(counted.recipe); err != nil {
		return err
	}
	// The statement has already applied what the question says about the counts.
	made, err := d.claims(counted.recipe)
	if err != nil {
		return err
	}
	for _, claim := range made {
		counted.agreed = append(counted.agreed, claim.Claim)
	}
	return d.answer(&counted.question)
}

// counted is a question with the counts to ask it of.
type counted struct {
	question
	file     []byte
	identity string // the table's
}

// count has the database count.
func count(c *call, r ask.Recipe) (*counted, error) {
	db, err := database.Open(c.ctx, c.on.address)
	if err != nil {
		return nil, notCounted(err)
	}
	defer db.Close()
	names, identity, err := db.Look(c.ctx, c.on.table)
	if err != nil {
		return nil, notCounted(err)
	}
	if n := r.Table.Columns; n > 0 && n != len(names) {
		return nil, fail(exitUnread, "the recipe is about a table with %d columns, and %s has %d",
			n, c.on.table, len(names))
	}
	counts, err := warehouse.New(warehouse.Params{Dialect: db.Dialect(), Table: c.on.table,
		Columns: names, Recipe: r, Key: warehouse.NewKey(coin.NewCrypto())})
	if err != nil {
		return nil, &failure{exitUnread, err}
	}
	hash := sha256.Sum256([]byte(counts.SQL))
	q := question{asked: r, recipe: counts.Recipe, query: hex.EncodeToString(hash[:])}
	q.claims, q.closed = claimsOf(c, r, names)
	if q.closed != nil && c.drawing() {
		return nil, q.closed
	}
	printf(c.err, "%s counts\n", db.Dialect().Name())
	text, err := db.Count(c.ctx, counts.SQL)
	if err != nil {
		return nil, notCounted(err)
	}
	return &counted{q, text, identity}, nil
}

// notCounted explains why no counts came. An interruption is not the database's fault.
func notCounted(err error) error {
	if code := codeOf(err); code == exitInterrupted {
		return &failure{code, fmt.Errorf("interrupted. Nothing was spent")}
	}
	return fail(exitUnread, "%w. Nothing was spent", err)
}

// claimsOf lists the claims of a recipe about a table whose columns have these names, and refuses
// the recipe if they are not agreed to. How a file of its rows would be read does not matter.
func claimsOf(c *call, r ask.Recipe, names []string) (claims []engine.Asked, refused error) {
	f := outside.File{Options: table.Options{Header: table.Yes, Columns: len(names)}}
	for i, name := range names {
		f.Fields = append(f.Fields, table.Field{Column: i + 1, Name: name})
	}
	r.Table = table.Options{}
	for _, claim := range f.NotAgreed(r, nil) {
		claims = append(claims, engine.Asked{Claim: claim, Line: f.Line(claim, 0)})
	}
	if len(claims) > 0 && !c.agree {
		refused = fail(exitRefused, "this release is refused: the question says something of "+
			"the table that its owner has not agreed to. %s", claims[0].Line)
	}
	return claims, refused
}
