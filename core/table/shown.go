package table

import (
	"bytes"
	"slices"
	"strconv"
)

// shown adds a row in a form that does not depend on the kind of file: a workbook has the digits
// that a cell shows, days as midnights, and TRUE, where a file of columns has all digits, days, and
// true. Cells that read alike are equal here. Rows that differ in nothing else are taken for the
// same people, which is safe even if they are not, since their losses are then added up.
func (m *multiset) shown(r *Row) {
	m.joined = m.joined[:0]
	for i := range r.Len() {
		if i > 0 {
			m.joined = append(m.joined, ',')
		}
		m.joined = appendShown(m.joined, readable(r.Field(i)))
	}
	m.joined = slices.Grow(m.joined, window)
	m.add(m.joined)
}

// shownDigits is the number of digits that count in a number with a fraction: a workbook shows at
// least as many if its format is left open.
const shownDigits = 9

// appendShown appends the text that a cell reads as, without quotes.
func appendShown(to, cell []byte) []byte {
	switch {
	case len(cell) == 0:
		return to
	case bytes.EqualFold(cell, []byte("true")):
		return append(to, "true"...)
	case bytes.EqualFold(cell, []byte("false")):
		return append(to, "false"...)
	}
	if day, is := midnight(cell); is {
		return append(to, day...)
	}
	if plainFraction(cell) {
		if f, err := strconv.ParseFloat(string(cell), 64); err == nil {
			if f == 0 {
				f = 0 // and not −0
			}
			return strconv.AppendFloat(to, f, 'g', shownDigits, 64)
		}
	}
	for _, c := range cell {
		if c != '"' {
			to = append(to, c)
		}
	}
	return to
}

// midnight returns the day of a moment at its beginning: 2026-01-31T00:00:00.
func midnight(cell []byte) (day []byte, is bool) {
	const days = len("2026-01-31")
	if len(cell) < days+len("T00:00") || cell[4] != '-' || cell[7] != '-' {
		return nil, false
	}
	rest := cell[days:]
	if rest[0] != 'T' && rest[0] != ' ' {
		return nil, false
	}
	return cell[:days], len(bytes.Trim(bytes.TrimSuffix(rest[1:], []byte("Z")), "0:.")) == 0
}

// plainFraction reports whether a cell is a decimal number with a fraction or a power of ten: 12.50
// or 1.5e-7. For whole numbers all digits count.
func plainFraction(cell []byte) bool {
	if cell[0] == '-' || cell[0] == '+' {
		cell = cell[1:]
	}
	digits, fraction := 0, false
	for i, c := range cell {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c == '.' && !fraction && digits > 0:
			fraction = true
		case (c == 'e' || c == 'E') && digits > 0:
			_, err := strconv.Atoi(string(cell[i+1:]))
			return err == nil
		default:
			return false
		}
	}
	return fraction && digits > 0
}
