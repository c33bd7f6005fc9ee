package readers

import (
	"os"
	"testing"
)

// BenchmarkRead makes text of the file that HUSH_READ names. As a program of the browser, in Node,
// it is what these readers would be in a tab: static/readers/README.md has what came of it.
func BenchmarkRead(b *testing.B) {
	name := os.Getenv("HUSH_READ")
	if name == "" {
		b.Skip("skipped: HUSH_READ names no file")
	}
	f, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	kind, err := Kind(f)
	if err != nil {
		b.Fatal(err)
	}
	o, err := Options(f, kind)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		n := 0
		take := func(piece []byte) error {
			n += len(piece)
			return nil
		}
		if err := Text(f, kind, o, func(int64) {}, take); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(n))
	}
}
