package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// scanAll returns rows and flaws of text cut at the given places.
func scanAll(t testing.TB, o Options, pieces ...string) (rows, flaws []string) {
	t.Helper()
	s, err := NewScanner(o, func(r *Row) error {
		fields := make([]string, r.Len())
		for i := range fields {
			fields[i] = string(r.Field(i))
		}
		rows = append(rows, fmt.Sprintf("%d/%d/%d %q", r.Record, r.Line, r.Offset, fields))
		return nil
	}, func(f Flaw) {
		flaws = append(flaws,
			fmt.Sprintf("%s %d/%d/%d/%d", f.Kind, f.Record, f.Line, f.Column, f.Byte))
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pieces {
		if err := s.Write([]byte(p)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return rows, flaws
}

var comma = Options{Delimiter: ","}

func TestScanner(t *testing.T) {
	small := Options{Delimiter: ",", MaxFieldLines: 2, MaxFieldBytes: 12, MaxRowBytes: 30}
	for _, c := range []struct {
		name  string
		o     Options
		text  string
		rows  []string
		flaws []string
	}{
		{"empty file", comma, "", nil, nil},
		{"plain", comma, "a,b\n1,2\n", []string{`1/1/0 ["a" "b"]`, `2/2/4 ["1" "2"]`}, nil},
		{"no line end at the end", comma, "a,b\n1,", []string{`1/1/0 ["a" "b"]`, `2/2/4 ["1" ""]`},
			nil},
		{"crlf", comma, "a,b\r\n1,2\r\n", []string{`1/1/0 ["a" "b"]`, `2/2/5 ["1" "2"]`}, nil},
		{"cr ends the file", comma, "a\r\nb\r", []string{`1/1/0 ["a"]`, `2/2/3 ["b"]`}, nil},
		{"quoted", comma, "\"a,\"\"b\"\"\",\"x\ny\"\n\"\",2\n",
			[]string{`1/1/0 ["a,\"b\"" "x\ny"]`, `2/3/16 ["" "2"]`}, nil},
		{"quoted crlf", comma, "\"a\",\"b\"\r\n\"c\",\"d\"\r\n",
			[]string{`1/1/0 ["a" "b"]`, `2/2/9 ["c" "d"]`}, nil},
		{"quoted last", comma, "1,\"b\"", []string{`1/1/0 ["1" "b"]`}, nil},
		{"blank lines", comma, "a\n\nb\n\r\n", []string{`1/1/0 ["a"]`, `2/3/3 ["b"]`},
			[]string{"blankLine 1/2/0/2", "blankLine 2/4/0/5"}},
		{"blank lines kept", Options{Delimiter: ",", Blank: RowBlank}, "a\n\nb\n",
			[]string{`1/1/0 ["a"]`, `2/2/2 [""]`, `3/3/3 ["b"]`}, []string{"blankLine 2/2/0/2"}},
		{"quoted nothing is a row", comma, "\"\"\n", []string{`1/1/0 [""]`}, nil},
		{"lone cr", comma, "a\rb,c\n", []string{`1/1/0 ["a\rb" "c"]`}, []string{"bareCR 1/1/1/1"}},
		{"any newline", Options{Delimiter: ",", Newline: Any}, "a\rb\r\nc\nd\r",
			[]string{`1/1/0 ["a"]`, `2/2/2 ["b"]`, `3/3/5 ["c"]`, `4/4/7 ["d"]`}, nil},
		{"quote inside", comma, "a\"b\"c,d\n", []string{`1/1/0 ["a\"b\"c" "d"]`},
			[]string{"quoteInUnquoted 1/1/1/1"}},
		{"quote inside quoted", comma, "\"say \"hi\" now\",d\n",
			[]string{`1/1/0 ["say \"hi\" now" "d"]`}, []string{"quoteInQuoted 1/1/1/5"}},
		{"both quotes inside", comma, "\"a\"\"b\"c\",d\n", []string{`1/1/0 ["a\"b\"c" "d"]`},
			[]string{"quoteInQuoted 1/1/1/5"}},
		{"spaces after", comma, "\"a\"  ,\"b\" \n", []string{`1/1/0 ["a" "b"]`},
			[]string{"spaceAfterQuote 1/1/1/3", "spaceAfterQuote 1/1/2/9"}},
		{"trim", Options{Delimiter: ",", Trim: true}, " a , \"b, c\" \n",
			[]string{`1/1/0 ["a" "b, c"]`}, nil},
		{"unclosed at the end", comma, "a,\"b\nc,d\n",
			[]string{`1/1/0 ["a" "\"b"]`, `2/2/5 ["c" "d"]`}, []string{"unclosedQuote 1/1/2/2"}},
		{"unclosed by lines", small, "\"b\nc\nd\ne\",f\n",
			[]string{`1/1/0 ["\"b"]`, `2/2/3 ["c"]`, `3/3/5 ["d"]`, `4/4/7 ["e\"" "f"]`},
			[]string{"unclosedQuote 1/1/1/0", "quoteInUnquoted 4/4/1/8"}},
		{"unclosed by bytes", small, "x,\"234567890123\"\ny\n",
			[]string{`1/1/0 ["x" "234567890123"]`, `2/2/17 ["y"]`}, nil},
		{"unclosed by one byte", small, "x,\"2345678901234\"\ny\n",
			[]string{`1/1/0 ["x" "\"2345678901234\""]`, `2/2/18 ["y"]`},
			[]string{"unclosedQuote 1/1/2/2"}},
		{"spaces without end", small, "\"a\"             \nb\n",
			[]string{`1/1/0 ["\"a\"             "]`, `2/2/17 ["b"]`},
			[]string{"unclosedQuote 1/1/1/0"}},
		{"long row", small, "a\n" + strings.Repeat("x", 70) + "\nb,c\n",
			[]string{`1/1/0 ["a"]`, `2/2/2 []`, `3/3/73 ["b" "c"]`}, []string{"longRow 2/2/0/2"}},
		{"long row at the end", small, strings.Repeat("x,", 31), []string{`1/1/0 []`},
			[]string{"longRow 1/1/0/0"}},
		{"no quotes", Options{Delimiter: ",", Quotes: NoneValue}, "\"a,b\"\n",
			[]string{`1/1/0 ["\"a" "b\""]`}, nil},
		{"tab", Options{Delimiter: "\t"}, "a\tb c\n", []string{`1/1/0 ["a" "b c"]`}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, flaws := scanAll(t, c.o, c.text)
			if !slices.Equal(rows, c.rows) {
				t.Errorf("rows\n got %q\nwant %q", rows, c.rows)
			}
			if !slices.Equal(flaws, c.flaws) {
				t.Errorf("flaws\n got %q\nwant %q", flaws, c.flaws)
			}
			everySplit(t, c.o, c.text, rows, flaws)
		})
	}
}

// everySplit holds the text cut at every place, and into single bytes, against the text in one
// piece.
func everySplit(t *testing.T, o Options, text string, rows, flaws []string) {
	t.Helper()
	same := func(pieces ...string) {
		t.Helper()
		r, f := scanAll(t, o, pieces...)
		if !slices.Equal(r, rows) || !slices.Equal(f, flaws) {
			t.Fatalf("cut as %q:\n got %q %q\nwant %q %q", pieces, r, f, rows, flaws)
		}
	}
	for i := range len(text) {
		same(text[:i], text[i:])
	}
	same(strings.Split(text, "")...)
}
