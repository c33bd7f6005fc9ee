package table

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hush/core/domain"
)

// likeAFile draws text with long stretches of clean rows, and here and there a byte that does not
// belong where it is.
func likeAFile(r *rand.Rand, letters string, dirt int) string {
	columns := 1 + r.IntN(6)
	end := []string{"\n", "\r\n", "\n", "\r\n", "\r"}[r.IntN(5)]
	var b strings.Builder
	for range r.IntN(40) {
		for k := range columns {
			if k > 0 {
				b.WriteByte(',')
			}
			field := make([]byte, r.IntN(1+r.IntN(30)))
			for i := range field {
				field[i] = "abc 0123456789.-"[r.IntN(16)]
			}
			switch r.IntN(4) {
			case 0:
				inside := []string{"", ",", "\"\"", "\n", "\n\n", "\r\n", "\r", "ó", "\x00",
					"\\"}[r.IntN(10)]
				fmt.Fprintf(&b, `"%s%s"`, inside, field)
			default:
				b.Write(field)
			}
		}
		b.WriteString(end)
		if r.IntN(20) == 0 {
			b.WriteString(strings.Repeat(end, r.IntN(80)))
		}
	}
	text := []byte(b.String())
	for range r.IntN(dirt + 1) {
		if len(text) > 0 {
			text[r.IntN(len(text))] = letters[r.IntN(len(letters))]
		}
	}
	return string(text)
}

// cutUp cuts text into pieces at random places.
func cutUp(r *rand.Rand, text string) (pieces [][]byte) {
	for len(text) > 0 {
		k := 1 + r.IntN(1+r.IntN(len(text)))
		pieces = append(pieces, []byte(text[:k]))
		text = text[k:]
	}
	return pieces
}

// readBy returns all there is to know of rows and flaws, and how many rows quick read.
func readBy(t testing.TB, o Options, quick bool, pieces ...[]byte) (told []string, quickly int) {
	t.Helper()
	flaws, places := map[FlawKind]int64{}, []string{}
	s, err := NewScanner(o, func(r *Row) error {
		line := fmt.Appendf(nil, "row %d line %d byte %d:", r.Record, r.Line, r.Offset)
		for i := range r.Len() {
			line = fmt.Appendf(line, " %d %q", r.At(i), r.Field(i))
		}
		if r.quick {
			quickly++
		}
		told = append(told, string(line))
		return nil
	}, func(f Flaw) {
		// For long runs only the first places and their number are reported, before the rows.
		if flaws[f.Kind] < shownPlaces {
			place := f
			place.More = 0
			places = append(places, fmt.Sprintf("%+v", place))
		}
		flaws[f.Kind] += 1 + f.More
	})
	if err != nil {
		t.Fatal(err)
	}
	if !quick {
		s.maxQuick = 0
	}
	for _, p := range pieces {
		if err := s.Write(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return append(append(told, places...), fmt.Sprint(flaws)), quickly
}

// What quick reads is what scan reads, whatever the text and however it is cut.
func TestQuickAgreesWithScan(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	quickly, all := 0, 0
	for range 5000 {
		o := allOptions[r.IntN(len(allOptions))]
		if r.IntN(2) == 0 {
			o = comma
		}
		text := likeAFile(r, "\"\"\"\r\n,, \\a\xff\x00", r.IntN(4))
		want, none := readBy(t, o, false, []byte(text))
		if none > 0 {
			t.Fatal("scan is not alone")
		}
		got, k := readBy(t, o, true, cutUp(r, text)...)
		quickly, all = quickly+k, all+len(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%+v\n%q\n got %s\nwant %s", o, text, strings.Join(got, "\n     "),
				strings.Join(want, "\n     "))
		}
	}
	if quickly < all/4 { // not all options are for it
		t.Errorf("quick read %d of %d rows", quickly, all)
	}
}

// odd draws text of rows that are made of a few pieces, most of which belong nowhere, as often as
// some of them come together.
func odd(r *rand.Rand) string {
	pieces := []string{"\"", "\"\"", "so\"me", "\"so\"me\"", "\"some", "a\rb", "\r", " \"x\"",
		" x\"y", "\"the \"best\" one\"", "\"x\" ", "\"x\\\"y\"", "\"a\nb\"", "\"a\n", "12",
		"words of some length, and more", "", "\"\"x"}
	few := make([]string, 1+r.IntN(4))
	for i := range few {
		few[i] = pieces[r.IntN(len(pieces))]
	}
	end := []string{"\n", "\n", "\n", "\r\n"}[r.IntN(4)]
	columns := 1 + r.IntN(4)
	var b strings.Builder
	for range r.IntN(300) {
		for k := range columns {
			if k > 0 {
				b.WriteByte(',')
			}
			b.WriteString(few[r.IntN(len(few))])
		}
		b.WriteString(end)
		if r.IntN(50) == 0 {
			b.WriteString(strings.Repeat("clean,12\n", r.IntN(40)))
		}
	}
	return b.String()
}

// What careful reads is what scan reads.
func TestCarefulAgreesWithScan(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	quickly, all := 0, 0
	for range 3000 {
		o := comma
		if r.IntN(4) == 0 {
			o = allOptions[r.IntN(len(allOptions))]
		}
		text := odd(r)
		want, _ := readBy(t, o, false, []byte(text))
		got, k := readBy(t, o, true, cutUp(r, text)...)
		quickly, all = quickly+k, all+len(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%+v\n%q\n got %s\nwant %s", o, text, strings.Join(got, "\n     "),
				strings.Join(want, "\n     "))
		}
	}
	if quickly < all/3 {
		t.Errorf("careful read %d of %d rows", quickly, all)
	}
}

// Rows and fields by the thousand: what is found does not fit where quick keeps it at a time.
func TestQuickInParts(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, c := range []struct{ columns, rows int }{{1, 9000}, {2, 5000}, {100, 150}, {3000, 4},
		{quickFields - 1, 2}, {quickFields, 3}, {quickFields + 70, 2}, {9000, 2}} {
		for _, filling := range []string{"", "7", "\"q\"", "\"\"\"\"", strings.Repeat("long ", 9)} {
			row := strings.Repeat(filling+",", c.columns-1) + filling + "x\n"
			if strings.HasPrefix(filling, "\"") {
				row = strings.Repeat(filling+",", c.columns-1) + filling + "\n"
			}
			text := strings.Repeat(row, c.rows)
			want, _ := readBy(t, comma, false, []byte(text))
			got, _ := readBy(t, comma, true, cutUp(r, text)...)
			if !slices.Equal(got, want) {
				t.Fatalf("%d columns of %q", c.columns, filling)
			}
		}
	}
}

// Go's reader agrees on long clean texts too, fields and lines.
func TestQuickAgreesWithEncodingCSV(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	quickly := 0
	for range 3000 {
		text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(likeAFile(r, "a", 0))
		strict := csv.NewReader(strings.NewReader(text))
		strict.FieldsPerRecord = -1
		var want, got []string
		for {
			fields, err := strict.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			line, _ := strict.FieldPos(0)
			want = append(want, fmt.Sprintf("line %d %q", line, fields))
		}
		s, err := NewScanner(comma, func(row *Row) error {
			fields := make([]string, row.Len())
			for i := range fields {
				fields[i] = string(row.Field(i))
			}
			if row.quick {
				quickly++
			}
			got = append(got, fmt.Sprintf("line %d %q", row.Line, fields))
			return nil
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		push(t, s, []byte(text))
		if !slices.Equal(got, want) {
			t.Fatalf("%q\n got %q\nwant %q", text, got, want)
		}
	}
	if quickly < 10000 {
		t.Errorf("quick read %d rows", quickly)
	}
}

// A survey and codes are the same with quick and without it, problems and their places and order
// among them.
func TestPassesAgreeWithScan(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	digits := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99999", Missing: []string{"7"}}
	halves := domain.Spec{Kind: domain.Decimal, Lo: "-10", Hi: "1000", Step: "0.5",
		Between: domain.None}
	whole := domain.Spec{Kind: domain.Integer}
	for range 400 {
		text := likeAFile(r, "\",\n\xff\x00", r.IntN(3))
		if r.IntN(3) == 0 {
			text = odd(r)
		}
		file := []byte(strings.Repeat(text, 1+r.IntN(3)*30))
		o := Options{Encoding: []string{UTF8, Windows1252}[r.IntN(2)], Delimiter: ",",
			Header: []string{Yes, No}[r.IntN(2)], Columns: 1 + r.IntN(6),
			Skip: r.IntN(3), Trim: r.IntN(2) == 0, Ragged: []string{NoneValue, Keep}[r.IntN(2)]}
		surveyed := func(quick bool, pieces ...[]byte) string {
			s, err := NewSurvey(o)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.begin(false); err != nil {
				t.Fatal(err)
			}
			if !quick {
				s.feed.scan.maxQuick = 0
			}
			push(t, s, pieces...)
			return inJSON(t, s.Result())
		}
		if got, want := surveyed(true, cutUp(r, string(file))...),
			surveyed(false, file); got != want {
			t.Fatalf("%+v\n%.9000q\n got %.9000s\nwant %.9000s", o, file, got, want)
		}
		p := EncodeParams{Options: o}
		for range 1 + r.IntN(3) {
			p.Columns = append(p.Columns,
				Wanted{
					1 + r.IntN(o.Columns), []domain.Spec{digits, halves, whole, names}[r.IntN(4)]})
		}
		if r.IntN(3) == 0 {
			p.Filter = []Condition{{Column: 1, Spec: digits, From: "3"}}
		}
		encoded := func(quick bool, pieces ...[]byte) string {
			e, err := NewEncode(p)
			if err != nil {
				t.Fatal(err)
			}
			if !quick {
				e.feed.scan.maxQuick = 0
			}
			push(t, e, pieces...)
			out := e.Result()
			all := fmt.Sprintf("%d %d %s", out.N, out.Rows, inJSON(t, out.Problems))
			for k := range p.Columns {
				all += "\n" + show(out, k)
			}
			return all
		}
		if got, want := encoded(true, cutUp(r, string(file))...),
			encoded(false, file); got != want {
			t.Fatalf("%+v\n%.9000q\n got %.9000s\nwant %.9000s", p, file, got, want)
		}
	}
}

func inJSON(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func FuzzQuick(f *testing.F) {
	for i, text := range []string{strings.Repeat("\"a,\"b,c\"\nd\"\"\n", 20),
		strings.Repeat("a\"b,\"c\"d\",\"e\n", 20), strings.Repeat("a,\"b,\"\"c\nd\"\r\n", 20),
		strings.Repeat("1,2,3\n\n\"\"\n", 20), strings.Repeat("x\ry,\"z\" \n", 20)} {
		f.Add(text, uint8(i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, text string, options uint8, seed uint64) {
		o := allOptions[int(options)%len(allOptions)]
		want, _ := readBy(t, o, false, []byte(text))
		got, _ := readBy(t, o, true, cutUp(rand.New(rand.NewPCG(seed, 0)), text)...)
		if !slices.Equal(got, want) {
			t.Fatalf("%+v\n%q\n got %s\nwant %s", o, text, strings.Join(got, "\n     "),
				strings.Join(want, "\n     "))
		}
	})
}
