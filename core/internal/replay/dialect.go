package replay

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"strconv"
	"strings"
	"unicode/utf16"

	"hush/core/table"
)

// dialect is one way to write a table as bytes, which table.Options read.
type dialect struct {
	table.Options
	end    string // of a row
	mark   bool   // a byte order mark comes first
	cut    bool   // the last row has no end
	blanks bool   // empty lines stand between rows, where they are none
}

// newDialect draws one for this many columns.
func newDialect(d dice, columns int) dialect {
	w := dialect{Options: table.Options{
		Encoding: pick(d, table.UTF8, table.UTF8, table.UTF8, table.UTF16LE, table.UTF16BE,
			table.Windows1252),
		Delimiter:   pick(d, ",", ",", ";", "\t", "|"),
		Header:      pick(d, table.Yes, table.Yes, table.No),
		Columns:     columns,
		Compression: pick(d, table.NoneValue, table.NoneValue, table.NoneValue, table.Gzip),
		Newline:     table.LF,
		Quotes:      pick(d, table.Double, table.Double, table.Backslash, table.NoneValue),
		Trim:        d.percent(30),
		Ragged:      pick(d, table.NoneValue, table.Keep),
		Blank:       pick(d, table.SkipBlank, table.RowBlank),
		Skip:        pick(d, 0, 0, 0, 2),
	}, end: pick(d, "\n", "\r\n"), mark: d.percent(30), cut: d.percent(30)}
	if d.percent(10) {
		w.Newline, w.end = table.Any, pick(d, "\r", "\n", "\r\n")
	}
	if d.percent(10) {
		w.Newline, w.end = table.CR, "\r"
	}
	if w.Quotes != table.NoneValue && d.percent(20) {
		w.Quote = "'"
	}
	if d.percent(20) { // as a reader writes it
		w.Format, w.Part = pick(d, table.XLSX, table.Parquet, table.JSON, table.Zip, table.Zstd),
			1+d.below(3)
		if w.Format != table.XLSX && w.Format != table.Parquet { // of JSON
			w.Keys, w.Header = keys(columns), table.Yes
		}
		w.Encoding, w.Delimiter, w.Compression = table.UTF8, ",", table.NoneValue
		w.Newline, w.end, w.Quotes, w.Quote, w.Trim = table.LF, "\n", table.Double, "", false
	}
	w.blanks = w.Blank == table.SkipBlank && d.percent(30)
	return w
}

// keys names this many columns as the options of JSON do.
func keys(columns int) string {
	names := make([]string, columns)
	for i := range names {
		names[i] = strconv.Quote("k" + strconv.Itoa(i))
	}
	return "[" + strings.Join(names, ",") + "]"
}

// write writes a table. Its rows have one cell or more, not all of them the same number.
func (w dialect) write(header []string, rows []row) []byte {
	var b strings.Builder
	for i := range w.Skip {
		b.WriteString([]string{"a title", "of two lines"}[i] + w.end)
	}
	if w.Header == table.Yes {
		b.WriteString(w.line(row{cells: header}) + w.end)
	}
	for i, r := range rows {
		b.WriteString(w.line(r))
		if i < len(rows)-1 || !w.cut {
			b.WriteString(w.end)
		}
		if w.blanks && i%3 == 1 {
			b.WriteString(w.end)
		}
	}
	return w.pack(b.String())
}

// line is a row without its end.
func (w dialect) line(r row) string {
	cells := make([]string, len(r.cells))
	for i, cell := range r.cells {
		cells[i] = w.cell(cell, r.quoted)
	}
	line := strings.Join(cells, w.Delimiter)
	if len(cells) == 1 && strings.Trim(line, " \t") == "" { // which would be an empty line
		line += w.Delimiter
	}
	return line
}

// cell writes one cell; where there are no quotes it cannot hold every character.
func (w dialect) cell(cell string, quoted bool) string {
	quote := cmp.Or(w.Quote, `"`)
	special := w.Delimiter + quote + "\n\r\\"
	if w.Quotes == table.NoneValue {
		return strings.Map(func(c rune) rune {
			if strings.ContainsRune(special, c) {
				return '_'
			}
			return c
		}, cell)
	}
	if !quoted && !strings.ContainsAny(cell, special) {
		return cell
	}
	if w.Quotes == table.Backslash {
		return quote + strings.NewReplacer(`\`, `\\`, quote, `\`+quote).Replace(cell) + quote
	}
	return quote + strings.ReplaceAll(cell, quote, quote+quote) + quote
}

// pack encodes the text and compresses it.
func (w dialect) pack(text string) []byte {
	if w.mark && w.Encoding != table.Windows1252 {
		text = "\ufeff" + text
	}
	var out []byte
	switch w.Encoding {
	case table.UTF8:
		out = []byte(text)
	case table.Windows1252:
		for _, c := range text {
			if c > 0xff || c >= 0x80 && c < 0xa0 {
				c = '?'
			}
			out = append(out, byte(c))
		}
	default:
		for _, u := range utf16.Encode([]rune(text)) {
			if w.Encoding == table.UTF16LE {
				out = append(out, byte(u), byte(u>>8))
			} else {
				out = append(out, byte(u>>8), byte(u))
			}
		}
	}
	if w.Compression != table.Gzip {
		return out
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(out) // a bytes.Buffer takes everything
	_ = z.Close()
	return b.Bytes()
}
