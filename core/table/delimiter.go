package table

import (
	"strings"

	"hush/core/phrase"
)

// candidates for the delimiter; of equal ones the first wins.
var candidates = []string{",", ";", "\t", "|", "\x01", "~", "^", ":", " "}

// Delimiters lists the delimiters that detection knows, the usual ones first.
func Delimiters() []string { return append([]string(nil), candidates...) }

// headRows is the number of rows that detection looks at.
const headRows = 100

// cutting is the result of cutting the first rows with a delimiter.
type cutting struct {
	delimiter    string
	trim         bool // delimiters are followed by spaces
	rows         [][]string
	width, count int // the usual number of fields, and the number of rows with it
	score        float64
}

// readHead returns the first rows of the head, with copied fields. The last row may be incomplete
// and is left out unless it is the file's last or the only one.
func readHead(head []byte, o Options, whole bool) [][]string {
	var rows [][]string
	var last []string // one row behind, so the last can be left out
	keep := func() {
		if last != nil && len(rows) < headRows {
			rows = append(rows, last)
		}
	}
	seen := 0
	s, err := NewScanner(o, func(r *Row) error {
		if seen++; seen <= o.Skip {
			return nil
		}
		keep()
		if len(rows) >= headRows {
			return ErrAfterEnd // enough
		}
		last = make([]string, 0, min(r.Len(), 1000))
		for i := range r.Len() {
			last = append(last, string(r.Field(i)))
		}
		return nil
	}, nil)
	if err != nil {
		return nil // unreachable: the options were checked
	}
	if s.Write(head) != nil {
		return rows
	}
	closed := seen
	s.Close()
	if whole || len(rows) == 0 || seen == closed {
		keep()
	}
	return rows
}

// usualWidth returns the most frequent number of fields and the number of rows with it; of equally
// frequent ones, the larger.
func usualWidth(rows [][]string) (width, count int) {
	counts := map[int]int{}
	for _, r := range rows {
		counts[len(r)]++
	}
	for w, n := range counts {
		if n > count || n == count && w > width {
			width, count = w, n
		}
	}
	return width, count
}

// cut reads the head with a delimiter, and without the spaces behind it if nearly every field has
// one, or if that makes the rows as wide as the first.
func cut(head []byte, o Options, whole bool) cutting {
	rows := readHead(head, o, whole)
	c := cutting{delimiter: o.Delimiter, trim: o.Trim, rows: rows}
	c.width, c.count = usualWidth(c.rows)
	if o.Trim || o.Delimiter == " " {
		return c
	}
	if spaces, others := spaced(rows); spaces > others {
		o.Trim = true
		trimmed := cutting{delimiter: o.Delimiter, trim: true, rows: readHead(head, o, whole)}
		trimmed.width, trimmed.count = usualWidth(trimmed.rows)
		// Only then are fields in quotes behind a space read completely.
		if spaces > 9*others || len(rows[0]) != c.width && len(rows[0]) == trimmed.width {
			return trimmed
		}
	}
	return c
}

// spaced counts the fields behind a delimiter that start with a space, and those that do not.
func spaced(rows [][]string) (spaces, others int) {
	for _, r := range rows {
		for _, cell := range r[min(1, len(r)):] {
			if strings.HasPrefix(cell, " ") {
				spaces++
			} else if cell != "" {
				others++
			}
		}
	}
	return spaces, others
}

// rate computes the score of a cutting, 0 if there is none. Agreement counts most; cells that hold
// other delimiters count against it, as does a first row that it does not cut; more fields break a
// near tie. A delimiter that also occurs in words, numbers and times has to cut every row alike.
func (c *cutting) rate() {
	if c.width < 2 {
		return
	}
	if strings.Contains("~^: ", c.delimiter) && !c.alike() {
		return
	}
	mixed, cells := 0, 0
	for _, r := range c.rows {
		if len(r) == c.width {
			cells += len(r)
			for _, cell := range r {
				if isMixed(cell) {
					mixed++
				}
			}
		}
	}
	c.score = float64(c.count)/float64(len(c.rows)) + 0.001*float64(min(c.width, 50)) -
		0.5*float64(mixed)/float64(cells)
	if len(c.rows[0]) == 1 {
		c.score -= 0.3
	}
	if isWeak(c.delimiter) {
		c.score -= 0.1
	}
}

// isWeak reports whether a delimiter is often part of a field.
func isWeak(delimiter string) bool { return delimiter == " " || delimiter == ":" }

// alike reports whether a rare delimiter cuts nearly every row, including the first, into equally
// many fields; and, for one that is often part of a field, whether the columns look like columns.
func (c *cutting) alike() bool {
	rows := c.rows // below a title
	for len(rows) > 0 && len(rows[0]) == 1 && len(c.rows)-len(rows) < mostTitle {
		rows = rows[1:]
	}
	if len(rows) < 2 || len(rows[0]) != c.width || 20*c.count < 17*len(rows) {
		return false
	}
	titled := len(rows) < len(c.rows)
	if !isWeak(c.delimiter) || c.width >= 4 && !titled {
		return true
	}
	numbers := 0 // number of columns that hold numbers
	for i, first := range rows[0] {
		found, words := 0, !looksNumeric(first)
		for _, r := range rows[1:] {
			if i < len(r) && looksNumeric(r[i]) {
				found++
			}
		}
		if 5*found >= 4*(len(rows)-1) {
			if words && strings.TrimSpace(first) != "" {
				return true
			}
			numbers++
		}
	}
	return c.delimiter == " " && !titled && numbers == c.width && !oneNumber(rows)
}

// oneNumber reports whether text cut at spaces is rather a number with thousands marks, or a date
// with a time.
func oneNumber(rows [][]string) bool {
	joined := 0
	for _, r := range rows {
		if isOneNumber(strings.Join(r, " ")) {
			joined++
		}
	}
	return 2*joined > len(rows)
}

// isOneNumber reports whether a cell with spaces is one number, or a date with a time.
func isOneNumber(cell string) bool {
	if !looksNumeric(cell) {
		return false
	}
	parts := strings.Fields(cell)
	if len(parts) == 2 && strings.Contains(parts[1], ":") {
		return true
	}
	for i, p := range parts {
		digits := len(strings.TrimLeft(p, "+-0123456789"))
		if i > 0 && (len(p)-digits != 3 || digits > 0 && i < len(parts)-1) {
			return false
		}
	}
	return true
}

// isMixed reports whether a cell holds a delimiter or a quote, and is no number with marks.
func isMixed(cell string) bool {
	cell = strings.TrimSpace(cell)
	if strings.Contains(cell, " ") && looksNumeric(cell) {
		return !isOneNumber(cell)
	}
	return strings.ContainsAny(cell, ",;\t|\x01~^\"\r") && !looksNumeric(cell)
}

// bestCutting returns the cutting with the highest score, and whether the next one comes close;
// without a score there is one column.
func bestCutting(head []byte, o Options, whole bool) (best cutting, close bool) {
	second := 0.0
	for _, d := range candidates {
		if d == o.Quote {
			continue
		}
		o := o
		o.Delimiter = d
		c := cut(head, o, whole)
		c.rate()
		switch {
		case c.score > best.score:
			best, second = c, best.score
		case c.score > second:
			second = c.score
		}
		// Rows that spaces or colons cut alike may be meant that way even without positive
		// evidence.
		if c.score == 0 && isWeak(d) && c.width > 1 && c.count == len(c.rows) && c.count > 1 &&
			best.score == 0 {
			close = true
		}
	}
	if best.score > 0 {
		close = second > best.score-0.05 || isWeak(best.delimiter)
	} else {
		best.delimiter = candidates[0]
	}
	return best, close
}

// why states the evidence for a cutting.
func (c cutting) why() phrase.Phrase {
	if c.score <= 0 {
		return phrase.Of("no delimiter is found, so there is one column")
	}
	return phrase.Of("it cuts %d of the first %d rows into %d fields", c.count, len(c.rows),
		c.width)
}
