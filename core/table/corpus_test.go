package table

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// The corpus: every way in which a file is spoilt, in every delimiter and encoding, quotes and line
// ends taking turns, each with the table that it holds.

// pollution is one way in which files differ from clean ones.
type pollution struct {
	name string
	// spoil changes the table, or how it is written
	spoil func(f *spoiltFile, r *rand.Rand)
}

// spoiltFile is a table and how it becomes a file.
type spoiltFile struct {
	rows      [][]string // the header first, unless there is none
	delimiter string
	pad       string // behind the delimiter
	quote     string
	end       string
	all       bool               // every cell in quotes
	cr        bool               // line feeds stand in cells without quotes
	above     string             // before the table
	below     string             // behind it
	raw       int                // whose cells are written as they are; 0 for none
	after     func(i int) string // behind its end
	backslash bool
	cut       bool // the last row has no end
}

func (f *spoiltFile) cell(text string) string {
	special := f.delimiter + f.quote + "\r\n"
	if f.cr {
		special = f.delimiter + f.quote + "\r"
	}
	if !f.all && !strings.ContainsAny(text, special) && strings.TrimSpace(text) == text {
		return text
	}
	if f.backslash {
		return f.quote + strings.ReplaceAll(text, f.quote, `\`+f.quote) + f.quote
	}
	return f.quote + strings.ReplaceAll(text, f.quote, f.quote+f.quote) + f.quote
}

func (f *spoiltFile) text() string {
	var b strings.Builder
	b.WriteString(f.above)
	for i, row := range f.rows {
		for k, cell := range row {
			if k > 0 {
				b.WriteString(f.delimiter + f.pad)
			}
			if f.raw > 0 && f.raw == i {
				b.WriteString(cell)
			} else {
				b.WriteString(f.cell(cell))
			}
		}
		if i < len(f.rows)-1 || !f.cut {
			b.WriteString(f.end)
		}
		if f.after != nil {
			b.WriteString(f.after(i))
		}
	}
	return b.String() + f.below
}

// some changes every fifth row's cell of a column.
func some(column int,
	change func(f *spoiltFile, cell string) string) func(*spoiltFile, *rand.Rand) {
	return func(f *spoiltFile, _ *rand.Rand) {
		for i := 2; i < len(f.rows); i += 5 {
			f.rows[i][column] = change(f, f.rows[i][column])
		}
	}
}

var pollutions = []pollution{
	{"clean", func(*spoiltFile, *rand.Rand) {}},
	{"delimiters in quotes", some(1, func(f *spoiltFile, c string) string {
		return c + f.delimiter + "x" + f.delimiter
	})},
	{"doubled quotes", some(1, func(f *spoiltFile, c string) string {
		return f.quote + c + f.quote + " x"
	})},
	{"line ends in quotes", some(1, func(f *spoiltFile, c string) string {
		f.cr = false
		return c + f.end + "x"
	})},
	{"all in quotes", func(f *spoiltFile, _ *rand.Rand) { f.all = true }},
	{"no last line end", func(f *spoiltFile, _ *rand.Rand) { f.cut = true }},
	{"empty cells", func(f *spoiltFile, r *rand.Rand) {
		for _, row := range f.rows[1:] {
			if r.IntN(3) == 0 {
				row[1+r.IntN(3)] = ""
			}
		}
	}},
	{"empty lines", func(f *spoiltFile, _ *rand.Rand) {
		f.after = func(i int) string { return map[bool]string{true: f.end}[i%7 == 3] }
	}},
	{"empty lines at the end", func(f *spoiltFile, _ *rand.Rand) { f.below = f.end + f.end }},
	{"sep line", func(f *spoiltFile, _ *rand.Rand) { f.above = "sep=" + f.delimiter + f.end }},
	{"a title", func(f *spoiltFile, _ *rand.Rand) { f.above = "Survey" + f.end }},
	{"a padded title", func(f *spoiltFile, _ *rand.Rand) {
		between := f.delimiter + f.pad
		f.above = "Survey" + strings.Repeat(between, 4) + f.end + strings.Repeat(between, 4) + f.end
	}},
	{"empty lines above", func(f *spoiltFile, _ *rand.Rand) { f.above = f.end + f.end }},
	{"no header", func(f *spoiltFile, _ *rand.Rand) { f.rows = f.rows[1:] }},
	{"decimal commas", func(f *spoiltFile, _ *rand.Rand) {
		for _, row := range f.rows[1:] {
			row[4] = strings.Replace(row[4], ".", ",", 1)
		}
	}},
	{"times", func(f *spoiltFile, r *rand.Rand) {
		for _, row := range f.rows[1:] {
			row[3] = fmt.Sprintf("2024-01-%02d %02d:%02d:00", 1+r.IntN(28), r.IntN(24), r.IntN(60))
		}
	}},
	{"one long row", some(1, func(_ *spoiltFile, c string) string {
		return strings.Repeat(c, 9000)
	})},
	{"apostrophes", some(1, func(_ *spoiltFile, c string) string { return c + "'s 'own' o'" })},
	{"inches", some(1, func(_ *spoiltFile, c string) string { return c + ` 12" wide` })},
	{"a delimiter behind each row", func(f *spoiltFile, _ *rand.Rand) {
		for i := range f.rows {
			f.rows[i] = append(f.rows[i], "")
		}
	}},
	{"short rows", func(f *spoiltFile, _ *rand.Rand) {
		for i := 4; i < len(f.rows); i += 9 {
			f.rows[i] = f.rows[i][:3]
		}
	}},
	{"backslashes", func(f *spoiltFile, r *rand.Rand) {
		some(1, func(f *spoiltFile, c string) string {
			return c + " " + f.quote + "x" + f.quote
		})(f, r)
		f.backslash = true
	}},
	{"a forgotten quote", func(f *spoiltFile, _ *rand.Rand) {
		f.quote, f.all = `"`, false
		f.raw, f.rows[8] = 8, append(f.rows[8], `"x`)
	}},
	{"NULs", some(1, func(_ *spoiltFile, c string) string { return c + "\x00" })},
	{"CRs in cells", func(f *spoiltFile, r *rand.Rand) {
		if f.end != "\r" {
			some(1, func(_ *spoiltFile, c string) string { return c[:1] + "\r" + c[1:] })(f, r)
		}
	}},
}

var corpusDelimiters = []struct{ delimiter, pad string }{{",", ""}, {";", ""}, {"\t", ""},
	{"|", ""}, {"\x01", ""}, {"~", ""}, {"^", ""}, {":", ""}, {" ", ""}, {",", " "}}

// corpusEncodings write text; the last is refused.
var corpusEncodings = []struct {
	name  string
	bytes func(text string) []byte
}{
	{"utf-8", func(text string) []byte { return []byte(text) }},
	{"utf-8, marked", func(text string) []byte { return []byte("\ufeff" + text) }},
	{"utf-16le, marked", func(text string) []byte { return inUTF16("\ufeff"+text, false) }},
	{"utf-16be, marked", func(text string) []byte { return inUTF16("\ufeff"+text, true) }},
	{"utf-16le", func(text string) []byte { return inUTF16(text, false) }},
	{"windows-1252", func(text string) (out []byte) {
		for _, c := range text {
			out = append(out, byte(c))
		}
		return out
	}},
	{"gzip", func(text string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(text)) // a bytes.Buffer takes everything
		_ = z.Close()
		return b.Bytes()
	}},
	{"utf-32", func(text string) (out []byte) {
		for _, c := range text {
			out = append(out, byte(c), byte(c>>8), byte(c>>16), 0)
		}
		return out
	}},
}

func inUTF16(text string, big bool) (out []byte) {
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

// visitors is a table of this many people.
func visitors(r *rand.Rand, n int) [][]string {
	rows := [][]string{{"id", "name", "town", "visit", "score"}}
	for i := range n {
		rows = append(rows, []string{fmt.Sprint(1000 + i),
			[]string{"Ann", "Bob", "Zoë", "Kim", "José"}[r.IntN(5)],
			[]string{"Oslo", "Lima", "Köln", "Graz"}[r.IntN(4)],
			fmt.Sprintf("2024-%02d-%02d", 1+r.IntN(12), 1+r.IntN(28)),
			fmt.Sprintf("%d.%d", r.IntN(90), r.IntN(10))})
	}
	return rows
}

// TestCorpus reads each file as proposed. For 99 of 100 files that gives the right table; for any
// other the reader reports a problem, so no file is misread in silence.
func TestCorpus(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 1))
	files, right, refused, worse, one := 0, 0, 0, 0, 0
	for p, spoilt := range pollutions {
		for d, cutBy := range corpusDelimiters {
			for e, encoded := range corpusEncodings {
				turn := p + d + e
				if one++; testing.Short() && one%5 > 0 {
					continue
				}
				f := &spoiltFile{rows: visitors(r, 25+r.IntN(30)), delimiter: cutBy.delimiter,
					pad: cutBy.pad, quote: `"`, end: []string{"\n", "\r\n", "\n", "\r"}[turn%4]}
				if turn%5 == 4 {
					f.quote, f.all = "'", true
				}
				f.cr = f.end == "\r" && turn%3 == 0
				spoilt.spoil(f, r)
				if f.cr {
					f.rows[3][2] += "\nsecond"
				}
				name := fmt.Sprintf("%s, %q, %s, quote %s, end %q", spoilt.name,
					cutBy.delimiter+cutBy.pad, encoded.name, f.quote, f.end)
				file := encoded.bytes(f.text())
				files++
				sum, got := tableOf(t, Options{}, file)
				kinds := []string{}
				for _, problem := range sum.Problems {
					kinds = append(kinds, problem.Kind)
				}
				switch {
				case encoded.name == "utf-32":
					if !slices.Contains(kinds, NotText) {
						t.Errorf("%s: not refused", name)
					}
					refused++
					continue
				case sameTable(sum, got, f):
					right++
					if after := withRepairs(t, file); after != sum.Options {
						again, rows := tableOf(t, after, file)
						if !sameTable(again, rows, f) && spoilt.name != "short rows" {
							worse++
							t.Errorf("%s: repairs read it worse: %v", name, kinds)
						}
					}
				case len(kinds) == 0:
					t.Errorf("%s: read wrong in silence as %s\n%.300q\n%.300q", name, shape(sum),
						got, file)
				default:
					t.Logf("%s: asked about, %v, as %s", name, kinds, shape(sum))
				}
			}
		}
	}
	t.Logf("%d files, %d refused, %d of the others right, %d spoilt by repairs", files, refused,
		right, worse)
	if files < 300 || 100*right < 99*(files-refused) {
		t.Errorf("%d of %d files are read right", right, files-refused)
	}
}

// sameTable says whether a file was read as the table that it holds.
func sameTable(sum *Summary, got [][]string, f *spoiltFile) bool {
	same := slices.EqualFunc(got, f.rows, func(a, b []string) bool { return slices.Equal(a, b) })
	below := len(f.rows)
	if slices.Contains(f.rows[0], "town") {
		below--
	}
	return same && sum.Rows == int64(below) && sum.Options.Columns == len(f.rows[0])
}
