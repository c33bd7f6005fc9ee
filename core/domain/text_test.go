package domain

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	d, err := New(Spec{Kind: Bytes, Length: 8})
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range []string{"a", "abcdefgh", "\xff\xfe", "a\x00b"} {
		code, ok := d.Encode([]byte(cell))
		if !ok {
			t.Fatalf("%q is none", cell)
		}
		if got := d.Decode(code); got != Show([]byte(cell)) {
			t.Errorf("%q is shown as %s", cell, got)
		}
	}
	for cell, want := range map[string]string{"x": "x", "é €": "é €", "\xff": `"\xff"`,
		"a\nb": `"a\nb"`, `"a`: `"\"a"`, "": "",
		"ab" + strings.Repeat("\xff", 20): `"ab" and 20 bytes 0xff`} {
		if got := Show([]byte(cell)); got != want {
			t.Errorf("%q is shown as %s, want %s", cell, got, want)
		}
	}
	a, _ := d.Encode([]byte("a"))
	if b, _ := d.Encode([]byte("a\x00\x00")); a != b {
		t.Error("zero bytes at the end make a difference")
	}
	padded, _ := New(Spec{Kind: Text, Length: 2, Missing: []string{"NA"}})
	for cell, want := range map[string]Reason{"NA": Missing, "NA\x00": Missing, " NA \x00": Missing,
		"ab": Read, "ab\x00\x00": Read, "ab\x00c": Outside, "abc\x00": Outside} {
		if got := padded.Why([]byte(cell)); got != want {
			t.Errorf("%q is read with the result %v, want %v", cell, got, want)
		}
	}
	if d.Why([]byte("123456789")) != Outside {
		t.Error("nine bytes fit into eight")
	}
	utf, _ := New(Spec{Kind: Text, Length: 2, Outside: Clamp})
	if utf.Why([]byte("\xff")) != Unreadable {
		t.Error("text that is not UTF-8 is read")
	}
	if code, ok := utf.Encode([]byte("abc")); !ok || utf.Decode(code) != "ab" {
		t.Error("a long text is not cut to the length")
	}
}

func TestWide(t *testing.T) {
	w, err := NewWide(Spec{Kind: Bytes, Length: 20})
	if err != nil {
		t.Fatal(err)
	}
	if w.Bits() != 160 || w.Size().BitLen() != 161 {
		t.Errorf("%d bits, size of %d bits", w.Bits(), w.Size().BitLen())
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		cell := make([]byte, r.IntN(21))
		for i := range cell {
			cell[i] = byte(r.IntN(3) * 127)
		}
		code, ok := w.Encode(cell)
		if !ok {
			if len(cell) > 0 {
				t.Fatalf("%q is none", cell)
			}
			continue
		}
		n := w.Number(code)
		if back := w.FromNumber(n); !bytes.Equal(back, code) {
			t.Fatalf("%q: number %v, back %q", code, n, back)
		}
		one := big.NewInt(1)
		if next, ok := w.After(code); ok {
			if w.Number(next).Cmp(new(big.Int).Add(n, one)) != 0 {
				t.Fatalf("after %q comes %q", code, next)
			}
			if back, ok := w.Before(next); !ok || !bytes.Equal(back, code) {
				t.Fatalf("before %q comes %q", next, back)
			}
		}
		if before, ok := w.Before(code); ok != (n.Sign() > 0) || ok && w.Number(before).
			Cmp(new(big.Int).Sub(n, one)) != 0 {
			t.Fatalf("before %q comes %q", code, before)
		}
		other := w.FromNumber(new(big.Int).Rsh(n, uint(r.IntN(9))))
		mid := new(big.Int).Add(n, w.Number(other))
		if got := w.Number(w.Midpoint(code, other)); got.Cmp(mid.Rsh(mid, 1)) != 0 {
			t.Fatalf("between %q and %q: %v", code, other, got)
		}
	}
	last := w.FromNumber(w.Size())
	if _, ok := w.After(last); ok || len(last) != 20 {
		t.Error("a code after the last")
	}
	if _, ok := w.Before(nil); ok {
		t.Error("a code before the first")
	}
	if w.Number(w.FromNumber(big.NewInt(-5))).Sign() != 0 {
		t.Error("a negative number is not the first code")
	}
}
