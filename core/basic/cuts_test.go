package basic

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCuts compares each bin with a search through all starts: around every start and in between,
// where bins are alike, bunched together, or of one value.
func TestCuts(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 300 {
		starts := []uint64{0}
		bits := 1 + r.IntN(64)
		for range r.IntN(60) {
			at := r.Uint64() >> (64 - bits)
			for range 1 + r.IntN(4) { // some in a row
				starts = append(starts, at)
				at = min(at, math.MaxUint64-1) + 1
			}
		}
		slices.Sort(starts)
		starts = slices.Compact(starts)
		cuts := NewCuts(starts)
		codes := []uint64{0, 1, math.MaxUint64}
		for _, start := range starts {
			codes = append(codes, start, start-1, start+1, r.Uint64()>>(64-bits))
		}
		for _, code := range codes {
			want, found := slices.BinarySearch(starts, code)
			if !found {
				want--
			}
			if got := cuts.Bin(code); got != uint64(want) {
				t.Fatalf("code %d is in bin %d, want %d of %d", code, got, want, starts)
			}
		}
	}
}

// TestCodesOf: codes that are read together are those read one by one.
func TestCodesOf(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	column := func() Values {
		rows := make(someCodes, 1000)
		for i := range rows {
			rows[i] = r.IntN(6) - 1
		}
		return rows
	}
	a, b, c := column(), column(), column()
	counts := make([]uint64, 1000)
	sizes := []uint64{5, 4, 3}
	for name, values := range map[string]Values{
		"one":             a,
		"counted":         WithCounts(a, counts),
		"crossed":         Crossed([]Values{a, b, c}, sizes),
		"crossed, one":    Crossed([]Values{a}, sizes[1:2]),
		"crossed counted": Crossed([]Values{WithCounts(a, counts), b}, sizes),
	} {
		for range 100 {
			from := r.IntN(1000)
			rows := r.IntN(1001 - from)
			codes, has := make([]uint64, rows), make([]bool, rows)
			CodesOf(values, from, codes, has)
			for i := range rows {
				code, ok := values.Code(from + i)
				if has[i] != ok || ok && codes[i] != code {
					t.Fatalf("%s, row %d: %d, %v, want %d, %v", name, from+i, codes[i], has[i],
						code, ok)
				}
			}
		}
	}
}

// someCodes are codes; below 0 is none.
type someCodes []int

func (s someCodes) Len() int { return len(s) }

func (s someCodes) Code(i int) (uint64, bool) { return uint64(max(s[i], 0)), s[i] >= 0 }
