package table

import (
	"encoding/json"
	"slices"

	"hush/core/phrase"
)

// A file that is no plain text is read in two steps. A reader outside of this package
// (static/readers) turns one of its parts into bytes, always the same; a pass takes those. Of a
// table, such as a sheet, a reader makes CSV in UTF-8 with commas, with a field in double quotes
// where it needs them, and LF behind each row: it is read as if it had been exported so, and codes
// are those of that CSV. Of a packed file, such as a ZIP archive, it gives a member as it is, or
// the table that it is where it is JSON and the options name its columns.
//
// How many rows there are, and which row a cell is in, is fixed by the form of the file: rows of a
// sheet, objects of JSON. No cell of a table that a reader makes can cut it into rows in another
// way, since the reader quotes it.

// The kinds of files that have a reader.
const (
	XLSX    = "xlsx"    // an Excel workbook; its parts are sheets
	Parquet = "parquet" // one table
	JSON    = "json"    // lines or an array of flat objects
	Zip     = "zip"     // an archive of text files; its parts are members
	Zstd    = "zstd"    // one text file, packed with Zstandard
)

// madeField is the longest field of a table that a reader makes, in bytes, and the most lines in
// it: as much as a row may have.
const madeField = 16 << 20

var formats = []string{XLSX, Parquet, JSON, Zip, Zstd}

// Made says whether a reader makes the table, so that nothing of its form is in doubt.
func (o Options) Made() bool {
	return o.Format == XLSX || o.Format == Parquet || o.Format == JSON || o.keyed()
}

// keyed says whether it is a member of an archive, or a packed file, of JSON.
func (o Options) keyed() bool { return o.Keys != "" && (o.Format == Zip || o.Format == Zstd) }

// Formats are the values of Options.Format.
func Formats() []string { return slices.Clone(formats) }

// FormatName is what a person calls a kind of file.
func FormatName(format string) phrase.Key {
	return map[string]phrase.Key{XLSX: "Excel workbook", Parquet: "Parquet file",
		JSON: "JSON", Zip: "ZIP archive", Zstd: "Zstandard file"}[format]
}

// mostKeys is how long the names of columns may be, in bytes.
const mostKeys = 64 << 10

// keys is how many columns are named; 0 where they are no list of different names.
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
