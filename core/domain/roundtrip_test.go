package domain

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// every holds one Spec of each kind and shape, with what Describe says.
var every = []struct {
	spec Spec
	says string
}{
	{Spec{Kind: Integer, Lo: "0", Hi: "120"}, "whole numbers from 0 to 120"},
	{Spec{Kind: Integer, Lo: "-7", Hi: "-7"}, "whole numbers from -7 to -7"},
	{Spec{Kind: Integer},
		"every 64-bit whole number, from -9223372036854775808 to 9223372036854775807"},
	{Spec{Kind: Integer, Lo: "9223372036854775800"},
		"whole numbers from 9223372036854775800 to 9223372036854775807"},
	{Spec{Kind: Decimal, Lo: "-1", Hi: "1", Step: "0.25"},
		"numbers from -1.00 to 1.00 in steps of 0.25"},
	{Spec{Kind: Decimal, Lo: "0.005", Hi: "0.105", Step: "0.01"},
		"numbers from 0.005 to 0.105 in steps of 0.010"},
	{Spec{Kind: Decimal, Step: "0.5"},
		"numbers from -99999999999999999.5 to 99999999999999999.5 in steps of 0.5"},
	{Spec{Kind: Decimal, Lo: "1", Step: "3"}, "numbers from 1 to 999999999999999997 in steps of 3"},
	{Spec{Kind: Decimal, Hi: "0.00", Step: "0.07"},
		"numbers from -9999999999999999.99 to 0.00 in steps of 0.07"},
	{Spec{Kind: Float64}, "every 64-bit floating-point number, infinities included"},
	{Spec{Kind: Float64, Lo: "-0", Hi: "5e-324"},
		"every 64-bit floating-point number from 0 to 5e-324"},
	{Spec{Kind: Float64, Lo: "-1e10", Hi: "1.5"},
		"every 64-bit floating-point number from -1e+10 to 1.5"},
	{Spec{Kind: Date, Lo: "2024-02-27", Hi: "2024-03-02"}, "days from 2024-02-27 to 2024-03-02"},
	{Spec{Kind: Date}, "days from 0001-01-01 to 9999-12-31"},
	{Spec{Kind: Timestamp, Lo: "2024-03-10", Hi: "2024-03-11", Zone: "+05:30"},
		"seconds from 2024-03-10T00:00:00+05:30 to 2024-03-11T00:00:00+05:30, cells without a " +
			"zone in UTC+05:30"},
	{Spec{Kind: Timestamp, Step: "hour"},
		"hours from 0001-01-01T00:00:00Z to 9999-12-31T23:00:00Z, cells without a zone in UTC"},
	{Spec{Kind: Timestamp, Step: "day", Zone: "-08:00", Lo: "1969-12-30", Hi: "1970-01-02"},
		"days from 1969-12-30 to 1970-01-02, cells without a zone in UTC-08:00"},
	{Spec{Kind: Timestamp, Step: "microsecond"}, "microseconds from 0001-01-01T00:00:00.000000Z " +
		"to 9999-12-31T23:59:59.999999Z, cells without a zone in UTC"},
	{Spec{Kind: Timestamp, Step: "nanosecond", Lo: "1677-12-31",
		Hi: "2262-01-01T00:00:00.000000001Z"},
		"nanoseconds from 1677-12-31T00:00:00.000000000Z to 2262-01-01T00:00:00.000000001Z, " +
			"cells without a zone in UTC"},
	{Spec{Kind: Timestamp, Step: "millisecond", Lo: "1969-12-31T23:59:59.998Z",
		Hi: "1970-01-01T00:00:00.002Z"},
		"milliseconds from 1969-12-31T23:59:59.998Z to 1970-01-01T00:00:00.002Z, cells without a " +
			"zone in UTC"},
	{Spec{Kind: Category, Categories: []string{"low", "mid", "high", "très haut", "x", "y", "z"}},
		`7 categories: "low", "mid", "high", "très haut", "x" and 2 more`},
	{Spec{Kind: Category, Categories: []string{"only"}}, `one category: "only"`},
	{Spec{Kind: Text, Length: 1}, "texts of at most 1 byte"},
	{Spec{Kind: Bytes, Length: 8}, "byte strings of at most 8 bytes"},
}

// codesOf lists the ends of a domain, their neighbours, and some codes between.
func codesOf(d Domain) []uint64 {
	last := lastCode(d)
	list := []uint64{0, last, last / 2, last / 3, min(1, last), last - min(1, last)}
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		c := r.Uint64() >> r.IntN(64)
		if c <= last {
			list = append(list, c)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func TestEveryDomain(t *testing.T) {
	for _, c := range every {
		t.Run(c.says, func(t *testing.T) {
			d, err := New(c.spec)
			if err != nil {
				t.Fatal(err)
			}
			if got := d.Describe().String(); got != c.says {
				t.Errorf("Describe: %s", got)
			}
			if !slices.Equal(d.Spec().Categories, c.spec.Categories) ||
				d.Spec().Kind != c.spec.Kind {
				t.Errorf("Spec: %+v", d.Spec())
			}
			size, last := d.Size(), lastCode(d)
			if d.Bits() < 1 || size.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(d.Bits()))) > 0 ||
				d.Bits() > 1 && size.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(d.Bits()-1))) <= 0 {
				t.Errorf("%d bits for %v values", d.Bits(), size)
			}
			if _, ok := After(d, last); ok {
				t.Error("a value after the last")
			}
			if _, ok := Before(0); ok {
				t.Error("a value before the first")
			}
			if d.Decode(last) != d.Decode(math.MaxUint64) {
				t.Error("a code beyond the last does not stand for the last")
			}
			for _, code := range codesOf(d) {
				cell := d.Decode(code)
				if strings.HasPrefix(cell, `"`) || cell == "" || c.spec.Kind == Text &&
					len(cell) == 0 {
					continue // texts that are shown escaped: see TestText
				}
				if got, ok := d.Encode([]byte(cell)); !ok || got != code {
					t.Fatalf("code %d is %q, which reads as %d, %v", code, cell, got, ok)
				}
				if got, ok := d.Encode([]byte(cell)); d.Why([]byte(cell)) != Read || !ok ||
					got != code {
					t.Fatalf("%q: Why and Encode disagree", cell)
				}
			}
		})
	}
}

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		spec   Spec
		rising []string
	}{
		{Spec{Kind: Integer},
			[]string{"-9223372036854775808", "-1", "0", "1", "9223372036854775807"}},
		{Spec{Kind: Decimal, Lo: "-2", Hi: "2", Step: "0.1"},
			[]string{"-2", "-0.1", "0", "0.1", "1.9", "2"}},
		{Spec{Kind: Float64},
			[]string{"-Inf", "-1.7976931348623157e308", "-1", "-5e-324", "0", "5e-324",
				"2.2250738585072014e-308", "1", "1.0000000000000002", "inf"}},
		{Spec{Kind: Date},
			[]string{"0001-01-01", "1582-10-10", "1969-12-31", "1970-01-01", "2000-02-29",
				"2000-03-01", "9999-12-31"}},
		{Spec{Kind: Timestamp},
			[]string{"1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z"}},
		{Spec{Kind: Category, Categories: []string{"b", "a"}}, []string{"b", "a"}},
		{Spec{Kind: Text, Length: 3},
			[]string{"!", "A", "AA", "AAA", "AB", "a", "é", "\U0001f600"[:3]}},
	} {
		d, err := New(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(c.rising); i++ {
			a, _ := d.Encode([]byte(c.rising[i-1]))
			b, ok := d.Encode([]byte(c.rising[i]))
			if ok && a >= b {
				t.Errorf("%s: %q has code %d, %q has %d", d.Describe(), c.rising[i-1], a,
					c.rising[i], b)
			}
		}
	}
}

func TestMidpoint(t *testing.T) {
	const m = math.MaxUint64
	for _, c := range [][3]uint64{{0, 0, 0}, {0, 1, 0}, {3, 8, 5}, {8, 3, 5}, {m, m, m},
		{m - 1, m, m - 1}, {0, m, m / 2}} {
		if got := Midpoint(c[0], c[1]); got != c[2] {
			t.Errorf("between %d and %d: %d, want %d", c[0], c[1], got, c[2])
		}
	}
	f, _ := New(Spec{Kind: Float64})
	lo, _ := f.Encode([]byte("-inf"))
	hi, _ := f.Encode([]byte("inf"))
	if got := f.Decode(Midpoint(lo, hi)); got != "0" {
		t.Errorf("between the infinities: %s", got)
	}
}

func TestFloats(t *testing.T) {
	d, err := New(Spec{Kind: Float64})
	if err != nil {
		t.Fatal(err)
	}
	if want := new(big.Int).SetUint64(2*0x7ff0000000000000 + 1); d.Size().Cmp(want) != 0 {
		t.Errorf("size %v, want %v", d.Size(), want)
	}
	zero, _ := d.Encode([]byte("0"))
	for cell, want := range map[string]Reason{"-0": Read, "-0.0e5": Read, "nan": Unreadable,
		"NaN": Unreadable, "1e309": Outside, "-1e400": Outside,
		"1_000": Unreadable, "0x1p3": Unreadable, "infinit": Unreadable, "Infinity": Read,
		"-∞": Read, "": Missing, ".5": Read, "5.": Read, ".": Unreadable, "1e": Unreadable} {
		if got := d.Why([]byte(cell)); got != want {
			t.Errorf("%q: %s, want %s", cell, got, want)
		}
	}
	for _, cell := range []string{"-0", "-0.0e5", "1e-400"} {
		if code, _ := d.Encode([]byte(cell)); code != zero {
			t.Errorf("%q is not zero", cell)
		}
	}
	comma, err := New(
		Spec{Kind: Float64, Lo: "-1", Hi: "1e6", Mark: ",", Group: " ", Outside: Clamp,
			Missing: []string{"-9"}})
	if err != nil {
		t.Fatal(err)
	}
	for cell, want := range map[string]string{"1 234,5": "1234.5", "\u22120,5": "-0.5",
		"9\u202f999\u202f999": "1e+06", "-1e999": "-1", "1e999": "1e+06"} {
		if code, ok := comma.Encode([]byte(cell)); !ok || comma.Decode(code) != want {
			t.Errorf("%q reads as %s, %v, want %s", cell, comma.Decode(code), ok, want)
		}
	}
	if comma.Why([]byte("-9")) != Missing {
		t.Error("-9 is not missing")
	}
}

// The reader without calls agrees with the one that reads anything.
func TestGridEncodeAgreesWithPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, spec := range []Spec{
		{Kind: Integer, Lo: "-50", Hi: "1000"}, {Kind: Integer},
		{Kind: Decimal, Lo: "-5", Hi: "5", Step: "0.05"},
		{Kind: Decimal, Lo: "-6", Hi: "6", Step: "0.03", Mark: ",", Group: "."},
		{Kind: Decimal, Step: "0.000001", Outside: Clamp},
	} {
		g, err := newGrid(spec)
		if err != nil {
			t.Fatal(err)
		}
		for range 20000 {
			cell := make([]byte, r.IntN(12))
			for i := range cell {
				cell[i] = "0123456789-.,+e "[min(r.IntN(16), r.IntN(24))]
			}
			code, ok := g.Encode(cell)
			want, why := g.place(cell)
			if ok != (why == Read) || ok && code != want {
				t.Fatalf("%q in %s: %d %v, want %d %s", cell, g.Describe(), code, ok, want, why)
			}
			// and place agrees with exact rational arithmetic
			if text := strings.TrimSpace(
				strings.ReplaceAll(string(cell), ",", "")); spec.Mark == "" && ok &&
				spec.Group == "" && !strings.Contains(string(cell), ",") {
				x, good := new(big.Rat).SetString(text)
				if !good {
					continue // big.Rat takes no large exponents
				}
				first, step := g.Linear()
				at := new(big.Rat).Quo(new(big.Rat).Sub(x, first), step)
				diff := at.Sub(
					at, new(big.Rat).SetFrac(new(big.Int).SetUint64(code), big.NewInt(1)))
				if inside := x.Cmp(first) >= 0; inside && spec.Outside != Clamp &&
					(diff.Cmp(big.NewRat(-1, 2)) < 0 || diff.Cmp(big.NewRat(1, 2)) >= 0) {
					t.Fatalf("%q in %s: code %d is %v steps off", cell, g.Describe(), code, diff)
				}
			}
		}
	}
}
