package table

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"hush/core/phrase"
)

// Detection looks at the first bytes of a file and proposes. What it proposes is used for the
// survey's preview and takes effect elsewhere only once it is confirmed.

// headBytes is how much of the text detection looks at.
const headBytes = 64 << 10

// isGzip says whether a file that starts so is gzip.
func isGzip(head []byte) bool { return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) }

// foreign names the kind of a file that starts so and is no table of text, if it is one.
func foreign(head []byte) (what phrase.Key, ok bool) {
	for _, f := range []struct {
		magic string
		what  phrase.Key
	}{
		{"PK\x03\x04", "a zip archive or a spreadsheet (.xlsx, .ods)"},
		{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (.xls)"},
		{"PAR1\x15", "a Parquet file"},
		{"SQLite format 3\x00", "an SQLite database"},
		{"%PDF-", "a PDF document"},
		{"ARROW1\x00", "an Arrow file"},
		{"\x28\xb5\x2f\xfd", "compressed with Zstandard"},
		{"\xfd7zXZ\x00", "compressed with xz"},
		{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
		{"\x89PNG", "a picture"},
		{"\xff\xd8\xff", "a picture"},
	} {
		if strings.HasPrefix(string(head[:min(len(head), 16)]), f.magic) {
			return f.what, true
		}
	}
	start := strings.ToLower(
		string(bytes.TrimLeft(bytes.TrimPrefix(head[:min(len(head), 64)], utf8BOM), " \t\r\n")))
	for _, f := range []struct {
		start string
		what  phrase.Key
	}{
		{"<!doctype html", "a web page"}, {"<html", "a web page"}, {"<?xml", "an XML document"},
		{"{\"", "JSON"}, {"[{\"", "JSON"}, {"{\n", "JSON"}, {"[\n", "JSON"},
	} {
		if strings.HasPrefix(start, f.start) {
			return f.what, true
		}
	}
	if len(head) > 3 && string(head[:3]) == "BZh" && head[3] >= '1' && head[3] <= '9' &&
		bytes.IndexByte(head, '\n') < 0 {
		return "compressed with bzip2", true
	}
	return "", false
}

// detectEncoding proposes an encoding and says why. Text without a byte order mark is taken for
// UTF-8 whatever single bytes of it are, since [readable] reads those that are none.
func detectEncoding(head []byte) (encoding string, why phrase.Phrase) {
	switch {
	case bytes.HasPrefix(head, utf8BOM):
		return UTF8, phrase.Of("the file starts with a UTF-8 byte order mark")
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return UTF16LE, phrase.Of("the file starts with a UTF-16 (little-endian) byte order mark")
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return UTF16BE, phrase.Of("the file starts with a UTF-16 (big-endian) byte order mark")
	}
	// Text in UTF-16 without a mark: of ASCII characters, every other byte is 0.
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i&1]++
		}
	}
	pairs := len(head) / 2
	if pairs > 0 && zeros[1] > pairs*2/5 && zeros[0] < pairs/10+1 {
		return UTF16LE, phrase.Of("every other byte is 0, as in UTF-16 (little-endian)")
	}
	if pairs > 0 && zeros[0] > pairs*2/5 && zeros[1] < pairs/10+1 {
		return UTF16BE, phrase.Of("every other byte is 0, as in UTF-16 (big-endian)")
	}
	return UTF8, phrase.Of("UTF-8 is the usual encoding, and bytes that are none are read as " +
		"Windows-1252")
}

// unfinished is how many bytes at the end start a character and do not end it.
func unfinished(head []byte) int {
	for k := 1; k < utf8.UTFMax && k <= len(head); k++ {
		tail := head[len(head)-k:]
		if utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return k
		}
	}
	return 0
}

// candidates for the delimiter, the first wins a tie.
var candidates = []byte{',', ';', '\t', '|'}

// headRows is how many rows detection looks at.
const headRows = 100

// readHead returns the first rows of the head, the fields copied. The last row may be cut off and
// is left out unless it is the file's last or the only one.
func readHead(head []byte, o Options, whole bool) [][]string {
	var rows [][]string
	var last []string // one row behind, so that the last can be left out
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
		last = make([]string, 0, min(r.Len(), 1000))
		for i := range r.Len() {
			if len(rows) >= headRows {
				break
			}
			last = append(last, string(r.Field(i)))
		}
		return nil
	}, nil)
	if err != nil {
		return nil // unreachable: the options were checked
	}
	s.Write(head)
	closed := seen
	s.Close()
	if whole || len(rows) == 0 || seen == closed {
		keep()
	}
	return rows
}

// usualWidth returns the most frequent number of fields and how many rows have it; more fields win
// a tie.
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

// detectDelimiter proposes the candidate that cuts the first rows into the same number of fields,
// at least two.
func detectDelimiter(head []byte, o Options, whole bool) (delimiter byte, why phrase.Phrase) {
	best, bestScore := candidates[0], 0.0
	why = phrase.Of("no delimiter is found, so there is one column")
	for _, c := range candidates {
		o.Delimiter = string(c)
		rows := readHead(head, o, whole)
		width, count := usualWidth(rows)
		if width < 2 {
			continue
		}
		// Agreement counts most; more fields break a near tie.
		score := float64(count)/float64(len(rows)) + 0.001*float64(min(width, 50))
		if score > bestScore {
			best, bestScore = c, score
			why = phrase.Of("it cuts %d of the first %d rows into %d fields", count, len(rows),
				width)
		}
	}
	return best, why
}

// detectHeader proposes whether the first row holds names.
func detectHeader(rows [][]string) (header string, why phrase.Phrase) {
	if len(rows) == 0 {
		return Yes, phrase.Of("there are no rows")
	}
	votes := 0
	for i, first := range rows[0] {
		numbers, years, filled := 0, 0, 0
		for _, r := range rows[1:] {
			if i < len(r) && strings.TrimSpace(r[i]) != "" {
				filled++
				if looksNumeric(r[i]) {
					numbers++
				}
				if looksLikeYear(r[i]) {
					years++
				}
			}
		}
		switch {
		case filled == 0 || 2*numbers < filled || looksLikeYear(first) && 2*years < filled:
		case looksNumeric(first):
			votes--
		case strings.TrimSpace(first) != "":
			votes++
		}
	}
	switch {
	case votes > 0:
		return Yes, phrase.Of("the first row holds words above columns of numbers or dates")
	case votes < 0:
		return No, phrase.Of("the first row holds numbers or dates like those below")
	}
	seen := map[string]bool{}
	for _, name := range rows[0] {
		name = strings.TrimSpace(name)
		if name == "" || seen[name] || looksNumeric(name) && !looksLikeYear(name) {
			return No, phrase.Of("the first row does not hold different names")
		}
		seen[name] = true
	}
	if len(rows) > 1 && len(rows[0]) == 1 && len(rows) > 3 {
		for _, r := range rows[1:] {
			if r[0] == rows[0][0] {
				return No, phrase.Of("the first row occurs again")
			}
		}
	}
	return Yes, phrase.Of("the first row holds different names")
}

// looksLikeYear says whether a cell may be a year, which is a usual name of a column.
func looksLikeYear(cell string) bool {
	cell = strings.TrimSpace(cell)
	return len(cell) == 4 && (cell[:2] == "19" || cell[:2] == "20") && looksNumeric(cell)
}

// looksNumeric says whether a cell is a number, a date or a time, by its characters: digits, and no
// letters but the few that numbers and times have.
func looksNumeric(cell string) bool {
	digits := 0
	for _, c := range strings.TrimSpace(cell) {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case strings.ContainsRune(" +-.,:/%$€£'eETZ\u00a0\u202f\u2212", c):
		default:
			return false
		}
	}
	return digits > 0
}
