package codebook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"hush/core/phrase"
	"hush/core/table"
)

// file is the written form of a codebook.
type file struct {
	Version int               `json:"version"`
	Name    string            `json:"name,omitempty"`
	Source  string            `json:"source,omitempty"`
	Noun    *Noun             `json:"noun,omitempty"`
	Rows    *Rows             `json:"rows,omitempty"`
	Table   *table.Options    `json:"table,omitempty"`
	Columns []json.RawMessage `json:"columns,omitempty"`
}

// fileColumn is the written form of a column. It has values if it is described.
type fileColumn struct {
	Number int     `json:"number"`
	Header string  `json:"header,omitempty"`
	Name   string  `json:"name,omitempty"`
	Unit   string  `json:"unit,omitempty"`
	Values *Values `json:"values,omitempty"`
}

// Encode writes a codebook with line breaks, for a file: the owner's statements, and no guess. It
// refuses what Decode would refuse.
func (b Codebook) Encode() ([]byte, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	text, err := b.MarshalJSON()
	if err != nil {
		return nil, err // unreachable: it holds texts and numbers only
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return nil, err // unreachable: it was just written
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// Decode reads a codebook. It refuses, with [*Fault], anything that is not completely valid.
func Decode(text []byte) (Codebook, error) {
	if len(text) > maxBytes {
		return Codebook{}, &Fault{Err: refuse("file", phrase.Of("%d bytes", len(text)),
			phrase.Of("at most %d bytes: a codebook holds no data", maxBytes))}
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	// The version first: fields of a later one are not mistakes.
	var of struct {
		Version json.RawMessage `json:"version"`
	}
	if err := json.Unmarshal(text, &of); err != nil {
		return Codebook{}, &Fault{Err: explain(err)}
	}
	if v := string(of.Version); v != strconv.Itoa(Version) {
		return Codebook{}, &Fault{Err: wrongVersion(v)}
	}
	var f file
	if err := strict(text, &f); err != nil {
		return Codebook{}, &Fault{Err: err}
	}
	b := Codebook{Name: f.Name, Source: f.Source}
	if f.Noun != nil {
		b.Noun = *f.Noun
	}
	if f.Rows != nil {
		b.Rows = *f.Rows
	}
	if f.Table != nil {
		b.Table = *f.Table
	}
	if len(f.Columns) > maxColumns {
		return Codebook{}, &Fault{Err: refuse("columns", strconv.Itoa(len(f.Columns)),
			phrase.Of("at most %d of them", maxColumns))}
	}
	for i, text := range f.Columns {
		c, err := decodeColumn(text, i)
		if err != nil {
			return Codebook{}, err
		}
		b.columns = append(b.columns, c)
	}
	slices.SortStableFunc(b.columns, func(a, c Column) int { return a.Number - c.Number })
	for i := 1; i < len(b.columns); i++ {
		if n := b.columns[i].Number; n == b.columns[i-1].Number {
			return Codebook{}, &Fault{Column: n, Err: refuse("number", strconv.Itoa(n),
				phrase.Key("each column once: leave out one of the two"))}
		}
	}
	if err := b.Check(); err != nil {
		return Codebook{}, err
	}
	return b, nil
}

// decodeColumn reads the i-th of a file's columns.
func decodeColumn(text []byte, i int) (Column, error) {
	var f fileColumn
	err := strict(text, &f)
	c := Column{Number: f.Number, Header: f.Header, Name: f.Name, Unit: f.Unit}
	if f.Values != nil && err == nil {
		if c.values = *f.Values; c.values.isZero() {
			err = refuse("values", "{}",
				phrase.Key("which values are possible, or no such field"))
		}
	}
	if err == nil {
		err = c.check()
	}
	if err != nil {
		// The number itself may be wrong; the place in the file counts then.
		at := c.Number
		if at < 1 || at > maxColumns {
			at = i + 1
		}
		return Column{}, &Fault{Column: at, Err: err}
	}
	return c, nil
}

// MarshalJSON writes what Decode reads: every writer of a codebook omits guesses.
func (b Codebook) MarshalJSON() ([]byte, error) {
	f := file{Version: Version, Name: b.Name, Source: b.Source}
	if b.Noun != (Noun{}) {
		f.Noun = &b.Noun
	}
	if b.Rows != (Rows{}) {
		f.Rows = &b.Rows
	}
	if b.Table != (table.Options{}) {
		f.Table = &b.Table
	}
	for _, c := range b.columns {
		text, err := c.MarshalJSON()
		if err != nil {
			return nil, err // unreachable: it holds texts and numbers only
		}
		f.Columns = append(f.Columns, text)
	}
	return json.Marshal(f)
}

// UnmarshalJSON is Decode.
func (b *Codebook) UnmarshalJSON(text []byte) error {
	read, err := Decode(text)
	if err != nil {
		return err
	}
	*b = read
	return nil
}

// MarshalJSON writes a column without its guess.
func (c Column) MarshalJSON() ([]byte, error) {
	f := fileColumn{Number: c.Number, Header: c.Header, Name: c.Name, Unit: c.Unit}
	if c.State() == Described {
		f.Values = &c.values
	}
	return json.Marshal(f)
}

// UnmarshalJSON reads a column as strictly as Decode.
func (c *Column) UnmarshalJSON(text []byte) error {
	read, err := decodeColumn(text, 0)
	if err != nil {
		return err
	}
	*c = read
	return nil
}

// wrongVersion refuses all versions but this one.
func wrongVersion(v string) error {
	if n, err := strconv.Atoi(v); err == nil && n > Version {
		return refuse("version", v, phrase.Of("%d: open it with a newer Hush", Version))
	}
	want := phrase.Of("%d: is this file a codebook?", Version)
	if v == "" {
		return refuse("version", phrase.Of("missing"), want)
	}
	return refuse("version", fmt.Sprintf("%.40s", v), want)
}

// strict reads one JSON value with nothing after it, and without unknown fields.
func strict(text []byte, to any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(to); err != nil {
		return explain(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return refuse("file", phrase.Of("more than one JSON value"),
			phrase.Key("one codebook"))
	}
	return nil
}

// explain turns an error of encoding/json into the refusal of a field.
func explain(err error) error {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return refuse("file", phrase.Of("no JSON at byte %d", syntax.Offset),
			phrase.Key("JSON as Hush writes it: undo the last change by hand"))
	case errors.As(err, &wrong):
		// A wrong type names the column's field, as a refused value does. Versions of encoding/json
		// differ in whether they name the embedded Spec.
		field := strings.TrimPrefix(strings.TrimPrefix(wrong.Field, "values."), "Spec.")
		return refuse(cmp.Or(field, "file"), phrase.Of("a JSON %s", wrong.Value),
			wanted(wrong.Type.Kind()))
	}
	if name, ok := unknown(err); ok {
		return refuse(name, phrase.Of("there"),
			phrase.Key("no field of this name: check its spelling, or leave it out"))
	}
	return refuse("file", fmt.Sprintf("%.100q", err.Error()),
		phrase.Key("JSON as Hush writes it"))
}

// wanted names the JSON form of a Go type.
func wanted(k reflect.Kind) phrase.Key {
	switch k {
	case reflect.String:
		return "a text in quotes"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list in square brackets"
	case reflect.Struct:
		return "fields in curly brackets"
	}
	return "a whole number"
}

// unknown returns the name in encoding/json's error about an unknown field, which has no type.
func unknown(err error) (string, bool) {
	quoted, ok := strings.CutPrefix(err.Error(), "json: unknown field ")
	if !ok {
		return "", false
	}
	name, err := strconv.Unquote(quoted)
	return plain(name, maxNoun), err == nil
}
