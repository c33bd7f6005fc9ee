package threshold

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/domain"
)

// sameView compares a view with the codes it stands for.
func sameView(t *testing.T, name string, have domain.Sorted, list []uint64, bits int) {
	t.Helper()
	want := domain.SortedCodes(list, bits)
	if have.Len() != want.Len() || have.Bits() != want.Bits() {
		t.Fatalf("%s: %d codes of %d bits, want %d of %d", name, have.Len(), have.Bits(),
			want.Len(), want.Bits())
	}
	for i := range list {
		if have.Number(i).Cmp(want.Number(i)) != 0 {
			t.Fatalf("%s of %v: code %d is %v", name, list, i, have.Number(i))
		}
		for depth := range bits {
			if have.Bit(i, depth) != want.Bit(i, depth) {
				t.Fatalf("%s of %v: bit %d of code %d is %d", name, list, depth, i,
					have.Bit(i, depth))
			}
		}
		for j := range list {
			if have.Lcp(i, j) != want.Lcp(i, j) {
				t.Fatalf("%s of %v: codes %d and %d share %d bits", name, list, i, j,
					have.Lcp(i, j))
			}
		}
	}
	for n := int64(-2); n < 1<<bits+2; n++ {
		below, notAbove := have.Rank(big.NewInt(n))
		if b, a := want.Rank(big.NewInt(n)); below != b || notAbove != a {
			t.Fatalf("%s of %v: rank of %d is %d, %d, want %d, %d", name, list, n, below, notAbove,
				b, a)
		}
	}
}

func TestViews(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 22))
	for range 400 {
		const bits = 4
		list := randomCodes(random, bits, 8)
		codes := domain.SortedCodes(list, bits)

		var indices []int
		var chosen []uint64
		for i := range list {
			for range random.IntN(3) {
				indices, chosen = append(indices, i), append(chosen, list[i])
			}
		}
		sameView(t, "picked", &picked{codes, indices}, chosen, bits)
		from := random.IntN(len(list) + 1)
		to := from + random.IntN(len(list)-from+1)
		sameView(t, "ranged", &ranged{codes, from, to}, list[from:to], bits)

		low, longer := make([]uint64, len(list)), make([]uint64, len(list))
		for i := range low {
			low[i] = random.Uint64N(4)
			longer[i] = list[i]<<2 | low[i]
		}
		slices.Sort(longer)
		sameView(t, "appended", withBits(codes, low, 2), longer, bits+2)

		var upTo []int
		var persons []uint64
		distinct := slices.Compact(slices.Clone(list))
		for _, code := range distinct {
			persons = append(persons, slices.Repeat([]uint64{code}, random.IntN(4))...)
			upTo = append(upTo, len(persons))
		}
		sameView(t, "counted", Counted(domain.SortedCodes(distinct, bits), upTo), persons, bits)

		first, last := uint64(0), uint64(1<<bits-1)
		if len(list) > 0 {
			first, last = random.Uint64N(list[0]+1),
				1<<bits-1-random.Uint64N(1<<bits-list[len(list)-1])
		}
		before, after := random.IntN(4), random.IntN(4)
		all := slices.Concat(slices.Repeat([]uint64{first}, before), list,
			slices.Repeat([]uint64{last}, after))
		sameView(t, "padded",
			pad(codes, new(big.Int).SetUint64(first), before, new(big.Int).SetUint64(last), after),
			all, bits)
	}
}
