package table_test

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"hush/core/table"
	"hush/core/table/decoding"
)

//go:embed testdata/spoken.txt
var spokenText string

// speech is a list of towns or names in a language, with the encodings that such files come in.
type speech struct {
	language         string
	encodings, words []string
}

func spoken(t *testing.T) (list []speech) {
	t.Helper()
	for line := range strings.Lines(spokenText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "|")
		if len(f) != 3 {
			t.Fatalf("spoken.txt: %q", line)
		}
		list = append(list,
			speech{strings.TrimSpace(f[0]), strings.Fields(f[1]), strings.Fields(f[2])})
	}
	return list
}

// peopleIn is a table of ages and words, as CSV.
func peopleIn(words []string, rows int) string {
	var b strings.Builder
	b.WriteString("age,town,score\n")
	for i := range rows {
		word := words[i%len(words)]
		fmt.Fprintf(&b, "%d,%s,%d.5\n", 20+i%50, strings.ReplaceAll(word, "_", " "), i%7)
	}
	return b.String()
}

// written is a text in an encoding; ok is false where it cannot be written in it.
func written(encoding, text string) (bytes []byte, ok bool) {
	e, err := htmlindex.Get(encoding)
	if err != nil {
		return nil, false
	}
	bytes, err = e.NewEncoder().Bytes([]byte(text))
	return bytes, err == nil
}

// surveyed is what a survey finds, with the decoders of the web.
func surveyed(t *testing.T, file []byte, o table.Options) *table.Summary {
	t.Helper()
	s, err := table.NewSurvey(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Decode(decoding.Web)
	if err := errors.Join(s.Write(file), s.Close()); err != nil {
		t.Fatal(err)
	}
	return s.Result()
}

// TestGuesses: of texts in every encoding the first reading is right in nearly all, the right one
// is always among those shown, and somebody is always asked. With the encoding chosen the table is
// the one that was written.
func TestGuesses(t *testing.T) {
	right, all, few, some := 0, 0, 0, 0
	for _, s := range spoken(t) {
		words := s.words
		for _, encoding := range s.encodings {
			for _, rows := range []int{3, len(words), 400} {
				for from := 0; from < len(words); from += 3 {
					text := peopleIn(slices.Concat(words[from:], words[:from]), rows)
					file, ok := written(encoding, text)
					if !ok {
						t.Fatalf("%s cannot be written in %s", s.language, encoding)
					}
					found := surveyed(t, file, table.Options{})
					lines := oddLines(text)
					k := slices.IndexFunc(found.Readings, func(r table.Reading) bool {
						return slices.Equal(r.Lines, lines[:len(r.Lines)])
					})
					if rows > 3 {
						all++
					} else {
						some++
					}
					switch {
					case k == 0 && rows > 3:
						right++
					case k == 0:
						few++
					default:
						t.Logf("%s in %s, %d rows: %q is taken for %.200v", s.language,
							encoding, rows, lines[:min(3, len(lines))], found.Readings)
					}
					if k < 0 {
						t.Errorf("%s in %s, %d rows from %d: not among the readings", s.language,
							encoding, rows, from)
						continue
					}
					chosen := found.Options
					chosen.Encoding = found.Readings[k].Encoding
					read := surveyed(t, file, chosen)
					if len(read.Readings) != 0 || read.Rows != int64(rows) ||
						read.Preview[0][1] != strings.Split(strings.Split(text, "\n")[1], ",")[1] {
						t.Errorf("%s in %s is read as %q", s.language, encoding, read.Preview[0])
					}
				}
			}
		}
	}
	t.Logf("first readings are right: %d of %d of ten rows or more, %d of %d of three", right, all,
		few, some)
	if 100*right < 99*all || 100*few < 80*some {
		t.Errorf("right are only %d of %d first readings of ten rows, %d of %d of three", right,
			all, few, some)
	}
}

// oddLines are the lines of a text that are not ASCII.
func oddLines(text string) (odd []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.ContainsFunc(line, func(r rune) bool { return r > 127 }) {
			odd = append(odd, line)
		}
	}
	return odd
}

// TestEncodedCorpus: files of each language in each of its encodings, in several dialects, plain
// and packed. Each is asked about, and with the first reading taken the whole table is the one that
// was written in at least 99 of 100; in the others the right reading is among those shown.
func TestEncodedCorpus(t *testing.T) {
	right, all := 0, 0
	for _, s := range spoken(t) {
		for _, encoding := range s.encodings {
			for k := range 12 {
				delimiter := []string{",", ";", "\t"}[k%3]
				end := []string{"\n", "\r\n"}[k/3%2]
				rows := 3 * len(s.words)
				text := strings.ReplaceAll(peopleIn(s.words, rows), ",", delimiter)
				file, ok := written(encoding, strings.ReplaceAll(text, "\n", end))
				if !ok {
					t.Fatalf("%s cannot be written in %s", s.language, encoding)
				}
				if k >= 6 {
					file = packed(t, file)
				}
				found := surveyed(t, file, table.Options{})
				if len(found.Readings) == 0 {
					t.Errorf("%s in %s is not asked about", s.language, encoding)
					continue
				}
				all++
				taken := -1
				for i, r := range found.Readings {
					o := found.Options
					o.Encoding = r.Encoding
					if sameTable(surveyed(t, file, o), text, delimiter) {
						taken = i
						break
					}
				}
				switch {
				case taken == 0:
					right++
				case taken < 0:
					t.Errorf("%s in %s by %q, packed %v: no reading gives the table", s.language,
						encoding, delimiter, k >= 6)
				}
			}
		}
	}
	t.Logf("%d of %d files are read right as proposed", right, all)
	if 100*right < 99*all || all < 300 {
		t.Errorf("only %d of %d files are read right as proposed", right, all)
	}
}

// sameTable says whether what was found is a table: its names, and its rows as far as shown.
func sameTable(found *table.Summary, text, delimiter string) bool {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var names []string
	for _, f := range found.Fields {
		names = append(names, f.Name)
	}
	rows := [][]string{names}
	rows = append(rows, found.Preview...)
	for i, row := range rows {
		if !slices.Equal(row, strings.Split(lines[i], delimiter)) {
			return false
		}
	}
	return len(found.Preview) == min(50, len(lines)-1) && found.Rows == int64(len(lines)-1)
}

func packed(t *testing.T, file []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(file)
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
