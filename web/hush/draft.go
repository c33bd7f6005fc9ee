package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"

	"hush/core/ask"
	"hush/core/table"
)

// draft is a recipe, or a report of several, as its author wrote it: columns may be named, and how
// the file is read may be left open. Both are determined from the file.
type draft struct {
	name string
	text []byte
}

// readDraft reads a file of JSON.
func readDraft(name string) (d draft, err error) {
	d.name = name
	d.text, err = readFile(name)
	return d, err
}

// unplaced is the number of a column to which no file has given one yet.
const unplaced = "1"

// checked decodes a draft without its file: its columns have no positions yet.
func checked[T any](d draft) (value T, err error) {
	err = d.decode(&value, func(string) (string, error) { return unplaced, nil })
	return value, err
}

// placed decodes a draft with the columns of the open file. A column that it names is published
// under that name, unless the draft states another.
func placed[T any](d draft, h *host) (value T, err error) {
	names := map[int]string{}
	err = d.decode(&value, func(name string) (string, error) {
		number, _, err := h.column(name)
		names[number] = name
		return strconv.Itoa(number), err
	})
	switch value := any(&value).(type) {
	case *ask.Recipe:
		label(value, names)
	case *ask.Several:
		for i := range value.Parts {
			label(&value.Parts[i].Recipe, names)
		}
	}
	return value, err
}

// label publishes columns by their names.
func label(r *ask.Recipe, names map[int]string) {
	r.Label = cmp.Or(r.Label, names[r.Column])
	for i, of := range r.Others {
		r.Others[i].Label = cmp.Or(of.Label, names[of.Column])
	}
	for i, of := range r.Filter {
		r.Filter[i].Label = cmp.Or(of.Label, names[of.Column])
	}
	if r.Group != nil {
		r.Group.Label = cmp.Or(r.Group.Label, names[r.Group.Column])
	}
}

// decode reads the whole draft, with numbers for the columns that it names, and refuses unknown
// fields.
func (d draft) decode(into any, column func(name string) (number string, err error)) error {
	text, err := numbered(d.text, column)
	if err == nil {
		err = strictly(text, into)
	}
	if failed := (*failure)(nil); err == nil || errors.As(err, &failed) {
		return err
	}
	return fail(exitUnread, "%s%s: %s", d.name, placeOf(text, err), d.why(err, into))
}

// why words a fault of JSON.
func (d draft) why(err error, into any) string {
	var (
		syntax *json.SyntaxError
		kind   *json.UnmarshalTypeError
	)
	switch {
	case errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF):
		if start := bytes.TrimSpace(d.text); len(start) == 0 || start[0] != '{' {
			return "it is no recipe: name the recipe first, and the file of the people behind it"
		}
		return fmt.Sprintf("here it is no JSON any more (%v)", err)
	case errors.As(err, &kind):
		return fmt.Sprintf("%q is a %s, want %s", kind.Field, kind.Value, wantOf(kind.Type))
	}
	var found struct{ Answer, Recipe json.RawMessage }
	if json.Unmarshal(d.text, &found) == nil && found.Answer != nil && found.Recipe != nil {
		return "it is a release, and no recipe: hush check checks it, and hush topup makes it " +
			"more exact"
	}
	var other struct{ Task, Parts json.RawMessage }
	if json.Unmarshal(d.text, &other) == nil {
		switch _, report := into.(*ask.Several); {
		case report && other.Task != nil:
			return "it is one recipe, which hush ask takes: a report is " +
				`{"parts": [{"recipe": …}]}`
		case !report && other.Parts != nil:
			return "it is a report of several questions: hush plan takes it"
		}
	}
	if name := unknown.FindStringSubmatch(err.Error()); name != nil {
		line := 1 + bytes.Count(d.text[:max(0, bytes.Index(d.text, []byte(`"`+name[1]+`"`)))],
			[]byte("\n"))
		return fmt.Sprintf("line %d: there is no field %q", line, name[1])
	}
	return err.Error()
}

var unknown = regexp.MustCompile(`unknown field "([^"]*)"`)

// wantOf words what a field of a type takes.
func wantOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text in quotes"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list in brackets"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "fields in braces"
	}
	return "a whole number"
}

// numbered returns JSON in which named columns are replaced by their numbers.
func numbered(text []byte, column func(name string) (string, error)) ([]byte, error) {
	type place struct {
		from, to int64
		number   string
	}
	var places []place
	var keys []string // the key being read in each open object; "[" for a list
	decoder := json.NewDecoder(bytes.NewReader(text))
	for named := false; ; {
		before := decoder.InputOffset()
		token, err := decoder.Token()
		if err != nil {
			break // strictly reports where
		}
		top := len(keys) - 1
		switch token := token.(type) {
		case json.Delim:
			if token == '}' || token == ']' {
				keys, named = keys[:top], false
				continue
			}
			keys = append(keys, map[json.Delim]string{'[': "["}[token])
		case string:
			if top >= 0 && keys[top] != "[" && !named {
				keys[top], named = token, true
				continue
			}
			if top >= 0 && (keys[top] == "column" || keys[top] == "person") {
				number, err := column(token)
				if err != nil {
					return nil, err
				}
				start := before + int64(bytes.IndexByte(text[before:], '"'))
				places = append(places, place{start, decoder.InputOffset(), number})
			}
		}
		named = false
	}
	var out bytes.Buffer
	at := int64(0)
	for _, p := range places {
		out.Write(text[at:p.from])
		out.WriteString(p.number)
		at = p.to
	}
	out.Write(text[at:])
	return out.Bytes(), nil
}

// reads makes a recipe read the open file as it was read, unless the recipe states otherwise.
func (h *host) reads(r *ask.Recipe) error {
	said, is := fieldsOf(r.Table), fieldsOf(h.opened.Options)
	for field, value := range said {
		if is[field] != value {
			return fail(exitUnread, "%s is no file of this recipe: it is read with %s = %v, and "+
				"the recipe says %v", h.names, field, is[field], value)
		}
	}
	if n := len(h.opened.Readings); n > 0 && said["encoding"] == nil {
		return fail(exitUnread, "%s does not say which encoding it is in: state it in the recipe, "+
			"as hush look lists them", h.names)
	}
	r.Table = h.opened.Options
	return nil
}

// fieldsOf returns the options that are stated.
func fieldsOf(o table.Options) (fields map[string]any) {
	text, err := json.Marshal(o)
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err != nil {
		panic(err) // unreachable: it is a struct of texts and numbers
	}
	return fields
}

// named returns a column that the draft names, which requires a file.
func (d draft) named() (name string, is bool) {
	_, err := numbered(d.text, func(of string) (string, error) { return "", errors.New(of) })
	if err == nil {
		return "", false
	}
	return err.Error(), true
}
