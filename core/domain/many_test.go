package domain

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMany holds what Many reads to Encode, on numbers with and without bounds, digits behind a
// point, another mark and what is missing, and on names of all lengths; and asks that it reads
// every plain cell within them.
func TestMany(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	for _, c := range []struct {
		name  string
		spec  Spec
		plain []string // cells that are read; nil: the domain has no Many
	}{
		{"ages", Spec{Kind: Integer, Lo: "0", Hi: "99"}, []string{"0", "7", "99", "00000042"}},
		{"all", Spec{Kind: Integer}, []string{"0", "12345678"}},
		{"negative", Spec{Kind: Integer, Lo: "-50", Hi: "-10"}, []string{}},
		{"above", Spec{Kind: Integer, Lo: "1000", Hi: "2000", Outside: Clamp},
			[]string{"1000", "2000"}},
		{"money", Spec{Kind: Decimal, Lo: "0", Hi: "100000", Step: "0.01"},
			[]string{"0.00", "1.23", "99999.99", "00100.00"}},
		{"comma", Spec{Kind: Decimal, Lo: "-5", Hi: "5", Step: "0.001", Mark: ","},
			[]string{"0,000", "4,999"}},
		{"fine", Spec{Kind: Decimal, Lo: "0", Hi: "1", Step: "0.000001"}, []string{"0.123456"}},
		{"finer", Spec{Kind: Decimal, Lo: "0", Hi: "1", Step: "0.0000001"}, nil},
		{"steps", Spec{Kind: Decimal, Lo: "0", Hi: "10", Step: "0.5"}, nil},
		{"missing", Spec{Kind: Integer, Lo: "0", Hi: "99", Missing: []string{"99"}}, nil},
		{"digits as names", Spec{Kind: Category, Categories: []string{"7", "1", "12345678",
			"123456789", "1234567890", "0\x00", "0"}},
			[]string{"1", "12345678", "1234567890", "0"}},
		{"names", Spec{Kind: Category, Categories: []string{"Saint-Denis", "Rome", "Łódź",
			"a name of 16 ...", "a name of 17 ...."}},
			[]string{"Rome", "Łódź", "Saint-Denis", "a name of 16 ..."}},
		{"spelled", Spec{Kind: Category, Categories: []string{"one", "7"}, Other: "7",
			Missing: []string{"77"}, Spellings: []Spelling{{"1", "one"}, {" 12 ", "one"},
				{"a cell of 17 ...", "7"}, {"3.", "7"}}},
			[]string{"one", "7", "1", "12", "3.", "a cell of 17 ..."}},
		{"folded", Spec{Kind: Category, Categories: []string{"One", "7"}, Other: "7", Fold: true,
			Missing: []string{"77"}, Spellings: []Spelling{{"1", "One"}, {" 1\u00a02 ", "One"}}},
			[]string{"One", "7", "1", "1\u00a02"}},
		{"texts", Spec{Kind: Text, Length: 8}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := New(c.spec)
			if err != nil {
				t.Fatal(err)
			}
			many := ManyOf(d)
			if many == nil || c.plain == nil {
				if many != nil || c.plain != nil {
					t.Fatalf("%v, want some: %t", many, c.plain != nil)
				}
				return
			}
			cells := append([]string{}, c.plain...)
			for range 20_000 {
				cell := make([]byte, r.IntN(11))
				for i := range cell {
					if cell[i] = '0' + byte(r.IntN(10)); r.IntN(8) == 0 {
						cell[i] = ".,,-. \r\"\xff/:"[r.IntN(11)]
					}
				}
				cells = append(cells, string(cell))
			}
			text := []byte("12345678")
			var starts, ends []uint32
			for _, cell := range cells {
				starts = append(starts, uint32(len(text)))
				text = append(text, cell...)
				ends = append(ends, uint32(len(text)))
				text = append(text, "9.,"[r.IntN(3)])
			}
			codes, read := make([]uint64, len(cells)), make([]bool, len(cells))
			for i := range read {
				read[i] = true
			}
			for _, i := range many.Encode(text, starts, ends, codes, nil) {
				read[i] = false
			}
			for i, cell := range cells {
				code, ok := d.Encode([]byte(cell))
				if read[i] && (!ok || code != codes[i]) {
					t.Errorf("%q is %d, want %d, %t", cell, codes[i], code, ok)
				}
				if i < len(c.plain) && !read[i] {
					t.Errorf("%q is left", cell)
				}
			}
			rest := many.Encode([]byte("1"), []uint32{0}, []uint32{1}, codes, nil)
			if len(rest) != 1 {
				t.Error("read what stands before the text")
			}
		})
	}
}

// TestManyLeavesQuotes has names that a cell in quotes, or one before a line end, would look like.
func TestManyLeavesQuotes(t *testing.T) {
	d, err := New(Spec{Kind: Category, Categories: []string{`"a"`, "a", "b\r", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	text := []byte("        \"a\"b\rab")
	rest := ManyOf(d).Encode(text, []uint32{8, 11, 13, 14}, []uint32{11, 13, 14, 15},
		make([]uint64, 4), nil)
	if !slices.Equal(rest, []int{0, 1}) {
		t.Errorf("cells %v are left, want the first two", rest)
	}
}
