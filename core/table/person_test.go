package table

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
)

// TestPersonsKnown: no two identifiers are known by the same, whether a short one stands for itself
// or not: of every length, with bytes that differ at each place, and with zeros behind.
func TestPersonsKnown(t *testing.T) {
	for _, own := range []bool{false, true} {
		p := newPersons(coin.NewSeeded(3), sipKey{1, 2}, own)
		seen := map[[2]uint64]string{}
		look := func(identifier string) {
			id := p.known([]byte(identifier))
			if other, known := seen[id]; known {
				t.Errorf("own %v: %q and %q are known by the same", own, identifier, other)
			}
			seen[id] = identifier
		}
		for n := range 34 {
			look(strings.Repeat("\x00", n))
			for at := range n {
				for _, c := range []byte{1, 2, 0x80, 0xff} {
					text := []byte(strings.Repeat("\x00", n))
					text[at] = c
					look(string(text))
				}
			}
		}
	}
}

// TestPersonsAhead: what ahead finds are the persons that find gives, through all growth.
func TestPersonsAhead(t *testing.T) {
	p := newPersons(coin.NewSeeded(3), sipKey{1, 2}, true)
	r := rand.New(rand.NewPCG(1, 3))
	number := map[string]uint32{}
	for range 400 {
		var names [aheadRows]string
		for k := range names {
			names[k] = fmt.Sprint("u", r.IntN(60_000))
			p.ids[k] = p.known([]byte(names[k]))
		}
		p.reserve(aheadRows)
		p.ahead(aheadRows)
		for k, name := range names {
			if p.at[k] != 0 && p.at[k] != number[name] || (p.at[k] == 0) != (p.place[k] == 0) {
				t.Fatalf("%s: ahead finds %d at %d, want %d", name, p.at[k], p.place[k],
					number[name])
			}
			who, isNew, err := p.find(p.ids[k], p.place[k])
			if err != nil {
				t.Fatal(err)
			}
			if old, known := number[name]; known == isNew || known && who.at != old {
				t.Fatalf("%s: %d, new %v; before %d, known %v", name, who.at, isNew, old, known)
			}
			number[name] = who.at
		}
	}
	if p.n != len(number) || 4*p.n > 3*len(p.all) {
		t.Errorf("%d persons in %d places, want %d", p.n, len(p.all), len(number))
	}
}

// TestFinisher: a sum has the same code whether its numbers are small or not.
func TestFinisher(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, spec := range []domain.Spec{
		{Kind: domain.Integer, Lo: "-7", Hi: "100"},
		{Kind: domain.Integer, Lo: "0", Hi: "5000"},
		{Kind: domain.Decimal, Lo: "-1.5", Hi: "9", Step: "0.25"},
	} {
		d, err := domain.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range []Of{Sum, Mean, Number} {
			o, err := newOneValue(Value{Column: 1, Of: of}, spec)
			if err != nil {
				t.Fatal(err)
			}
			small, large := o.finisher(d), o.finisher(d)
			if large.small = false; !small.small {
				t.Fatalf("%v: not small", spec)
			}
			for range 20_000 {
				var sum sum128
				sum.add(r.Int64N(1<<(1+r.IntN(34))) - r.Int64N(1<<(1+r.IntN(34))))
				n := uint32(1)
				if of == Mean {
					n = uint32(1 + r.Uint64N(1<<(1+r.IntN(31))))
				}
				if got, want := small.code(sum, n), large.code(sum, n); got != want {
					t.Fatalf("%v, %s: %v by %d has code %d, want %d", spec, of,
						sum.big(new(big.Int)), n, got, want)
				}
			}
			for _, x := range []int64{math.MinInt64, math.MaxInt64, -1 << smallBits,
				1 << smallBits} {
				var sum sum128
				sum.add(x)
				if got, want := small.code(sum, 1), large.code(sum, 1); got != want {
					t.Fatalf("%v: %d has code %d, want %d", spec, x, got, want)
				}
			}
		}
	}
}
