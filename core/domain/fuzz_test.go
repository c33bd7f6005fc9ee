package domain

import (
	"encoding/json"
	"testing"
)

// FuzzEncode: whatever the spec and the cell, nothing panics; Why agrees with Encode; and what a
// value decodes to encodes to the same code wherever cells are written as Decode writes them.
func FuzzEncode(f *testing.F) {
	for _, c := range every {
		spec, _ := json.Marshal(c.spec)
		for _, cell := range []string{"", "0", "-1.5", "1e3", "2024-02-29",
			"2024-02-29T12:00:00+01:00", "low", "\xff\x00", "1 234,5"} {
			f.Add(string(spec), cell)
		}
	}
	f.Add(`{"kind":"date","format":"DD.MM.YY","lo":"2000-01-01"}`, "1.2.03")
	f.Add(`{"kind":"decimal","step":"0.01","mark":",","group":".","missing":["x"]}`, "1.234,567")
	f.Add(`{"kind":"bytes","length":12}`, "abc\x00\x00")
	f.Fuzz(func(t *testing.T, text, cell string) {
		var spec Spec
		if json.Unmarshal([]byte(text), &spec) != nil {
			return
		}
		if spec.IsWide() {
			w, err := NewWide(spec)
			if err != nil {
				return
			}
			code, ok := w.Encode([]byte(cell))
			if ok != (w.Why([]byte(cell)) == Read) || len(code) > spec.Length {
				t.Fatalf("%q: %v, %s", cell, ok, w.Why([]byte(cell)))
			}
			if ok && string(w.FromNumber(w.Number(code))) != string(code) {
				t.Fatalf("%q has no number of its own", cell)
			}
			w.Decode(code)
			return
		}
		d, err := New(spec)
		if err != nil {
			if d != nil {
				t.Fatal("a domain and an error")
			}
			return
		}
		code, ok := d.Encode([]byte(cell))
		if why := d.Why([]byte(cell)); ok != (why == Read) {
			t.Fatalf("%q: %v, %s", cell, ok, why)
		}
		if ok && code > lastCode(d) {
			t.Fatalf("%q: code %d of %v", cell, code, d.Size())
		}
		if !ok || spec.Kind == Text || spec.Kind == Bytes || spec.Mark == "," || spec.Group != "" ||
			len(spec.Missing) > 0 ||
			spec.Format != "" && spec.Format != formatISO {
			return
		}
		again, ok := d.Encode([]byte(d.Decode(code)))
		if !ok || again != code {
			t.Fatalf("%q has code %d, written %q, read %d %v", cell, code, d.Decode(code), again,
				ok)
		}
	})
}
