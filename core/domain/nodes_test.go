package domain

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNodes: the ranges are those of a plain look at neighbours, by the way of any Sorted and by
// that of codes alone, and end where f says.
func TestNodes(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	for range 300 {
		bits := 1 + random.IntN(32)
		codes := make([]uint32, random.IntN(200))
		for i := range codes {
			codes[i] = random.Uint32() >> (32 - bits)
			if i > 0 && random.IntN(2) == 0 {
				codes[i] = codes[i-1]
			}
		}
		slices.Sort(codes)
		short := SortedCodes(codes, bits)
		lo := random.IntN(len(codes) + 1)
		hi := lo + random.IntN(len(codes)+1-lo)
		depth, most := random.IntN(bits+1), random.IntN(20)
		var want [][2]int
		for i := lo; i < hi; i++ {
			if i == lo || short.Lcp(i-1, i) < depth {
				if len(want) > most {
					break
				}
				want = append(want, [2]int{i, i})
			}
			want[len(want)-1][1]++
		}
		for _, s := range []Sorted{short, struct{ Sorted }{short}} {
			var got [][2]int
			Nodes(s, lo, hi, depth, func(from, to int) bool {
				got = append(got, [2]int{from, to})
				return len(got) <= most
			})
			if !slices.Equal(got, want) {
				t.Fatalf("%d bits, codes %v from %d to %d, depth %d: %T has %v, want %v", bits,
					codes, lo, hi, depth, s, got, want)
			}
		}
	}
}
