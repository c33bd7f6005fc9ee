// Package sample makes the data sets that come with Hush: made up, in realistic shapes, the same
// bytes on every build.
//
// No row describes anybody. Each set is drawn from a seeded source with whole-number arithmetic
// only, so that neither the platform nor the version of Go changes a byte.
package sample

import (
	"bytes"
	"slices"
	"strings"

	"hush/core/coin"
	"hush/core/phrase"
)

// Set is one made-up data set: a CSV file with a header in which every row is one person.
type Set struct {
	Name    string // of the file, without .csv
	Title   phrase.Key
	About   phrase.Key // one sentence: who the people are and what is odd in the data
	Rows    int
	Columns []Column
	// Codebook describes all columns, in the form in which the page saves it (core/codebook),
	// including what About says of each.
	Codebook string

	seed coin.Seed
	row  func(d dice) []string
}

// Column describes one column.
type Column struct {
	Name  string     // as in the header
	About phrase.Key // meaning, unit and public range
}

// Sets lists the sets in the order in which a page shows them.
func Sets() []Set { return []Set{clinic, pay, commute, visits, trial} }

// Named returns the set of that name, or false if there is none.
func Named(name string) (Set, bool) {
	sets := Sets()
	i := slices.IndexFunc(sets, func(s Set) bool { return s.Name == name })
	if i < 0 {
		return Set{}, false
	}
	return sets[i], true
}

// CSV returns the file: a header, then the rows, each ended by a line feed. No field needs quotes.
func (s Set) CSV() []byte {
	var b bytes.Buffer
	line := func(fields []string) {
		b.WriteString(strings.Join(fields, ","))
		b.WriteByte('\n')
	}
	header := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		header[i] = c.Name
	}
	line(header)
	d := dice{coin.NewSeeded(s.seed)}
	for range s.Rows {
		line(s.row(d))
	}
	return b.Bytes()
}
