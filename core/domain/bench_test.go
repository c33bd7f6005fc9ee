package domain

import (
	"fmt"
	"testing"
)

// cells are 1024 texts that a domain of the kind reads.
func cells(format func(i int) string) [][]byte {
	list := make([][]byte, 1024)
	for i := range list {
		list[i] = []byte(format(i * 7919 % 1024))
	}
	return list
}

func BenchmarkEncode(b *testing.B) {
	for _, c := range []struct {
		name  string
		spec  Spec
		cells [][]byte
	}{
		{"integer", Spec{Kind: Integer, Lo: "0", Hi: "1023"},
			cells(func(i int) string { return fmt.Sprint(i) })},
		{"decimal", Spec{Kind: Decimal, Lo: "0", Hi: "100000", Step: "0.01"},
			cells(func(i int) string { return fmt.Sprintf("%d.%02d", i*90, i%100) })},
		{"category",
			Spec{Kind: Category, Categories: []string{"Ankara", "Lima", "Oslo", "Wellington"}},
			cells(func(i int) string {
				return []string{"Ankara", "Lima", "Oslo", "Wellington"}[i%4]
			})},
		{"folded category",
			Spec{Kind: Category, Categories: []string{"Ankara", "Lima", "Oslo", "Wellington"},
				Fold: true},
			cells(func(i int) string {
				return []string{"ANKARA", " lima", "oslo\u00a0", "Wellington"}[i%4]
			})},
	} {
		b.Run(c.name, func(b *testing.B) {
			d, err := New(c.spec)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			i, none := 0, 0
			for b.Loop() {
				if _, ok := d.Encode(c.cells[i&1023]); !ok {
					none++
				}
				i++
			}
			if none > 0 {
				b.Fatalf("%d cells gave none", none)
			}
		})
	}
}
