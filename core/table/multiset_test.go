package table

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

var secret = Key{3, 1, 4, 1, 5, 9, 2, 6}

func marksOf(t testing.TB, key Key, pieces ...[]byte) Marks {
	t.Helper()
	s, err := NewSurvey(Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Mark(key)
	push(t, s, pieces...)
	marks, ok := s.Marks()
	if !ok {
		t.Fatal("no marks")
	}
	return marks
}

// register is a table of people as cells, with whatever has to be quoted or encoded.
func register(rows int) [][]string {
	r := rand.New(rand.NewPCG(7, 8))
	table := [][]string{{"name", "town", "age", "remark"}}
	for i := range rows {
		table = append(table, []string{fmt.Sprintf("person %d", i),
			[]string{"Köln", "Bern", "Łódź", ""}[r.IntN(4)], fmt.Sprint(r.IntN(100)),
			[]string{"", "seen, noted", `says "no"`, "a\tb", "left; right"}[r.IntN(5)]})
	}
	return table
}

// written is a table as text: every cell is quoted where always says so, others where it must be.
func written(table [][]string, delimiter, end string, always bool) string {
	var b strings.Builder
	for _, row := range table {
		for i, cell := range row {
			if i > 0 {
				b.WriteString(delimiter)
			}
			if always || strings.ContainsAny(cell, delimiter+"\"\n") {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			b.WriteString(cell)
		}
		b.WriteString(end)
	}
	return b.String()
}

// The same rows have the same fingerprint, however they are wrapped.
func TestRowsInAnyWrapping(t *testing.T) {
	table := register(3000)
	plain := written(table, ",", "\n", false)
	var wide []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + plain)) {
		wide = binary.LittleEndian.AppendUint16(wide, u)
	}
	turned := append([][]string{table[0]}, table[1:]...)
	rand.New(rand.NewPCG(9, 9)).Shuffle(len(turned)-1, func(i, j int) {
		turned[1+i], turned[1+j] = turned[1+j], turned[1+i]
	})
	want := marksOf(t, secret, []byte(plain))
	if len(want.Sketch) != sketched {
		t.Fatalf("a sketch of %d", len(want.Sketch))
	}
	for name, file := range map[string][]byte{
		"gzip":                 gzippedAt(t, gzip.BestSpeed, plain),
		"CRLF":                 []byte(written(table, ",", "\r\n", false)),
		"a byte order mark":    []byte("\ufeff" + plain),
		"UTF-16":               wide,
		"tabs":                 []byte(written(table, "\t", "\n", false)),
		"semicolons":           []byte(written(table, ";", "\r\n", false)),
		"quotes everywhere":    []byte(written(table, ",", "\n", true)),
		"no final line end":    []byte(strings.TrimRight(plain, "\n")),
		"line ends at the end": []byte(plain + "\n\r\n,,,\n"),
		"another order":        []byte(written(turned, ",", "\n", false)),
		"all at once": gzippedAt(t, gzip.BestSpeed,
			"\ufeff"+written(turned, ";", "\r\n", true)+"\r\n"),
	} {
		if got := marksOf(t, secret, file); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		for _, size := range []int{1, 7, 4096} {
			s, _ := NewSurvey(Options{})
			s.Mark(secret)
			if err := inPieces(s, file, size); err != nil {
				t.Fatal(err)
			}
			if got, _ := s.Marks(); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s in pieces of %d: %v", name, size, got)
			}
		}
	}
	latin := strings.ReplaceAll(plain, "Łódź", "Graz")
	odd := bytes.ReplaceAll([]byte(latin), []byte("ö"), []byte{0xf6})
	if marksOf(t, secret, odd).Rows != marksOf(t, secret, []byte(latin)).Rows {
		t.Error("in Windows-1252 the rows are others")
	}
	if marksOf(t, Key{1}, []byte(plain)).Rows == want.Rows {
		t.Error("another key gives the same fingerprint")
	}
}

// Other rows have another fingerprint: one cell, a row more, a row twice, cells moved between rows.
func TestOtherRows(t *testing.T) {
	table := register(500)
	seen := map[string]string{marksOf(t, secret, []byte(written(table, ",", "\n", false))).
		Rows: "none"}
	try := func(name string, change func(rows [][]string) [][]string) {
		var rows [][]string
		for _, row := range table {
			rows = append(rows, append([]string{}, row...))
		}
		got := marksOf(t, secret, []byte(written(change(rows), ",", "\n", false))).Rows
		if before, known := seen[got]; known {
			t.Errorf("%s: the fingerprint of %s", name, before)
		}
		seen[got] = name
	}
	every := 1
	if testing.Short() {
		every = 7
	}
	for i := 1; i <= 500; i += every {
		try(fmt.Sprint("age in row ", i), func(rows [][]string) [][]string {
			rows[i][2] += "0"
			return rows
		})
		try(fmt.Sprint("row ", i, " twice"), func(rows [][]string) [][]string {
			return append(rows, rows[i])
		})
		try(fmt.Sprint("without row ", i), func(rows [][]string) [][]string {
			return append(rows[:i], rows[i+1:]...)
		})
	}
	try("names of two rows change places", func(rows [][]string) [][]string {
		rows[3][0], rows[4][0] = rows[4][0], rows[3][0]
		return rows
	})
}

// Where quotes are plain characters, the fingerprint leaves them out in every row, however the
// bytes come.
func TestRowsWithPlainQuotes(t *testing.T) {
	file := []byte(written(register(9000), "\t", "\n", true))
	var want Marks
	for i, size := range []int{len(file), 1, 7, 100, 4096} {
		s, err := NewSurvey(Options{Quotes: NoneValue})
		if err != nil {
			t.Fatal(err)
		}
		s.Mark(secret)
		if err := inPieces(s, file, size); err != nil {
			t.Fatal(err)
		}
		got, _ := s.Marks()
		if i == 0 {
			want = got
		} else if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("in pieces of %d: %v, want %v", size, got, want)
		}
	}
}

// Each byte of a row counts, and so does its length; what lies behind it does not.
func TestBytesOfRow(t *testing.T) {
	hash := func(row []byte, behind byte) uint64 {
		m := newMultiset(secret)
		text := append(bytes.Clone(row), bytes.Repeat([]byte{behind}, window)...)
		m.add(text[:len(row)])
		return m.last
	}
	seen := map[uint64]string{}
	note := func(name string, row []byte) {
		h := hash(row, 0)
		if before, known := seen[h]; known {
			t.Fatalf("%s has the hash of %s", name, before)
		}
		seen[h] = name
		if hash(row, 'x') != h {
			t.Fatalf("%s: what is behind it counts", name)
		}
	}
	for n := 1; n <= 3*window; n++ {
		row := make([]byte, n)
		note(fmt.Sprintf("%d zeros", n), row)
		for i := range row {
			for _, bit := range []byte{1, 0x80} {
				row[i] = bit
				note(fmt.Sprintf("%d zeros with %d at %d", n, bit, i), row)
			}
			row[i] = 0
		}
	}
}

// A sketch shares with another's what the rows share.
func TestSketch(t *testing.T) {
	shared := func(a, b Marks) (n int) {
		for _, hash := range a.Sketch {
			if strings.Contains(strings.Join(b.Sketch, " "), hash) {
				n++
			}
		}
		return n
	}
	table := register(4000)
	sketch := func(rows [][]string) Marks {
		return marksOf(t, secret, []byte(written(rows, ",", "\n", false)))
	}
	all := sketch(table)
	if n := shared(all, sketch(table[:3900])); n < 55 {
		t.Errorf("without 100 of 4000 rows, %d of 64 are shared", n)
	}
	if n := shared(sketch(table[:2000]), sketch(append(table[:1:1], table[2000:]...))); n > 2 {
		t.Errorf("two halves share %d of 64", n)
	}
	few := [][]string{{"answer"}}
	for i := range 4000 {
		few = append(few, []string{fmt.Sprint(i % 200)})
	}
	if got := sketch(few); len(got.Sketch) != 0 {
		t.Errorf("200 different rows of 4000 have a sketch of %d", len(got.Sketch))
	}
}

// BenchmarkMarks tells by how much the marks make a survey dearer than the same survey without.
// Both take turns in one run and the shortest of each counts, so that the load of the machine falls
// on neither.
func BenchmarkMarks(b *testing.B) {
	survey := func(b *testing.B, file []byte, mark bool) time.Duration {
		start := time.Now()
		s, err := NewSurvey(Options{})
		if err != nil {
			b.Fatal(err)
		}
		if mark {
			s.Mark(secret)
		}
		inChunks(b, s, file)
		return time.Since(start)
	}
	for _, f := range benchFiles {
		b.Run(f.name, func(b *testing.B) {
			plain, marked := time.Hour, time.Hour
			for b.Loop() {
				plain = min(plain, survey(b, f.file, false))
				marked = min(marked, survey(b, f.file, true))
			}
			b.ReportMetric(float64(plain)/1e6, "ms/survey")
			b.ReportMetric(100*float64(marked-plain)/float64(plain), "%dearer")
		})
	}
}
