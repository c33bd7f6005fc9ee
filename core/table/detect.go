package table

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"hush/core/phrase"
)

// Detection looks at the first bytes of a file and makes proposals. They are used for the survey's
// preview and take effect elsewhere only once they are confirmed.

// Detection looks at the first headBytes of a file or, if those do not hold headLines lines, at
// more: at most at mostHead, which a header with the most columns hardly needs.
const (
	headBytes = 64 << 10
	headLines = 4
	mostHead  = 2 << 20
)

// isGzip reports whether a file with this beginning is gzip.
func isGzip(head []byte) bool { return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) }

// alien is a kind of file that is not a table of text, with advice on getting one.
type alien struct {
	start     string // the first bytes of such a file
	what, how phrase.Key
}

const (
	unpackIt  phrase.Key = "unpack it and open what is inside"
	saveAsCSV phrase.Key = "save or unpack it as CSV and open that"

	savedByHush phrase.Key = "JSON as Hush saves it"
	openSaved   phrase.Key = "open a release under “Check a release”, a question or " +
		"a codebook at its own step, and here the table itself"
	fromSAS    phrase.Key = "in SAS: proc export data=NAME outfile=\"table.csv\" dbms=csv; run;"
	fromR      phrase.Key = "in R: write.csv(NAME, \"table.csv\", row.names = FALSE)"
	fromPandas phrase.Key = "in Python with pandas: read it and call to_csv(\"table.csv\", " +
		"index=False)"
	fromExcel phrase.Key = "open it in a spreadsheet program and save it as CSV in UTF-8, " +
		"without a password"
	fromTable phrase.Key = "ask for the table that it was made of, as CSV"
)

// aliens are recognised by their first bytes. foreign recognises old Stata files and archives.
var aliens = []alien{
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (.xls), or a protected one",
		fromExcel},
	{"PAR1", "a Parquet file that is cut off", "fetch it again"},
	{"$FL2", "an SPSS file", "in SPSS: File, Export, CSV Data"},
	{"$FL3", "an SPSS file", "in SPSS: File, Export, CSV Data"},
	{"<stata_dta>", "a Stata file", fromStata},
	{strings.Repeat("\x00", 12) + "\xc2\xea\x81\x60\xb3\x14\x11\xcf", "a SAS file", fromSAS},
	{"HEADER RECORD*******LIB", "a SAS transport file", fromSAS},
	{"RDX", "an R file", fromR}, {"X\n\x00\x00\x00", "an R file", fromR},
	{"\x89HDF\r\n", "an HDF5 file", fromPandas},
	{"ARROW1", "an Arrow file", fromPandas}, {"FEA1", "a Feather file", fromPandas},
	{"SQLite format 3\x00", "an SQLite database",
		"with SQLite: sqlite3 -header -csv FILE \"select * from TABLE\" > table.csv"},
	{"\x00\x01\x00\x00Standard ", "an Access database",
		"in Access: External Data, Export, Text File"},
	{"%PDF-", "a PDF document", fromTable},
	{"\x89PNG", "a picture", fromTable}, {"\xff\xd8\xff", "a picture", fromTable},
	{"GIF8", "a picture", fromTable}, {"II*\x00", "a picture", fromTable},
	{"MM\x00*", "a picture", fromTable},
	{"\x28\xb5\x2f\xfd", "compressed with Zstandard", unpackIt},
	{"\xfd7zXZ\x00", "compressed with xz", unpackIt},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", unpackIt}, {"Rar!", "a RAR archive", unpackIt},
}

const fromStata phrase.Key = "in Stata: export delimited using table.csv"

// foreign returns the kind of a file with this beginning if it is not a table of text.
func foreign(head []byte) (a alien, ok bool) {
	for _, a := range aliens {
		if bytes.HasPrefix(head, []byte(a.start)) {
			return a, true
		}
	}
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return archive(head), true
	case len(head) > 4 && head[0] >= 0x69 && head[0] <= 0x73 && (head[1] == 1 || head[1] == 2) &&
		head[2] == 1 && head[3] == 0:
		return alien{"", "a Stata file", fromStata}, true
	case len(head) > 3 && string(head[:3]) == "BZh" && head[3] >= '1' && head[3] <= '9' &&
		bytes.IndexByte(head, '\n') < 0:
		return alien{"", "compressed with bzip2", unpackIt}, true
	}
	start := strings.ToLower(
		string(bytes.TrimLeft(bytes.TrimPrefix(head[:min(len(head), 64)], utf8BOM), " \t\r\n")))
	for _, a := range []alien{
		{"<!doctype html", "a web page", saveAsCSV}, {"<html", "a web page", saveAsCSV},
		{"<?xml", "an XML document", saveAsCSV}, {"{\n  \"version\": 1,", savedByHush, openSaved},
		{"{\"version\":1,", savedByHush, openSaved}, {"{\"", "JSON", saveAsCSV},
		{"[{\"", "JSON", saveAsCSV}, {"{\n", "JSON", saveAsCSV}, {"[\n", "JSON", saveAsCSV},
	} {
		if strings.HasPrefix(start, a.start) {
			return a, true
		}
	}
	return alien{}, false
}

// archive tells from the names at a ZIP archive's start which program's document it is.
func archive(head []byte) alien {
	for _, a := range []alien{
		{"mimetypeapplication/vnd.oasis", "an OpenDocument file (.ods)",
			"in LibreOffice: File, Save As, Text CSV, in UTF-8"},
		{"Index/", "an Apple Numbers document", "in Numbers: File, Export To, CSV"},
		{"word/", "a Word document", fromTable}, {"ppt/", "a PowerPoint document", fromTable},
		{"xl/", "an Excel workbook (.xlsx)", fromExcel},
	} {
		if bytes.Contains(head, []byte(a.start)) {
			return a
		}
	}
	return alien{"", "a ZIP archive", unpackIt}
}

// isUTF32 reports whether text is in UTF-32, judging by its byte order mark or by two or three
// zeros among each four bytes.
func isUTF32(head []byte) bool {
	if bytes.HasPrefix(head, []byte{0xff, 0xfe, 0, 0}) ||
		bytes.HasPrefix(head, []byte{0, 0, 0xfe, 0xff}) {
		return true
	}
	little, big, fours := 0, 0, len(head)/4
	for i := range fours {
		c := head[4*i : 4*i+4]
		switch {
		case c[2] == 0 && c[3] == 0 && c[0] != 0:
			little++
		case c[0] == 0 && c[1] == 0 && c[3] != 0:
			big++
		}
	}
	return fours > 1 && 10*max(little, big) > 9*fours
}

// detectEncoding proposes an encoding and says why. Text without a byte order mark is taken for
// UTF-8, even with single bytes that are not, since [readable] reads those.
func detectEncoding(head []byte) (encoding string, why phrase.Phrase) {
	switch {
	case bytes.HasPrefix(head, utf8BOM):
		return UTF8, phrase.Of("the file starts with a UTF-8 byte order mark")
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return UTF16LE, phrase.Of("the file starts with a UTF-16 (little-endian) byte order mark")
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return UTF16BE, phrase.Of("the file starts with a UTF-16 (big-endian) byte order mark")
	}
	// Text in UTF-16 without a mark: with ASCII characters, every other byte is 0.
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

// unfinished counts the bytes at the end that start a character without finishing it.
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

// headerVotes counts the columns with a word above numbers or dates, minus those with numbers or
// dates in the first row too.
func headerVotes(rows [][]string) (votes int) {
	if len(rows) == 0 {
		return 0
	}
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
	return votes
}

// detectHeader proposes whether the first row holds names.
func detectHeader(rows [][]string) (header string, why phrase.Phrase) {
	if len(rows) == 0 {
		return Yes, phrase.Of("there are no rows")
	}
	votes := headerVotes(rows)
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

// looksLikeYear reports whether a cell may be a year, which is a usual name of a column.
func looksLikeYear(cell string) bool {
	cell = strings.TrimSpace(cell)
	return len(cell) == 4 && (cell[:2] == "19" || cell[:2] == "20") && looksNumeric(cell)
}

// looksNumeric reports whether a cell is a number, a date or a time, judging by its characters:
// digits, and no letters except the few in numbers and times.
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

// mostTitle is the largest number of rows in a title.
const mostTitle = 20

// titleOf returns the number of rows at the start that are certainly a title: none of them has two
// filled cells, and the row below has a name for each column, including words above numbers.
func titleOf(rows [][]string) int {
	filled := func(r []string) (n int) {
		for _, cell := range r {
			if strings.TrimSpace(cell) != "" {
				n++
			}
		}
		return n
	}
	n := 0
	for n < len(rows) && n < mostTitle && filled(rows[n]) < 2 {
		n++
	}
	if n == 0 || n == len(rows) {
		return 0
	}
	names := rows[n]
	width, _ := usualWidth(rows[n:])
	if len(names) != width || filled(names) != width || headerVotes(rows[n:]) <= 0 {
		return 0
	}
	return n
}
