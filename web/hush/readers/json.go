package readers

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"hush/core/table"
)

// The limits of static/readers/json.part.mjs.
const (
	looked     = 1000     // objects that columns are proposed from
	mostObject = 16 << 20 // bytes in an object
	mostKeys   = 60_000   // bytes of the names of columns
)

var objectsBegin = regexp.MustCompile(`^\s*(\[\s*)?\{\s*["}]`)

// isJSON reports whether a text with these first bytes consists of objects of JSON.
func isJSON(head []byte) bool {
	text, err := io.ReadAll(asUTF8(bytes.NewReader(head)))
	return (err == nil || len(text) > 0) && objectsBegin.Match(text)
}

// asUTF8 converts a text in UTF-8 or UTF-16 to UTF-8, without its mark. The encoding of JSON
// follows from its first four bytes: in UTF-16, two of them are an ASCII character or a mark.
func asUTF8(text io.Reader) io.Reader {
	head := make([]byte, 4)
	n, _ := io.ReadFull(text, head)
	all := io.MultiReader(bytes.NewReader(head[:n]), text)
	a, b, c, d := head[0], head[1], head[2], head[3]
	switch {
	case a == 0xff && b == 0xfe && (c != 0 || d != 0), a != 0 && b == 0 && c != 0 && d == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(all)
	case a == 0xfe && b == 0xff, a == 0 && b != 0 && c == 0 && d != 0:
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder().Reader(all)
	case a == 0xef && b == 0xbb && c == 0xbf:
		return io.MultiReader(bytes.NewReader(head[3:n]), text)
	}
	return all
}

// jsonOptions returns the options that are certain for the table in a text: its columns are the
// keys of its first objects, in the order in which they occur.
func jsonOptions(format string, text io.Reader) (o table.Options, err error) {
	objects := newObjects(format, text)
	var names []string
	known := map[string]bool{}
	for range looked {
		keys, _, err := objects.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return o, err
		}
		for _, key := range keys {
			if name := string(key); !known[name] {
				known[name] = true
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return o, refuse(format, "empty", table.UnreadAt{})
	}
	o = table.Options{Header: table.Yes, Columns: len(names), Keys: keysText(names)}
	if len(o.Keys) > mostKeys {
		return o, refuse(format, "too-large", table.UnreadAt{Row: 1})
	}
	return o, nil
}

// jsonTable writes the table of a text as CSV, with the columns of options.
func jsonTable(format string, text io.Reader, o table.Options, r *rows) error {
	var names []string
	if err := json.Unmarshal([]byte(o.Keys), &names); err != nil {
		return refuse(format, "damaged", table.UnreadAt{})
	}
	place := map[string]int{}
	for i, name := range names {
		place[name] = i
		r.cell([]byte(name))
	}
	if err := r.end(format); err != nil {
		return err
	}
	objects := newObjects(format, text)
	cells, here := make([][]byte, len(names)), make([]bool, len(names))
	for {
		keys, values, err := objects.next()
		if errors.Is(err, io.EOF) {
			return r.flush()
		}
		if err != nil {
			return err
		}
		clear(cells)
		clear(here)
		over := false
		for i, key := range keys {
			k, known := i, i < len(names) && names[i] == string(key)
			if !known {
				k, known = place[string(key)]
			}
			// As in the page, a null may be followed by another value of its key.
			if !known || here[k] {
				over = true
				continue
			}
			cells[k], here[k] = values[i], values[i] != nil
		}
		for _, cell := range cells {
			r.cell(cell)
		}
		if over {
			r.cell(nil)
		}
		if err := r.end(format); err != nil {
			return err
		}
	}
}

// objects reads one object after another from a text: from an array, or from a sequence of objects.
type objects struct {
	format string
	from   io.Reader
	buffer []byte
	at     int // index in the buffer
	start  int // start of the object being read
	read   int64
	err    error // the reader's, once the buffer is used up
	begun  bool
	list   bool
	closed bool
	row    int64
	line   int64

	keys, values [][]byte
}

func newObjects(format string, text io.Reader) *objects {
	return &objects{format: format, from: asUTF8(text), line: 1}
}

// failure ends the reading at its position.
type failure struct{ err error }

func (o *objects) fail(key string, column int) {
	row := o.row
	if key == "damaged" && !o.has() {
		row-- // the text ends in the midst of an object: the last whole one is named
	}
	panic(failure{refuse(o.format, key, table.UnreadAt{Row: max(1, row), Line: o.line,
		Column: column})})
}

// next returns the next object, or io.EOF. The object is valid until the one after it. A value is
// nil if it is null.
func (o *objects) next() (keys, values [][]byte, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			f, is := caught.(failure)
			if !is {
				panic(caught)
			}
			keys, values, err = nil, nil, f.err
		}
	}()
	o.start = o.at
	c, more := o.space()
	if !o.begun {
		if !more {
			return nil, nil, io.EOF
		}
		o.begun = true
		if o.list = c == '['; o.list {
			o.at++
			if c, more = o.space(); c == ']' && more {
				return o.close()
			}
		}
	} else if o.list && !o.closed {
		if more && c == ']' {
			return o.close()
		}
		if !more || c != ',' {
			o.fail("damaged", 0)
		}
		o.at++
		c, more = o.space()
	}
	switch {
	case !more && (o.closed || !o.list):
		return nil, nil, io.EOF
	case o.closed || !more:
		o.fail("damaged", 0)
	case c != '{':
		o.fail("not-table", 0)
	}
	o.row++
	o.members()
	return o.keys, o.values, nil
}

func (o *objects) close() (keys, values [][]byte, err error) {
	o.at++
	o.closed = true
	if _, more := o.space(); more {
		o.fail("damaged", 0)
	}
	return nil, nil, io.EOF
}

func (o *objects) members() {
	o.at++
	o.keys, o.values = o.keys[:0], o.values[:0]
	if o.must() == '}' {
		o.at++
		return
	}
	// A growing buffer moves, so texts are cut out of it by their positions, at the end.
	for {
		if o.must() != '"' {
			o.fail("damaged", 0)
		}
		o.keys = append(o.keys, o.text())
		if o.must() != ':' {
			o.fail("damaged", 0)
		}
		o.at++
		o.values = append(o.values, o.value(len(o.keys)))
		c := o.must()
		o.at++
		if c == '}' {
			return
		}
		if c != ',' {
			o.fail("damaged", 0)
		}
	}
}

// value reads a text, a number as it is written, true or false; it returns nil for null.
func (o *objects) value(column int) []byte {
	switch c := o.must(); c {
	case '"':
		return o.text()
	case '{', '[':
		o.fail("nested", column)
	case 't':
		return o.word("true")
	case 'f':
		return o.word("false")
	case 'n':
		o.word("null")
		return nil
	}
	from := o.at - o.start
	o.number()
	return o.buffer[o.start+from : o.at]
}

func (o *objects) word(word string) []byte {
	for _, c := range []byte(word) {
		if o.byte() != c {
			o.fail("damaged", 0)
		}
		o.at++
	}
	return []byte(word)
}

// number skips a number, by the grammar of JSON.
func (o *objects) number() {
	digits := func() {
		n := 0
		for ; isDigit(o.byte()); o.at++ {
			n++
		}
		if n == 0 {
			o.fail("damaged", 0)
		}
	}
	if o.byte() == '-' {
		o.at++
	}
	if o.byte() == '0' {
		o.at++
	} else {
		digits()
	}
	if o.byte() == '.' {
		o.at++
		digits()
	}
	if c := o.byte(); c == 'e' || c == 'E' {
		o.at++
		if c := o.byte(); c == '+' || c == '-' {
			o.at++
		}
		digits()
	}
	if c := o.byte(); isDigit(c) || c == '.' || c == '+' || c == '-' || c == '_' ||
		'a' <= c|0x20 && c|0x20 <= 'z' {
		o.fail("damaged", 0)
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// text returns the decoded value of a string.
func (o *objects) text() []byte {
	from := o.at - o.start
	o.at++
	escaped := false
	for {
		if !o.has() {
			o.fail("damaged", 0)
		}
		c := o.buffer[o.at]
		o.at++
		switch {
		case c == '"':
			whole := o.buffer[o.start+from : o.at]
			if !escaped {
				return whole[1 : len(whole)-1]
			}
			var text string
			if err := json.Unmarshal(whole, &text); err != nil {
				o.fail("damaged", 0)
			}
			return []byte(text)
		case c == '\\':
			if escaped = true; !o.has() || o.buffer[o.at] < ' ' {
				o.fail("damaged", 0)
			}
			o.at++
		case c < ' ':
			o.fail("damaged", 0)
		}
	}
}

// space skips white space; more is false at the end.
func (o *objects) space() (c byte, more bool) {
	for ; o.has(); o.at++ {
		switch c = o.buffer[o.at]; c {
		case '\n':
			o.line++
		case ' ', '\r', '\t':
		default:
			return c, true
		}
	}
	return 0, false
}

// must is space where the text must not end.
func (o *objects) must() byte {
	c, more := o.space()
	if !more {
		o.fail("damaged", 0)
	}
	return c
}

// byte returns the current byte; 0 at the end.
func (o *objects) byte() byte {
	if !o.has() {
		return 0
	}
	return o.buffer[o.at]
}

// has reports whether there is a current byte, and reads more if there is none.
func (o *objects) has() bool {
	if o.at < len(o.buffer) {
		return true
	}
	return o.more()
}

// more reads on. Everything before the object being read is dropped; the texts of that object stay
// where they are, in the old buffer if it has to grow.
func (o *objects) more() bool {
	for o.err == nil {
		if len(o.buffer)-o.start > mostObject {
			o.fail("too-large", 0)
		}
		held := o.buffer[o.start:]
		next := make([]byte, len(held), max(full, 2*len(held)))
		copy(next, held)
		o.at, o.start = o.at-o.start, 0
		n, err := o.from.Read(next[len(held):cap(next)])
		if o.buffer, o.err = next[:len(held)+n], err; err != nil && !errors.Is(err, io.EOF) {
			panic(failure{err})
		}
		if o.read += int64(n); n > 0 {
			if !o.valid(len(held)) {
				panic(failure{refuse(o.format, "damaged", table.UnreadAt{Byte: o.read})})
			}
			return true
		}
	}
	return false
}

// valid reports whether what was read is valid text, apart from a character cut off at its end.
func (o *objects) valid(from int) bool {
	text := o.buffer[max(0, from-utf8.UTFMax):]
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	for cut := 0; cut < utf8.UTFMax && cut <= len(text); cut++ {
		if utf8.Valid(text[:len(text)-cut]) {
			return cut == 0 || !utf8.FullRune(text[len(text)-cut:]) && o.err == nil
		}
	}
	return false
}
