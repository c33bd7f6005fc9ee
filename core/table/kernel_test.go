package table

import (
	"bytes"
	"flag"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The kernels are tested twice: natively, where they are those of kernel_plain.go, and as a program
// of the browser, where they are those of kernel_wasm.s (./build.sh check runs both).

var blocksTested = flag.Int("blocks", 1<<14, "how many random `blocks` the kernels are held to")

// likeText is random bytes, of which about one in odds is a mark.
func likeText(r *rand.Rand, n, odds int) []byte {
	text := make([]byte, n)
	for i := range text {
		if text[i] = byte(r.Uint32()); r.IntN(odds) == 0 {
			text[i] = ",\"\n\r;\t"[r.IntN(6)]
		}
	}
	return text
}

func sameMarks(t *testing.T, text []byte, delimiter byte) {
	t.Helper()
	found := make([][4]uint64, len(text)/block)
	markBlocks(found, text, delimiter)
	for i := range found {
		var want [4]uint64
		for k, c := range text[i*block : (i+1)*block] {
			for m, mark := range []byte{delimiter, '"', '\n', '\r'} {
				if c == mark {
					want[m] |= 1 << k
				}
			}
		}
		if found[i] != want {
			t.Fatalf("block %d of %q, delimiter %q: marks %x, want %x", i, text, delimiter,
				found[i], want)
		}
	}
}

func sameWithoutQuotes(t *testing.T, text []byte) {
	t.Helper()
	blocks := len(text) / block
	quotes, before := make([]uint64, blocks), make([]uint32, blocks)
	wantBefore := make([]uint32, blocks)
	for i := range blocks {
		if i > 0 {
			wantBefore[i] = wantBefore[i-1] + uint32(bits.OnesCount64(quotes[i-1]))
		}
		for k, c := range text[i*block : (i+1)*block] {
			if c == '"' {
				quotes[i] |= 1 << k
			}
		}
	}
	into := make([]byte, len(text)+block)
	dropBlocks(into, append(bytes.Clone(text), make([]byte, block)...), quotes, before)
	want := bytes.ReplaceAll(text, []byte(`"`), nil)
	if !bytes.Equal(into[:len(want)], want) {
		t.Fatalf("%q without quotes is %q, want %q", text, into[:len(want)], want)
	}
	for i := range before {
		if before[i] != wantBefore[i] {
			t.Fatalf("%d quotes before block %d of %q, want %d", before[i], i, text, wantBefore[i])
		}
	}
}

// sameRows holds the rows that findRows finds to those of findPlainly.
func sameRows(t *testing.T, text []byte, o Options) {
	t.Helper()
	s, err := NewScanner(o, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, want := &batch{text: text}, &batch{text: text}
	got.findRows(s)
	want.findPlainly(s)
	blocks := (int(want.rows[want.n].at) + block - 1) / block
	if got.n != want.n || got.even != want.even || got.quoted != want.quoted ||
		!slices.Equal(got.rows[:got.n+1], want.rows[:want.n+1]) ||
		!slices.Equal(got.marks[:blocks], want.marks[:blocks]) ||
		!slices.Equal(got.quotes[:blocks], want.quotes[:blocks]) {
		t.Fatalf("%+v\n%q\n"+
			" got %d rows, even %t, quoted %t, %v\nwant %d rows, even %t, quoted %t, %v",
			o, text, got.n, got.even, got.quoted, got.rows[:got.n+1],
			want.n, want.even, want.quoted, want.rows[:want.n+1])
	}
}

// TestFindRows takes files with and without quotes, CRs, empty lines and errors, more rows and more
// fields than there is room for, and random text.
func TestFindRows(t *testing.T) {
	r := rand.New(rand.NewPCG(90, 12))
	files := []string{strings.Repeat("a,b\n", 5000), strings.Repeat("\"a\",b\r\n", 5000),
		strings.Repeat("a\n", 5000), strings.Repeat(",", 5000) + "\n",
		strings.Repeat(strings.Repeat("word ", 10)+"\n", 1000)}
	for i := range len(files) + *blocksTested/4 {
		var file string
		switch {
		case i < len(files):
			file = files[i]
		case i%2 == 0:
			file = likeAFile(r, "\"\"\"\r\n,, \\a\xff\x00", r.IntN(4))
		default:
			file = string(likeText(r, r.IntN(9)*block, 1+r.IntN(40)))
		}
		text := []byte(file[:min(len(file), quickBytes)])
		for _, o := range []Options{comma,
			{Delimiter: ";", Encoding: UTF8, Columns: 1 + r.IntN(6), Quotes: NoneValue}} {
			sameRows(t, text, o)
		}
	}
}

// TestPlainASCII puts a byte that is not plain ASCII everywhere.
func TestPlainASCII(t *testing.T) {
	for size := range 4 * block {
		text := bytes.Repeat([]byte("\x01a\x7f"), size/3+1)[:size]
		if got := plainASCII(text); got != size {
			t.Errorf("%d of %d plain bytes", got, size)
		}
		for at := range size {
			for _, c := range []byte{0, 0x80, 0xff} {
				old := text[at]
				text[at] = c
				if got := plainASCII(text); got != at {
					t.Errorf("%d of %d bytes, want %d: %#x is not plain", got, size, at, c)
				}
				text[at] = old
			}
		}
	}
}

func TestKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 34))
	for left := *blocksTested; left > 0; {
		n := 1 + r.IntN(16)
		left -= n
		text := likeText(r, n*block, 1+r.IntN(40))
		sameMarks(t, text, ",;\t|"[r.IntN(4)])
		sameWithoutQuotes(t, text)
	}
}

func FuzzKernels(f *testing.F) {
	f.Add([]byte(`"a","b ""c""",d` + "\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		text = append(text, make([]byte, (block-len(text)%block)%block)...)
		sameMarks(t, text, ',')
		sameWithoutQuotes(t, text)
		sameRows(t, text, comma)
	})
}

// TestRowsOfBatch holds the rows of a batch to the same rows taken one by one: of all lengths
// around the window, with and without quotes, with CRs, and such as have no values.
func TestRowsOfBatch(t *testing.T) {
	r := rand.New(rand.NewPCG(56, 78))
	for range 200 {
		var file []byte
		one := newMultiset(secret)
		end := []string{"\n", "\r\n"}[r.IntN(2)]
		quoted := r.IntN(3)
		file = append(file, "a,b,c"+end...)
		for range 1 + r.IntN(300) {
			var joined []byte
			for k := range 3 {
				if k > 0 {
					file, joined = append(file, ','), append(joined, ',')
				}
				cell := bytes.Repeat([]byte{'a' + byte(r.IntN(26))}, max(0, r.IntN(70)-30))
				if quoted > 0 && r.IntN(2) < quoted {
					file = append(append(append(file, '"'), cell...), '"')
				} else {
					file = append(file, cell...)
				}
				joined = append(joined, cell...)
			}
			file = append(file, end...)
			one.add(append(joined, make([]byte, window)...)[:len(joined)])
		}
		s, err := NewSurvey(Options{})
		if err != nil {
			t.Fatal(err)
		}
		s.Mark(secret)
		if err := s.Write(file); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		got, _ := s.Marks()
		if want := one.marks(); got.Rows != want.Rows || len(got.Sketch) != len(want.Sketch) {
			t.Fatalf("%q has marks %v, want %v", file, got, want)
		}
	}
}
