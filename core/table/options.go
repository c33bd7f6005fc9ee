package table

import (
	"slices"
	"strconv"
	"strings"

	"hush/core/param"
	"hush/core/phrase"
)

// Pass is one reading of a file. After an error from Write the pass is over, and only Close may
// follow. Close must always be called, even to give up early: it frees what the pass holds.
type Pass interface {
	Write(chunk []byte) error
	Close() error
	// Bytes is the number of bytes of the file read so far, for progress.
	Bytes() int64
}

// Options say how the bytes of a file become rows. The zero value of a field means the default
// named beside it. Survey proposes a value for each of the first six that is left empty; [Encode]
// requires the first four. All of them are public and part of the recipe.
type Options struct {
	// one of [Encodings]; a byte order mark is skipped. In "utf-8" a byte that is part of no
	// character is read as in Windows-1252
	Encoding  string `json:"encoding,omitempty"`
	Delimiter string `json:"delimiter,omitempty"` // one ASCII character: "," ";" "\t" "|" …
	Header    string `json:"header,omitempty"`    // "yes": the first row holds names; "no"
	// number of fields in a row; other rows are ragged
	Columns int `json:"columns,omitempty"`

	// the format of a file other than plain text, one of [Formats]: the pass takes the bytes that
	// the reader for that format makes
	Format string `json:"format,omitempty"`
	// number, from 1 (default), of the part of such a file that is read, in the order in which the
	// reader lists them; never its name, which may be private
	Part int `json:"part,omitempty"`
	// the keys of JSON that are columns, in this order, as a list in JSON: a text, so that options
	// can be compared. An object with others is a ragged row: the column of a cell depends on its
	// own object alone
	Keys string `json:"keys,omitempty"`

	Compression string `json:"compression,omitempty"` // "none" (default) or "gzip"
	// "lf" (default): LF or CRLF ends a row; "any": CR alone too; "cr": CR alone and nothing else,
	// so that an LF is a character
	Newline string `json:"newline,omitempty"`

	// rows before the header or first row to leave out, 0 by default
	Skip int `json:"skip,omitempty"`
	// "double" (default): "" inside quotes is a quote; "backslash": \" too; "none": quotes are
	// characters
	Quotes string `json:"quotes,omitempty"`
	// the quote, one ASCII character such as "'"; a double quote where it is empty
	Quote string `json:"quote,omitempty"`
	// spaces around a field are not part of it, even in front of a quote
	Trim bool `json:"trim,omitempty"`
	// "none" (default): a ragged row gives none everywhere; "keep": use the fields it has
	Ragged string `json:"ragged,omitempty"`
	// "skip" (default): an empty line is no row; "row": it is one. Survey proposes "row" for a file
	// of one column, where an empty line is an empty cell
	Blank string `json:"blank,omitempty"`

	// A quoted field of more lines or bytes is taken for a forgotten quote: 256 lines, 1 MiB by
	// default.
	MaxFieldLines int `json:"maxFieldLines,omitempty"`
	MaxFieldBytes int `json:"maxFieldBytes,omitempty"`
	// A longer row counts as one ragged row without fields: 16 MiB by default.
	MaxRowBytes int `json:"maxRowBytes,omitempty"`
}

// The values of Options' text fields.
const (
	UTF8        = "utf-8"
	UTF16LE     = "utf-16le"
	UTF16BE     = "utf-16be"
	Windows1252 = "windows-1252"
	Gzip        = "gzip"
	Yes         = "yes"
	No          = "no"
	NoneValue   = "none"
	Double      = "double"
	Backslash   = "backslash"
	LF          = "lf"
	CR          = "cr"
	Any         = "any"
	Keep        = "keep"
	SkipBlank   = "skip"
	RowBlank    = "row"
)

// Decided fills in the defaults of options that leave nothing to the file: all four without a
// default are set. It refuses others.
func (o Options) Decided() (Options, error) { return o.check(true) }

// Filled returns the options with their defaults; what is proposed when a file is read stays open.
// Options with which no file can be read stay unchanged.
func (o Options) Filled() Options {
	if filled, err := o.check(false); err == nil {
		return filled
	}
	return o
}

// check refuses impossible values with *param.Error and fills in the defaults. With decided, the
// four fields that have no default must be set.
func (o Options) check(decided bool) (Options, error) {
	fieldLines, fieldBytes := 256, 1<<20
	encodings, packings := encodings, []string{NoneValue, Gzip}
	ends, quotes := []string{LF, Any, CR}, []string{Double, Backslash, NoneValue}
	if o.Made() {
		encodings, packings = encodings[:1], packings[:1]
		ends, quotes = ends[:1], quotes[:1]
		// A reader closes what it opens: only the length of a row bounds the length of a field.
		fieldLines, fieldBytes = madeField, madeField
		if o.Delimiter == "" {
			o.Delimiter = ","
		}
	}
	for _, f := range []struct {
		name    string
		value   *string
		open    bool     // stays empty until it is decided
		allowed []string // the first is the default, if there is one
	}{
		{"encoding", &o.Encoding, true, encodings},
		{"header", &o.Header, true, []string{Yes, No}},
		{"compression", &o.Compression, !decided, packings},
		{"newline", &o.Newline, !decided, ends},
		{"quotes", &o.Quotes, false, quotes},
		{"format", &o.Format, true, append([]string{""}, formats...)},
		{"ragged", &o.Ragged, false, []string{NoneValue, Keep}},
		{"blank", &o.Blank, !decided, []string{SkipBlank, RowBlank}},
	} {
		if *f.value == "" && (!f.open || o.Made() && len(f.allowed) == 1) {
			*f.value = f.allowed[0]
		}
		if !slices.Contains(f.allowed, *f.value) && (decided || *f.value != "") {
			return o, refuse(f.name, strconv.Quote(*f.value), "one of %s",
				strings.Join(f.allowed, ", "))
		}
	}
	if o.Delimiter != "" || decided {
		if len(o.Delimiter) != 1 || !delimiterByte(o.Delimiter[0]) {
			return o, refuse("delimiter", strconv.Quote(o.Delimiter),
				`one ASCII character other than a letter, digit, quote or line end, such as ","`)
		}
	}
	if o.Quote == `"` {
		o.Quote = ""
	}
	if o.Made() && (o.Delimiter != "," || o.Quote != "") {
		return o, refuse("delimiter", strconv.Quote(o.Delimiter),
			`"," and double quotes, as a reader writes them`)
	}
	if o.Format != "" && o.Part == 0 {
		o.Part = 1
	}
	if o.Keys != "" || o.Format == JSON && decided {
		if n := o.keys(); n == 0 || o.Format != JSON && !o.keyed() ||
			o.Columns > 0 && o.Columns != n {
			return o, refuse("keys", strconv.Quote(o.Keys[:min(len(o.Keys), 40)]),
				"a list of different names, one for each column of JSON")
		}
	}
	if o.Format == "" && o.Part != 0 {
		return o, refuse("part", strconv.Itoa(o.Part), "0 for a file of text")
	}
	if o.Quote != "" && (len(o.Quote) != 1 || o.Quote[0] <= ' ' || o.Quote == `\` ||
		o.Quote == o.Delimiter || !delimiterByte(o.Quote[0])) {
		return o, refuse("quote", strconv.Quote(o.Quote),
			"one ASCII character that is no letter, digit, space or backslash, and not the "+
				"delimiter, such as %q", "'")
	}
	for _, f := range []struct {
		name            string
		value           *int
		least, most, by int
	}{
		{"columns", &o.Columns, 0, maxColumns, 0},
		{"skip", &o.Skip, 0, 1_000_000, 0},
		{"part", &o.Part, 0, 1_000_000, 0},
		{"maxFieldLines", &o.MaxFieldLines, 1, 1 << 30, fieldLines},
		{"maxFieldBytes", &o.MaxFieldBytes, 1, 1 << 30, fieldBytes},
		{"maxRowBytes", &o.MaxRowBytes, 1, 1 << 30, 16 << 20},
	} {
		if *f.value == 0 {
			*f.value = f.by
		}
		if *f.value < f.least || *f.value > f.most {
			return o, refuse(f.name, strconv.Itoa(*f.value), "%d to %d", f.least, f.most)
		}
	}
	if decided && o.Columns == 0 {
		return o, refuse("columns", "0", "1 to %d", maxColumns)
	}
	return o, nil
}

// With returns the options with one field set, by its JSON name, as a confirmed Repair does. It
// refuses with *param.Error.
func (o Options) With(field, value string) (Options, error) {
	texts := map[string]*string{"encoding": &o.Encoding, "delimiter": &o.Delimiter,
		"header": &o.Header, "compression": &o.Compression,
		"newline": &o.Newline, "quotes": &o.Quotes, "quote": &o.Quote, "ragged": &o.Ragged,
		"blank": &o.Blank, "format": &o.Format}
	numbers := map[string]*int{"columns": &o.Columns, "skip": &o.Skip, "part": &o.Part,
		"maxFieldLines": &o.MaxFieldLines,
		"maxFieldBytes": &o.MaxFieldBytes, "maxRowBytes": &o.MaxRowBytes}
	switch {
	case texts[field] != nil:
		*texts[field] = value
	case numbers[field] != nil:
		n, err := strconv.Atoi(value)
		if err != nil {
			return o, refuse(field, strconv.Quote(value), "a whole number")
		}
		*numbers[field] = n
	case field == "trim" && (value == "true" || value == "false"):
		o.Trim = value == "true"
	default:
		return o, refuse(field, strconv.Quote(value), "a field of the reading options")
	}
	if _, err := o.check(false); err != nil {
		return o, err
	}
	return o, nil
}

// maxColumns bounds the fields of a row.
const maxColumns = 100_000

// delimiterByte reports whether c may separate fields.
func delimiterByte(c byte) bool {
	letter := c|0x20 >= 'a' && c|0x20 <= 'z'
	digit := c >= '0' && c <= '9'
	return !letter && !digit && c != '"' &&
		(c == '\t' || c >= ' ' && c < 0x7f || c >= 1 && c < ' ' && c != '\n' && c != '\r')
}

//go:noinline
func refuse(field string, value any, want phrase.Key, args ...any) error {
	return param.Refuse("table", field, value, want, args...)
}
