package table

import (
	"slices"
	"strings"
	"testing"

	"hush/core/coin"
)

// TestIdentitiesCompareInFull: persons known by 128 bits that agree in 64 of them are two, row by
// row and many rows at once, wherever in the table they stand.
func TestIdentitiesCompareInFull(t *testing.T) {
	halves := []uint64{0, 1, 2, 1 << 32, 1 << 56, 1<<63 + 5, 1<<64 - 1}
	p := newPersons(coin.NewSeeded(3), sipKey{1, 2}, true)
	p.mix = mixKey{0, 0, 0} // every look begins at the first place, and meets all others
	var ids [][2]uint64
	for _, a := range halves {
		for _, b := range halves {
			ids = append(ids, [2]uint64{a, b})
		}
	}
	for i, id := range ids {
		who, isNew, err := p.find(id, 0)
		if err != nil || !isNew || int(who.at) != i+1 {
			t.Fatalf("%x is person %d, new %v, %v, want %d", id, who.at, isNew, err, i+1)
		}
	}
	slices.Reverse(ids)
	copy(p.ids[:], ids)
	p.ahead(len(ids))
	for k, id := range ids {
		who, isNew, _ := p.find(id, 0)
		if want := uint32(len(ids) - k); isNew || who.at != want || p.at[k] != want {
			t.Errorf("%x is person %d, new %v, and ahead %d, want %d", id, who.at, isNew, p.at[k],
				want)
		}
	}
}

// TestLongIdentitiesAreNoShortOnes: what stands for a long identifier ends in a byte that no length
// of a short one is, whatever its hash.
func TestLongIdentitiesAreNoShortOnes(t *testing.T) {
	p := newPersons(coin.NewSeeded(3), sipKey{1, 2}, true)
	for n := 16; n < 200; n++ {
		if end := p.known([]byte(strings.Repeat("x", n)))[1] >> 56; end != 0xff {
			t.Errorf("%d bytes: %x, want ff", n, end)
		}
	}
	for n := range 16 {
		if end := p.known([]byte(strings.Repeat("x", n)))[1] >> 56; end != uint64(n) {
			t.Errorf("%d bytes: %x, want their number", n, end)
		}
	}
}

// TestKeyIsDrawnInFull: no half of a key is what it is without coins.
func TestKeyIsDrawnInFull(t *testing.T) {
	src := coin.NewSeeded(8)
	one, other := drawKey(src), drawKey(src)
	for i := range one {
		if one[i] == 0 || one[i] == other[i] {
			t.Errorf("half %d of two keys is %x and %x", i, one[i], other[i])
		}
	}
	if one[0] == one[1] {
		t.Errorf("both halves of a key are %x", one[0])
	}
}

// TestPersonsKeepTheirRows: a table that grows forgets neither who is in it nor how many rows each
// has, by which the next one is kept.
func TestPersonsKeepTheirRows(t *testing.T) {
	p := newPersons(coin.NewSeeded(3), sipKey{1, 2}, true)
	const many = 3000 // grows thrice
	for k := range uint64(many) {
		p.reserve(1)
		for range k%5 + 1 {
			if _, _, _, err := p.take([2]uint64{k, ^k}, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	for k := range uint64(many) {
		who := p.look([2]uint64{k, ^k})
		if uint64(who.rows) != k%5+1 || uint64(who.at) != k+1 {
			t.Fatalf("person %d has %d rows and number %d, want %d and %d", k, who.rows, who.at,
				k%5+1, k+1)
		}
	}
}
