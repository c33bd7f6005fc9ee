// Package database has a database count: it runs the statements of core/warehouse where the rows
// are, and returns the counts as a CSV file that exists in memory only.
//
// [Open] takes an address. Credentials come from where the engine's own programs look for them.
// Nothing here writes to a database, keeps an address, or counts by itself. Counts come back whole
// or not at all: a connection that drops, a context that ends, and a program that fails are errors.
package database

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"hush/core/warehouse"
)

// Database is an open database.
type Database interface {
	Dialect() warehouse.Dialect
	// Look returns the names of a table's columns, in their order, and an identity of the table: a
	// text that is the same however the table is addressed, as far as the engine allows.
	Look(ctx context.Context, table string) (columns []string, identity string, err error)
	// Count runs one statement, and returns the file of its rows.
	Count(ctx context.Context, sql string) ([]byte, error)
	Close()
}

// schemes maps the beginnings of addresses to the functions that open them.
var schemes = []struct {
	prefix string
	open   func(ctx context.Context, address string) (Database, error)
}{
	{"postgres://", openPostgres},
	{"postgresql://", openPostgres},
	{"duckdb:", openDuckDB},
	{"sc://", openSpark},
}

// Open opens the database at an address: postgres://HOST/DATABASE, duckdb:FILE or sc://HOST.
//
// # Errors
//
// They name no password. An address that is none of these says so, before anything is opened.
func Open(ctx context.Context, address string) (Database, error) {
	for _, s := range schemes {
		if strings.HasPrefix(address, s.prefix) {
			return s.open(ctx, address)
		}
	}
	scheme, _, _ := strings.Cut(address, ":")
	return nil, fmt.Errorf("there is no database for %q: want postgres://HOST/DATABASE, "+
		"duckdb:FILE or sc://HOST", scheme+":")
}

// mostBytes is the size of the largest file of counts that is held.
const mostBytes = 1 << 30

// errTooLarge says that there are too many counts.
var errTooLarge = errors.New("the counts take more than 1 GiB, since too many combinations of " +
	"values occur: ask about fewer columns, or group their values in a view")

// held is a file of counts that grows in memory.
type held struct{ bytes.Buffer }

// Write refuses bytes beyond mostBytes.
func (h *held) Write(piece []byte) (int, error) {
	if h.Len()+len(piece) > mostBytes {
		return 0, errTooLarge
	}
	return h.Buffer.Write(piece)
}

// statement returns a statement without the semicolon at its end.
func statement(sql string) string { return strings.TrimSuffix(strings.TrimSpace(sql), ";") }
