package readers

import (
	"bytes"
	"strings"

	"hush/core/table"
)

// mostRow is the largest length of a row in bytes, as in core/table.
const mostRow = 16 << 20

// full is the number of bytes gathered before they are passed on.
const full = 256 << 10

// rows writes rows as static/readers/csv.part.mjs does: UTF-8, commas, double quotes where needed,
// LF after each row, never an empty line.
type rows struct {
	text  []byte
	at    int64 // number of rows so far
	start int   // of the row that is being written
	cells int   // of it
	take  func([]byte) error
}

// cell writes the next cell of a row.
func (r *rows) cell(text []byte) {
	if r.cells > 0 {
		r.text = append(r.text, ',')
	}
	r.cells++
	if !needsQuotes(text) {
		r.text = append(r.text, text...)
		return
	}
	r.text = append(r.text, '"')
	for _, c := range text {
		if c == '"' {
			r.text = append(r.text, '"')
		}
		r.text = append(r.text, c)
	}
	r.text = append(r.text, '"')
}

func needsQuotes(text []byte) bool {
	for _, c := range text {
		if c == '"' || c == ',' || c == '\n' || c == '\r' {
			return true
		}
	}
	return bytes.Contains(text, []byte("\ufeff"))
}

// end ends a row.
func (r *rows) end(format string) error {
	r.at++
	if len(r.text)-r.start > mostRow {
		return refuse(format, "too-large", table.UnreadAt{Row: r.at})
	}
	if len(r.text) == r.start {
		r.text = append(r.text, `""`...)
	}
	r.text = append(r.text, '\n')
	if len(r.text) >= full {
		return r.flush()
	}
	r.start, r.cells = len(r.text), 0
	return nil
}

func (r *rows) flush() (err error) {
	if len(r.text) > 0 {
		err = r.take(r.text)
	}
	r.text, r.start, r.cells = r.text[:0], 0, 0
	return err
}

// refuse returns the reason why a file cannot be read.
func refuse(format, key string, where table.UnreadAt) error {
	return &table.UnreadError{Format: format, Key: key, Where: where}
}

// keysText writes a list of names as JSON.stringify does: the same keys are the same options.
func keysText(names []string) string {
	var b strings.Builder
	for i, name := range names {
		b.WriteByte("[,"[min(i, 1)])
		b.WriteByte('"')
		for _, c := range name {
			switch {
			case c == '"' || c == '\\':
				b.WriteByte('\\')
				b.WriteRune(c)
			case strings.ContainsRune("\b\f\n\r\t", c):
				b.WriteByte('\\')
				b.WriteByte("btn?fr"[c-'\b'])
			case c < ' ':
				b.WriteString(`\u00`)
				b.WriteByte("01"[c>>4])
				b.WriteByte("0123456789abcdef"[c&15])
			default:
				b.WriteRune(c)
			}
		}
		b.WriteByte('"')
	}
	b.WriteByte(']')
	return b.String()
}
