package table

import (
	"encoding/json"
	"slices"

	"hush/core/phrase"
)

// A file other than plain text is read in two steps. A reader outside this package (static/readers)
// turns one of its parts into bytes, always the same ones, and a pass reads those. A table, such as
// a sheet, becomes CSV in UTF-8 with commas, double quotes around fields that need them, and LF
// after each row: it is read as if it had been exported that way, and its codes are those of that
// CSV. From a packed file, such as a ZIP archive, a reader returns a member unchanged or, if that
// is JSON and the options name its columns, as a table.
//
// The form of the file determines the number of rows, and the row of each cell: rows of a sheet,
// objects of JSON. No cell can change how a table from a reader is cut into rows, since the reader
// quotes it.

// The kinds of files that have a reader.
const (
	XLSX    = "xlsx"    // an Excel workbook; its parts are sheets
	Parquet = "parquet" // one table
	JSON    = "json"    // lines or an array of flat objects
	Zip     = "zip"     // an archive of text files; its parts are members
	Zstd    = "zstd"    // one text file, packed with Zstandard
)

// madeField is the length in bytes of the longest field in a table that a reader makes, and the
// largest number of lines in it: as much as a row may have.
const madeField = 16 << 20

var formats = []string{XLSX, Parquet, JSON, Zip, Zstd}

// Made reports whether a reader makes the table, so that nothing about its form is in doubt.
func (o Options) Made() bool {
	return o.Format == XLSX || o.Format == Parquet || o.Format == JSON || o.keyed()
}

// keyed reports whether the file is a member of an archive, or a packed file, of JSON.
func (o Options) keyed() bool { return o.Keys != "" && (o.Format == Zip || o.Format == Zstd) }

// Formats lists the values of Options.Format.
func Formats() []string { return slices.Clone(formats) }

// FormatName is the common name of a kind of file.
func FormatName(format string) phrase.Key {
	return map[string]phrase.Key{XLSX: "Excel workbook", Parquet: "Parquet file",
		JSON: "JSON", Zip: "ZIP archive", Zstd: "Zstandard file"}[format]
}

// mostKeys is the largest length of the names of columns, in bytes.
const mostKeys = 64 << 10

// keys returns the number of columns named; 0 if they are not a list of different names.
func (o Options) keys() int {
	var names []string
	if len(o.Keys) > mostKeys || json.Unmarshal([]byte(o.Keys), &names) != nil {
		return 0
	}
	n := len(names)
	slices.Sort(names)
	if len(slices.Compact(names)) < n {
		return 0
	}
	return n
}
