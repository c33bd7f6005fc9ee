package table

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"hush/core/domain"
)

func survey(t testing.TB, o Options, pieces ...[]byte) *Summary {
	t.Helper()
	s, err := NewSurvey(o)
	if err != nil {
		t.Fatal(err)
	}
	push(t, s, pieces...)
	return s.Result()
}

func push(t testing.TB, p interface {
	Write([]byte) error
	Close() error
}, pieces ...[]byte) {
	t.Helper()
	for _, piece := range pieces {
		if err := p.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}

func gzipped(t testing.TB, text string) []byte {
	t.Helper()
	return gzippedAt(t, gzip.DefaultCompression, text)
}

// gzippedAt packs by a level. What is only stored is the same with every version of Go.
func gzippedAt(t testing.TB, level int, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const people = "name;age;note\nAnn;31;\"x;y\"\nBob;;\nEve;12,z\nKim;200;\n"

func TestSurveyThenEncode(t *testing.T) {
	for name, file := range map[string][]byte{"plain": []byte(people), "gzip": gzipped(t, people)} {
		t.Run(name, func(t *testing.T) {
			sum := survey(t, Options{}, file)
			if sum.Rows != 4 || len(sum.Fields) != 3 || sum.Options.Delimiter != ";" ||
				sum.Options.Encoding != UTF8 {
				t.Fatalf("found %+v", sum)
			}
			want, _ := json.Marshal(sum)
			for i := range file {
				if got, _ := json.Marshal(survey(t, Options{}, file[:i], file[i:])); !bytes.Equal(
					got, want) {
					t.Fatalf("cut at %d:\n got %s\nwant %s", i, got, want)
				}
			}
			for i := range file {
				e, err := NewEncode(EncodeParams{Options: sum.Options, Rows: sum.Rows,
					Columns: []Wanted{{2, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "120"}}}})
				if err != nil {
					t.Fatal(err)
				}
				push(t, e, file[:i], file[i:])
				r := e.Result()
				if got := r.Columns[0].Present(); r.N != 4 || r.Columns[0].Len() != 4 ||
					len(got) != 1 || got[0] != 31 {
					t.Fatalf("cut at %d: %d rows, codes %v", i, r.N, got)
				}
			}
		})
	}
}

// What one cell holds changes how many rows there are only where a problem says so, so that the
// owner confirms the number.
func TestCellsDecideNoRowsInSilence(t *testing.T) {
	for name, c := range map[string]struct {
		columns int
		cell    string
	}{
		"nothing in one column": {1, ""}, "nothing, quoted, in one column": {1, `""`},
		"nothing": {3, ""}, "a forgotten quote": {3, `"x`}, "a stray quote": {3, `x"`},
		"a break": {3, "x\ny"}, "a break in quotes": {3, "\"x\ny\""}, "a bare CR": {3, "x\ry"},
		"a quote in quotes": {3, "\"x\" \ny\""}, "a backslash": {3, `"x\"`},
	} {
		t.Run(name, func(t *testing.T) {
			file := strings.Join([]string{"name", "town", "note"}[:c.columns], ",") + "\n"
			for i := range 400 {
				cell := "x"
				if i == 200 {
					cell = c.cell
				}
				later := `y`
				if i == 220 {
					later = `"y"`
				}
				file += cell + strings.Repeat(","+later, c.columns-1) + "\n"
			}
			sum := survey(t, Options{}, []byte(file))
			if sum.Rows != 400 && !slices.ContainsFunc(sum.Problems, Problem.CountsRows) {
				t.Errorf("%d rows, and nothing says why: %+v", sum.Rows, sum.Problems)
			}
			if c.cell == "" && sum.Rows != 400 {
				t.Errorf("an empty cell made %d rows of 400", sum.Rows)
			}
		})
	}
	// The last cell, and a line end more.
	for file, rows := range map[string]int64{"age\n1\n\n": 2, "age\n1\n2\n": 2, "age\n1\n2": 2,
		"\n\r\nage\n1\n\n3\n": 3, "age,a\n1,2\n,\n": 2, "age,a\n1,2\n\n": 1} {
		if sum := survey(t, Options{}, []byte(file)); sum.Rows != rows {
			t.Errorf("%q: %d rows, want %d", file, sum.Rows, rows)
		}
	}
}
