package domain

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortCodes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, bits := range []int{1, 7, 8, 11, 12, 22, 23, 33, 45, 63, 64} {
		for _, n := range []int{0, 1, 2, fewCodes, fewCodes + 1, 1000, 5000} {
			codes := make([]uint64, n)
			for i := range codes {
				codes[i] = r.Uint64() >> (64 - bits)
				if i%3 == 0 && i > 0 {
					codes[i] = codes[i-1]
				}
			}
			want := slices.Sorted(slices.Values(codes))
			if err := SortCodes(codes, bits, nil); err != nil || !slices.Equal(codes, want) {
				t.Fatalf("%d codes of %d bits are not sorted: %v", n, bits, err)
			}
			if bits <= 16 {
				short := make([]uint16, n)
				for i, c := range want {
					short[n-1-i] = uint16(c)
				}
				if err := SortCodes(short, bits, nil); err != nil || !slices.IsSorted(short) {
					t.Fatalf("%d codes of %d bits in 16 are not sorted: %v", n, bits, err)
				}
			}
		}
	}
}

func TestSortCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, bits := range []int{3, 11, 20, 64} {
		codes, carried := make([]uint64, 3000), make([]uint64, 3000)
		for i := range codes {
			codes[i], carried[i] = r.Uint64()>>(64-bits), uint64(i)
		}
		old := slices.Clone(codes)
		if err := SortCounted(codes, carried, bits, nil); err != nil || !slices.IsSorted(codes) {
			t.Fatal("not sorted", err)
		}
		for i, from := range carried {
			if codes[i] != old[from] || i > 0 && codes[i] == codes[i-1] && carried[i-1] > from {
				t.Fatalf("place %d holds code %d with %d", i, codes[i], from)
			}
		}
	}
}

func TestSortStops(t *testing.T) {
	stop := errors.New("stop")
	codes := make([]uint64, 3<<20)
	for i := range codes {
		codes[i] = uint64(len(codes) - i)
	}
	steps, last := 0, int64(0)
	err := SortCodes(slices.Clone(codes), 22, func(done, total int64) error {
		if done < last || done > total || total != 3<<20 {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
		steps++
		return nil
	})
	if err != nil || steps < 6 || last < 2<<20 {
		t.Errorf("%d steps to %d, %v", steps, last, err)
	}
	for after := range steps {
		if err := SortCodes(slices.Clone(codes), 22, func(done, total int64) error {
			if after--; after < 0 {
				return stop
			}
			return nil
		}); err != stop {
			t.Errorf("stopped with %v", err)
		}
	}
	if err := SortCodes(codes, 22, func(done, total int64) error { return stop }); err != stop {
		t.Errorf("stopped with %v", err)
	}
	list := make(textList, 1<<19)
	rows := make([]uint32, len(list))
	for i := range list {
		list[i] = fmt.Appendf(nil, "%d", i)
		rows[i] = uint32(i)
	}
	if _, err := SortTexts(list, rows, func(done, total int64) error { return stop }); err != stop {
		t.Errorf("stopped with %v", err)
	}
}

type textList [][]byte

func (l textList) Len() int          { return len(l) }
func (l textList) Code(i int) []byte { return l[i] }

// texts draws codes with long common prefixes, of few letters, with repeats.
func someTexts(r *rand.Rand, n, length int) textList {
	list := make(textList, n)
	for i := range list {
		switch {
		case i > 0 && r.IntN(4) == 0:
			list[i] = list[r.IntN(i)]
		case i > 0 && r.IntN(2) == 0:
			old := list[r.IntN(i)]
			list[i] = append(slices.Clone(old[:r.IntN(len(old)+1)]), byte(r.IntN(256)))
		default:
			list[i] = bytes.Repeat([]byte{byte(r.IntN(3))}, r.IntN(length))
		}
		list[i] = canonical(list[i][:min(length, len(list[i]))])
	}
	return list
}

func TestSortTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{0, 1, 2, 23, 24, 25, 26, 1000, 20000} {
		for _, length := range []int{1, 7, 8, 9, 40, 300} {
			list := someTexts(r, n, length)
			rows := make([]uint32, n)
			for i := range rows {
				rows[i] = uint32(i)
			}
			order, err := SortTexts(list, rows, func(done, total int64) error {
				if done > total || total != int64(n) {
					t.Fatalf("%d of %d rows", done, total)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.IsSortedFunc(order, func(a, b uint32) int {
				return bytes.Compare(list[a], list[b])
			}) {
				t.Fatalf("%d texts of at most %d bytes are not sorted", n, length)
			}
			slices.Sort(order)
			for i, row := range order {
				if int(row) != i {
					t.Fatalf("row %d is missing", i)
				}
			}
		}
	}
}

// The longest texts there are, alike but for their ends, and each the start of the next.
func TestSortLongTexts(t *testing.T) {
	long := bytes.Repeat([]byte("ab"), maxTextBytes/2)
	var list textList
	for i := range 40 {
		text := bytes.Clone(long)
		text[len(text)-1-i%3] = byte(200 - i)
		list = append(list, text)
	}
	for i := range 3000 {
		list = append(list, long[:i*40%5000])
	}
	rows := make([]uint32, len(list))
	for i := range rows {
		rows[i] = uint32(i)
	}
	order, err := SortTexts(list, rows, nil)
	if err != nil ||
		!slices.IsSortedFunc(order, func(a, b uint32) int {
			return bytes.Compare(list[a], list[b])
		}) {
		t.Fatal("not sorted", err)
	}
}

// The view of sorted codes is held against numbers.
func TestSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	check := func(s Sorted) {
		t.Helper()
		numbers := make([]*big.Int, s.Len())
		for i := range numbers {
			numbers[i] = s.Number(i)
			if i > 0 && numbers[i].Cmp(numbers[i-1]) < 0 {
				t.Fatal("not ascending")
			}
		}
		one := big.NewInt(1)
		for range 300 {
			i, j, depth := r.IntN(s.Len()), r.IntN(s.Len()), r.IntN(s.Bits())
			x := new(big.Int).Xor(numbers[i], numbers[j])
			if got := s.Lcp(i, j); got != s.Bits()-x.BitLen() {
				t.Fatalf("%x and %x share %d bits, Lcp says %d", numbers[i], numbers[j],
					s.Bits()-x.BitLen(), got)
			}
			if got := s.Bit(i, depth); got != int(numbers[i].Bit(s.Bits()-1-depth)) {
				t.Fatalf("bit %d of %x: %d", depth, numbers[i], got)
			}
			first, last := Leaves(s, i, depth)
			for k, n := range numbers {
				if below := s.Lcp(i, k) >= depth; below != (n.Cmp(first) >= 0 && n.Cmp(last) <= 0) {
					t.Fatalf("leaves below depth %d of %x: %x to %x", depth, numbers[i], first,
						last)
				}
			}
			n := new(big.Int).Add(numbers[i], big.NewInt(int64(r.IntN(3)-1)))
			below, notAbove := 0, 0
			for _, m := range numbers {
				if m.Cmp(n) < 0 {
					below++
				}
				if m.Cmp(n) <= 0 {
					notAbove++
				}
			}
			if b, a := s.Rank(n); b != below || a != notAbove {
				t.Fatalf("rank of %x: %d, %d, want %d, %d", n, b, a, below, notAbove)
			}
		}
		// Split finds the children of the root's first branching.
		depth := s.Lcp(0, s.Len()-1)
		if depth < s.Bits() {
			m := Split(s, 0, s.Len(), depth)
			if m <= 0 || m >= s.Len() || s.Bit(m-1, depth) != 0 || s.Bit(m, depth) != 1 {
				t.Fatalf("split at %d", m)
			}
		}
		if b, a := s.Rank(new(big.Int).Neg(one)); b != 0 || a != 0 {
			t.Fatal("rank of −1")
		}
		if b, a := s.Rank(new(big.Int).Lsh(one, uint(s.Bits()))); b != s.Len() || a != s.Len() {
			t.Fatal("rank of a number too large")
		}
	}
	for _, bits := range []int{1, 5, 33, 64} {
		codes := make([]uint64, 60)
		for i := range codes {
			codes[i] = r.Uint64() >> (64 - bits)
		}
		slices.Sort(codes)
		check(SortedCodes(codes, bits))
	}
	for _, length := range []int{1, 3, 8, 9, 31} {
		w, err := NewWide(Spec{Kind: Bytes, Length: length})
		if err != nil {
			t.Fatal(err)
		}
		list := someTexts(r, 60, length)
		rows := make([]uint32, len(list))
		for i := range rows {
			rows[i] = uint32(i)
		}
		order, _ := SortTexts(list, rows, nil)
		check(SortedTexts(w, list, order))
	}
}

func BenchmarkSort(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{256, 512, 1024, 1 << 20} {
		for _, bits := range []int{11, 32, 64} {
			codes := make([]uint64, n)
			for i := range codes {
				codes[i] = r.Uint64() >> (64 - bits)
			}
			work := make([]uint64, n)
			b.Run(fmt.Sprintf("slices/%d/%d", n, bits), func(b *testing.B) {
				for b.Loop() {
					copy(work, codes)
					slices.Sort(work)
				}
			})
			b.Run(fmt.Sprintf("codes/%d/%d", n, bits), func(b *testing.B) {
				for b.Loop() {
					copy(work, codes)
					SortCodes(work, bits, nil)
				}
			})
		}
	}
}

func BenchmarkSortTexts(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct {
		name string
		text func(i int) []byte
	}{
		{"random", func(int) []byte { return fmt.Appendf(nil, "%016x", r.Uint64()) }},
		{"prefix", func(int) []byte {
			return fmt.Appendf(nil, "https://example.org/users/%d", r.IntN(1<<20))
		}},
	} {
		list := make(textList, 1<<19)
		rows := make([]uint32, len(list))
		for i := range list {
			list[i] = c.text(i)
		}
		b.Run("slices/"+c.name, func(b *testing.B) {
			for b.Loop() {
				for i := range rows {
					rows[i] = uint32(i)
				}
				slices.SortFunc(rows, func(x, y uint32) int {
					return bytes.Compare(list[x], list[y])
				})
			}
		})
		b.Run("texts/"+c.name, func(b *testing.B) {
			for b.Loop() {
				for i := range rows {
					rows[i] = uint32(i)
				}
				SortTexts(list, rows, nil)
			}
		})
	}
}
