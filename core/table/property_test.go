package table

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomRows draws rows of fields in which everything that can matter is frequent.
func randomRows(r *rand.Rand, delimiter byte) [][][]byte {
	letters := []byte("ab \"\r\n,;\t|x0\\")
	letters = append(letters, delimiter, 0xc3, 0xa9, 0, 9)
	plain := []byte("abc de0123456789.-")
	rows := make([][][]byte, 1+r.IntN(8))
	columns := 1 + r.IntN(5)
	for i := range rows {
		rows[i] = make([][]byte, columns)
		for k := range rows[i] {
			from := letters
			if r.IntN(2) == 0 {
				from = plain
			}
			f := make([]byte, r.IntN(1+r.IntN(25)))
			for j := range f {
				f[j] = from[r.IntN(len(from))]
			}
			rows[i][k] = f
		}
	}
	return rows
}

// Rows written are read back as they were, whatever is in them, in any chunks, by both readers; and
// what is read and written again is the same text.
func TestWriteThenRead(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 3000 {
		delimiter := []byte{',', ';', '\t', '|', ':', ' '}[r.IntN(6)]
		rows := randomRows(r, delimiter)
		var text []byte
		for _, row := range rows {
			text = AppendRow(text, row, delimiter)
		}
		for _, o := range []Options{{}, {Trim: true}, {Newline: Any}, {Blank: RowBlank}} {
			o.Delimiter = string(delimiter)
			o.MaxFieldLines = 1000
			var again []byte
			var got [][][]byte
			s, err := NewScanner(o, func(row *Row) error {
				fields := make([][]byte, row.Len())
				for i := range fields {
					fields[i] = bytes.Clone(row.Field(i))
				}
				again = AppendRow(again, fields, delimiter)
				got = append(got, fields)
				return nil
			}, func(f Flaw) { t.Fatalf("%q: %+v", text, f) })
			if err != nil {
				t.Fatal(err)
			}
			for from := 0; from < len(text); {
				to := min(len(text), from+1+r.IntN(60))
				if err := s.Write(text[from:to]); err != nil {
					t.Fatal(err)
				}
				from = to
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(again, text) || len(got) != len(rows) {
				t.Fatalf("%+v\nwritten %q\nread    %q", o, text, again)
			}
			for i := range rows {
				if !slices.EqualFunc(rows[i], got[i], bytes.Equal) {
					t.Fatalf("%+v: row %d written %q, read %q", o, i, rows[i], got[i])
				}
			}
		}
	}
}

// What Go's reader accepts in strict mode, we read alike. It turns CRLF inside quotes into LF, and
// we do not.
func TestAgreesWithEncodingCSV(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	letters := "aab,,\"\"\n\r "
	agreed := 0
	for range 200000 {
		b := make([]byte, r.IntN(40))
		for i := range b {
			b[i] = letters[r.IntN(len(letters))]
		}
		if bytes.Contains(b, []byte("\r\n")) {
			b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
		}
		strict := csv.NewReader(bytes.NewReader(b))
		strict.FieldsPerRecord = -1
		want, err := strict.ReadAll()
		if err != nil || bytes.IndexByte(b, '\r') >= 0 {
			continue
		}
		agreed++
		var got [][]string
		s, _ := NewScanner(comma, func(row *Row) error {
			fields := make([]string, row.Len())
			for i := range fields {
				fields[i] = string(row.Field(i))
			}
			got = append(got, fields)
			return nil
		}, nil)
		s.Write(b)
		s.Close()
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Fatalf("%q\n got %q\nwant %q", b, got, want)
		}
	}
	if agreed < 10000 {
		t.Errorf("only %d texts were valid", agreed)
	}
}

// allOptions are the options that change how text is cut.
var allOptions = []Options{
	{Delimiter: ","}, {Delimiter: ",", Trim: true}, {Delimiter: ",", Newline: Any},
	{Delimiter: ",", Quotes: NoneValue},
	{Delimiter: ",", Quotes: Backslash}, {Delimiter: ",", Blank: RowBlank, Trim: true},
	{Delimiter: "\t"}, {Delimiter: " "},
	{Delimiter: ",", MaxRowBytes: 40}, {Delimiter: ",", MaxFieldLines: 1},
	{Delimiter: ",", MaxFieldBytes: 100},
	{Delimiter: ",", MaxFieldLines: 1, MaxFieldBytes: 9, MaxRowBytes: 25},
	{Delimiter: ",", MaxFieldLines: 2, MaxFieldBytes: 30, MaxRowBytes: 90, Newline: Any,
		Trim: true},
	{Delimiter: ",", Newline: CR}, {Delimiter: ",", Newline: CR, Trim: true, Blank: RowBlank},
	{Delimiter: ",", Newline: Any, Blank: RowBlank, Columns: 1},
	{Delimiter: ",", Quote: "'"}, {Delimiter: ",", Quote: "'", Quotes: Backslash, Newline: Any},
}

// checkText holds the text in pieces against the text in one piece.
func checkText(t testing.TB, o Options, text string, cuts ...int) {
	t.Helper()
	rows, flaws := scanAll(t, o, text)
	same := func(how string, pieces ...string) {
		t.Helper()
		r, f := scanAll(t, o, pieces...)
		if !slices.Equal(r, rows) || !slices.Equal(f, flaws) {
			t.Fatalf("%+v\n%q %s:\n got %q %q\nwant %q %q", o, text, how, r, f, rows, flaws)
		}
	}
	for _, cut := range cuts {
		cut %= len(text) + 1
		same(fmt.Sprint("cut at ", cut), text[:cut], text[cut:])
	}
	same("byte by byte", strings.Split(text, "")...)
}

func TestAnyTextInAnyPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 6000 {
		letters := []string{"aab,,\"\"\n\r \\", "abc,\n\"", "abcdefgh,,\n \t",
			"a\"\",\n\r"}[r.IntN(4)]
		b := make([]byte, r.IntN(120))
		for i := range b {
			b[i] = letters[r.IntN(len(letters))]
		}
		checkText(t, allOptions[r.IntN(len(allOptions))], string(b), r.IntN(1000), r.IntN(1000),
			r.IntN(1000))
	}
}

func FuzzScanner(f *testing.F) {
	for _, text := range []string{"a,b\n1,2\n", "\"a\nb\",\"c\"\"d\"\r\n", "\"x\"y,1\n\"z\",2\n",
		"\"x\\\"y\",1\n", "\"unclosed\n1\n2\n3\n", "a\rb\r\n\r", " \"a\" , b\n",
		"\"a\" \t x,\"b\"\n"} {
		for i := range allOptions {
			f.Add(text, uint8(i), uint16(len(text)/2))
		}
	}
	f.Fuzz(func(t *testing.T, text string, options uint8, cut uint16) {
		if len(text) > 2000 {
			return
		}
		checkText(t, allOptions[int(options)%len(allOptions)], text, int(cut))
	})
}

// FuzzSurvey: whatever the bytes, a survey of them in two pieces says the same as in one, its
// proposal is accepted by Encode, and n is the same there.
func FuzzSurvey(f *testing.F) {
	for _, text := range []string{people, visits, "", "\xff\xfea\x00,\x00b\x00\n\x00",
		"\xef\xbb\xbfa;b\n1,5;2\n", "PK\x03\x04", "a\r1\r", "Ren\xe9,1\n"} {
		f.Add([]byte(text), uint16(3))
	}
	f.Add(gzipped(f, people), uint16(20))
	f.Add(gzipped(f, people)[:30], uint16(9))
	f.Fuzz(func(t *testing.T, file []byte, cut uint16) {
		whole, err := surveyOf(file)
		k := int(cut) % (len(file) + 1)
		pieces, err2 := surveyOf(file[:k], file[k:])
		if (err == nil) != (err2 == nil) ||
			fmt.Sprintf("%+v", told(whole.Problems)) != fmt.Sprintf("%+v", told(pieces.Problems)) ||
			shape(whole) != shape(pieces) {
			t.Fatalf("%q\n in one piece %s %v\ncut at %d %s %v", file, shape(whole), err, k,
				shape(pieces), err2)
		}
		if err != nil {
			return
		}
		e, err := NewEncode(
			EncodeParams{Options: whole.Options, Columns: []Wanted{{1, ages}, {1, names}}})
		if err != nil {
			t.Fatalf("%q: the proposal %+v is refused: %v", file, whole.Options, err)
		}
		push(t, e, file[:k], file[k:])
		if e.Result().N != whole.Rows {
			t.Fatalf("%q: %d rows, then %d", file, whole.Rows, e.Result().N)
		}
	})
}

func surveyOf(pieces ...[]byte) (*Summary, error) {
	s, err := NewSurvey(Options{})
	if err != nil {
		return nil, err
	}
	for _, p := range pieces {
		if err = s.Write(p); err != nil {
			break
		}
	}
	if e := s.Close(); err == nil {
		err = e
	}
	return s.Result(), err
}
