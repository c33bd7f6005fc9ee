package density

import (
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
)

// TestShortPlacesAreWidePlaces: the two halve alike, so that the same coins give the same release;
// round by round of a run, for random codes, domains up to the largest of 64 bits, and codes beyond
// the domain.
func TestShortPlacesAreWidePlaces(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for range 40 {
		bits := 1 + random.IntN(64)
		codes := make([]uint64, random.IntN(300))
		for i := range codes {
			codes[i] = random.Uint64() >> (64 - bits)
			if i > 0 && random.IntN(3) == 0 {
				codes[i] = codes[i-1]
			}
		}
		size := new(big.Int).Lsh(oneInt, uint(bits))
		if bits == 64 || bits > 1 && random.IntN(2) == 0 {
			size.Sub(size, oneInt)
		}
		slices.Sort(codes)
		list := domain.SortedCodes(codes, bits)
		m := must(NewMERR(MERRParams{Epsilon: epsilon("1"), Size: size, Persons: 300, Rounds: 8}))
		runs := [2]*learning{}
		sources := [2]coin.Source{coin.NewSeeded(7), coin.NewSeeded(7)}
		for i := range runs {
			a := newApproximation(size, 300)
			runs[i] = &learning{MERR: m, codes: list, a: a,
				places: []part[place]{newPlaces(list, a)}}
			if i == 1 {
				runs[i].places[0] = newWidePlaces(list, a)
			}
		}
		if _, short := runs[0].places[0].(*shortPlaces); !short {
			t.Fatalf("%d bits have no short places", bits)
		}
		for range m.rounds {
			for i, l := range runs {
				if _, _, err := l.round(sources[i]); err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(runs[0].a.value, runs[1].a.value) ||
				!reflect.DeepEqual(runs[0].a.short, runs[1].a.short) {
				t.Fatalf("%d bits, %d codes: short %v at %v, wide %v at %v", bits, len(codes),
					runs[0].a.value, runs[0].a.at, runs[1].a.value, runs[1].a.at)
			}
		}
	}
}
