package domain

import (
	"strings"
	"testing"
)

func TestGridEncode(t *testing.T) {
	age := Spec{Kind: Integer, Lo: "-5", Hi: "120"}
	money := Spec{Kind: Decimal, Lo: "-10.00", Hi: "10.00", Step: "0.25", Mark: ",", Group: "."}
	for _, c := range []struct {
		spec Spec
		cell string
		why  Reason
		text string
	}{
		{age, "31", Read, "31"}, {age, " 031 ", Read, "31"}, {age, "+3", Read, "3"},
		{age, "-5", Read, "-5"},
		{age, "-6", Outside, ""}, {age, "121", Outside, ""}, {age, "", Missing, ""},
		{age, "abc", Unreadable, ""},
		{age, "3.0", Read, "3"}, {age, "3.5", Between, ""}, {age, "1e2", Read, "100"},
		{age, "1200E-1", Read, "120"},
		{age, "-0", Read, "0"}, {age, "0x10", Unreadable, ""}, {age, "-", Unreadable, ""},
		{age, ".", Unreadable, ""},
		{age, "99999999999999999999999999", Outside, ""}, {age, "1e999999999999", Outside, ""},
		{age, "0e999999999999", Read, "0"},
		{age, "120.0000000000000000000000000001", Outside, ""}, {age, "\u22125", Read, "-5"},
		{age, "1.2.3", Unreadable, ""},
		{money, "1,30", Read, "1.25"}, {money, "1,375", Read, "1.50"},
		{money, "1,374999999999999999999", Read, "1.25"},
		{money, "-1,375", Read, "-1.25"}, {money, "-1,37500000000000000001", Read, "-1.50"},
		{money, "10,001", Outside, ""},
		{money, "0.010", Read, "10.00"}, {money, "0.01", Unreadable, ""},
		{money, "-10,00", Read, "-10.00"}, {money, "1e-9", Read, "0.00"},
	} {
		d, err := New(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		code, ok := d.Encode([]byte(c.cell))
		why := d.Why([]byte(c.cell))
		if why != c.why || ok != (why == Read) || ok && d.Decode(code) != c.text {
			t.Errorf("%q in %s: %s %q, want %s %q", c.cell, d.Describe(), why, d.Decode(code),
				c.why, c.text)
		}
	}
}

// Spaces around a cell do not count, be it a number, a category or a text listed as missing.
func TestSpaces(t *testing.T) {
	for _, spec := range []Spec{
		{Kind: Category, Categories: []string{" a b", "c "}, Missing: []string{" none "}},
		{Kind: Integer, Lo: "0", Hi: "9", Missing: []string{" none ", "7"}},
	} {
		d, err := New(spec)
		if err != nil {
			t.Fatal(err)
		}
		for cell, want := range map[string]Reason{" a b\t": Read, "a b": Read, "a  b": Outside,
			"c": Read, " none": Missing, "none  ": Missing, " \t": Missing} {
			if spec.Kind == Integer {
				cell = strings.NewReplacer("a b", "1", "c", "2", "a  b", "x").Replace(cell)
				if want == Outside {
					want = Unreadable
				}
			}
			if got := d.Why([]byte(cell)); got != want {
				t.Errorf("%q in %s: %s, want %s", cell, d.Describe(), got, want)
			}
		}
	}
	d, _ := New(Spec{Kind: Integer, Lo: "0", Hi: "9", Missing: []string{"7"}})
	if d.Why([]byte(" 7 ")) != Missing || d.Why([]byte("07")) != Read {
		t.Error("a number listed as missing, and the same number written otherwise")
	}
}
