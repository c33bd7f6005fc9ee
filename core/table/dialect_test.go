package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// tableOf is the table that a file is read as by its proposal, the header first if there is one.
func tableOf(t testing.TB, o Options, file []byte) (sum *Summary, rows [][]string) {
	t.Helper()
	sum = survey(t, o, file)
	keep := func(r *Row) error {
		cells := make([]string, r.Len())
		for i := range cells {
			cells[i] = string(readable(r.Field(i)))
		}
		rows = append(rows, cells)
		return nil
	}
	f, err := newFeed(sum.Options, nil, keep, keep, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Write(file); err != nil {
		t.Fatal(err)
	}
	if err := f.end(); err != nil {
		t.Fatal(err)
	}
	return sum, rows
}

// withRepairs takes repairs until none is offered that is not taken.
func withRepairs(t testing.TB, file []byte) Options {
	t.Helper()
	o := Options{}
	for range 10 {
		sum := survey(t, o, file)
		o = sum.Options
		changed := false
		for _, p := range sum.Problems {
			if p.Repair == nil {
				continue
			}
			with, err := o.With(p.Repair.Field, p.Repair.Value)
			if err != nil {
				t.Fatal(err)
			}
			if p.Kind == string(BlankLine) {
				continue // the owner's to say, of one column
			}
			changed = changed || with != o
			o = with
		}
		if !changed {
			return o
		}
	}
	t.Fatal("repairs without end")
	return o
}

func TestDialects(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       Options // those fields that are not as usual
		rows       string
	}{
		{"sep=;", "sep=;\na;b\n1,5;2\n", Options{Delimiter: ";", Skip: 1}, `[["a" "b"] ["1,5" "2"]]`},
		{"SEP=|, quoted", "\"SEP=|\"\r\na|b\r\n1|2\r\n", Options{Delimiter: "|", Skip: 1},
			`[["a" "b"] ["1" "2"]]`},
		{"sep=tab, CRs", "sep=\t\ra\tb\r1\t2\r", Options{Delimiter: "\t", Skip: 1, Newline: Any},
			`[["a" "b"] ["1" "2"]]`},
		{"a column sep=", "sep=x\n1\n2\n", Options{Delimiter: ","}, `[["sep=x"] ["1"] ["2"]]`},
		{"colon", "a:b\n1:x\n2:y\n", Options{Delimiter: ":"}, `[["a" "b"] ["1" "x"] ["2" "y"]]`},
		{"no colon", "t\n12:30\n12:40\n", Options{Delimiter: ","}, `[["t"] ["12:30"] ["12:40"]]`},
		{"times alone", "12:30\n12:40\n", Options{Delimiter: ","}, `[["12:30"] ["12:40"]]`},
		{"tilde", "a~b\n1,5~x\n2,5~y\n", Options{Delimiter: "~"},
			`[["a" "b"] ["1,5" "x"] ["2,5" "y"]]`},
		{"caret", "a^b\n1^x\n2^y\n", Options{Delimiter: "^"}, `[["a" "b"] ["1" "x"] ["2" "y"]]`},
		{"U+0001", "a\x01b\n1\x01x\n", Options{Delimiter: "\x01"}, `[["a" "b"] ["1" "x"]]`},
		{"space", "a b\n1 x\n2 \"y z\"\n", Options{Delimiter: " "},
			`[["a" "b"] ["1" "x"] ["2" "y z"]]`},
		{"no space", "full name\nAnn Lee\nBob Fox\n", Options{Delimiter: ","},
			`[["full name"] ["Ann Lee"] ["Bob Fox"]]`},
		{"thousands", "n\n1 234\n5 678\n", Options{Delimiter: ","}, `[["n"] ["1 234"] ["5 678"]]`},
		{"moments alone", "2024-01-01 12:30\n2024-01-02 12:40\n", Options{Delimiter: ","},
			`[["2024-01-01 12:30"] ["2024-01-02 12:40"]]`},
		{"comma and space", "a, b\n1, \"x, y\"\n2, z\n", Options{Delimiter: ",", Trim: true},
			`[["a" "b"] ["1" "x, y"] ["2" "z"]]`},
		{"decimal commas without a header", "1,5;2,5\n3,5;4,5\n", Options{Delimiter: ";"},
			`[["1,5" "2,5"] ["3,5" "4,5"]]`},
		{"single quotes", "'a','b'\n1,'x,y'\n2,'it''s'\n", Options{Delimiter: ",", Quote: "'"},
			`[["a" "b"] ["1" "x,y"] ["2" "it's"]]`},
		{"apostrophes", "a,b\n1,rock 'n' roll\n2,it's\n3,o'clock\n4,x\n5,y\n6,z\n7,z\n8,z\n",
			Options{Delimiter: ","}, `[["a" "b"] ["1" "rock 'n' roll"] ["2" "it's"] ` +
				`["3" "o'clock"] ["4" "x"] ["5" "y"] ["6" "z"] ["7" "z"] ["8" "z"]]`},
		{"CRs with LFs inside", "a,b\r1,x\ny\r2,z\r3,\n\r4,u\r5,v\r",
			Options{Delimiter: ",", Newline: CR},
			`[["a" "b"] ["1" "x\ny"] ["2" "z"] ["3" "\n"] ["4" "u"] ["5" "v"]]`},
		{"CRs with LFs in quotes", "a,b\r1,\"x\ny\"\r2,z\r", Options{Delimiter: ",", Newline: Any},
			`[["a" "b"] ["1" "x\ny"] ["2" "z"]]`},
		{"a padded title", "Sales,,\n,,\nname,n,m\nx,1,2\n", Options{Delimiter: ",", Skip: 2},
			`[["name" "n" "m"] ["x" "1" "2"]]`},
		{"a title", "Sales of 2024\n\nname,n,m\nx,1,2\n", Options{Delimiter: ",", Skip: 1},
			`[["name" "n" "m"] ["x" "1" "2"]]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			sum, rows := tableOf(t, Options{}, []byte(c.file))
			o := sum.Options
			if c.want.Newline == "" {
				c.want.Newline = LF
			}
			got := Options{Delimiter: o.Delimiter, Quote: o.Quote, Trim: o.Trim, Skip: o.Skip,
				Newline: o.Newline}
			if got != c.want {
				t.Errorf("proposed %+v, want %+v", got, c.want)
			}
			if text := fmt.Sprintf("%q", rows); text != c.rows {
				t.Errorf("read\n %s, want\n %s", text, c.rows)
			}
		})
	}
}

// A first row of any length shows all its columns, packed too.
func TestWideHeader(t *testing.T) {
	const columns = 12_000
	var b strings.Builder
	for row := range 40 {
		for i := range columns {
			if row == 0 {
				fmt.Fprintf(&b, "column_%d", i)
			} else {
				fmt.Fprint(&b, row*i%97)
			}
			b.WriteString(map[bool]string{true: "\r\n", false: ","}[i == columns-1])
		}
	}
	for name, file := range map[string][]byte{"plain": []byte(b.String()),
		"gzip": gzipped(t, b.String())} {
		want := ""
		for _, size := range []int{len(file), 1 << 16, 5000} {
			s, err := NewSurvey(Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := inPieces(s, file, size); err != nil {
				t.Fatal(err)
			}
			sum := s.Result()
			if sum.Options.Columns != columns || sum.Rows != 39 || len(sum.Problems) > 0 ||
				sum.Fields[columns-1].Name != "column_11999" {
				t.Errorf("%s: %s %v", name, shape(sum), told(sum.Problems))
			}
			if got := shape(sum); want != "" && got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			} else {
				want = got
			}
		}
	}
}

// UTF-32 is named, whatever mark it has, and never read as anything else in silence.
func TestUTF32IsRefused(t *testing.T) {
	for _, mark := range []string{"", "\ufeff"} {
		for _, big := range []bool{false, true} {
			var file []byte
			for _, c := range mark + "name,age\nZoë,31\n" {
				four := []byte{byte(c), byte(c >> 8), byte(c >> 16), 0}
				if big {
					slices.Reverse(four)
				}
				file = append(file, four...)
			}
			sum := survey(t, Options{}, file)
			if len(sum.Problems) == 0 || sum.Problems[0].Kind != NotText ||
				!strings.Contains(sum.Problems[0].Text.String(), "UTF-32") {
				t.Errorf("mark %q, big %v: %v", mark, big, told(sum.Problems))
			}
		}
	}
}

// No repair that is offered throws a header away or reads less than none.
func TestRepairsThrowNothingAway(t *testing.T) {
	for name, file := range map[string]string{
		"only a header":       "name,age\n",
		"a shorter header":    "name,age\nAnn,31,x\nBob,40,y\n",
		"a longer header":     "name,age,town\nAnn,31\nBob,40\n",
		"words only":          "name,town\nAnn,Oslo,x\nBob,Lima,y\n",
		"a break in quotes":   "name,note\nAnn,\"x\ny\"\nBob,\"z,z\"\n",
		"an unclosed quote":   "name,note\nAnn,\"x\nBob,\"z,z\"\nEve,y\n",
		"a CR in a cell":      "name,note\nAnn,x\ry\nBob,z\n",
		"an empty line":       "name,note\nAnn,x\n\nBob,z\n",
		"a NUL":               "name,note\nAnn,x\x00\nBob,z\n",
		"an odd byte":         "name,note\nAnn,\xe9\nBob,\u00e9\n",
		"header and one word": "id\n1,2\n3,4\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, want := tableOf(t, Options{}, []byte(file))
			_, got := tableOf(t, withRepairs(t, []byte(file)), []byte(file))
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
				t.Errorf("repaired %q, want %q", got, want)
			}
		})
	}
}

// TestQuoteIsNotTheDelimiter: a quote is one character, not the delimiter, a letter or another
// special character.
func TestQuoteIsNotTheDelimiter(t *testing.T) {
	for _, o := range []Options{{Delimiter: "'", Quote: "'"}, {Quote: "''"}, {Quote: "a"},
		{Quote: `\`}, {Quote: " "}} {
		if _, err := NewSurvey(o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	o, err := Options{Quote: `"`, Delimiter: ","}.check(false)
	if err != nil || o.Quote != "" || bytes.Contains([]byte(inJSON(t, o)), []byte(`"quote"`)) {
		t.Errorf("a double quote is %+v, %v", o, err)
	}
}
