package table

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
)

// personsFile has rows of a tenth as many persons, in any order: an identifier, a group, a day and
// a value.
func personsFile(rows int) []byte {
	r := rand.New(rand.NewPCG(7, 8))
	b := make([]byte, 0, 30*rows)
	b = append(b, "person,group,day,value\n"...)
	for range rows {
		b = fmt.Appendf(b, "u%07d,g%02d,%d,%d\n", r.IntN(rows/10), r.IntN(20), r.IntN(365),
			r.IntN(500))
	}
	return b
}

// BenchmarkUse reads the same file without persons, with one row of each, and by each kind of use.
func BenchmarkUse(b *testing.B) {
	file := personsFile(benchRows)
	value := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "5000"}
	day := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "365"}
	for _, c := range []struct {
		name   string
		person int
		use    *Use
	}{
		{"rows", 0, nil},
		{"one row", 1, nil},
		{"3 rows", 1, &Use{Rows: 3}},
		{"10 rows", 1, &Use{Rows: 10}},
		{"2 rows in 5 groups", 1, &Use{Rows: 2, Groups: 5, Column: 2}},
		{"sum", 1, &Use{Values: []Value{{Column: 4, Of: Sum}}}},
		{"number", 1, &Use{Values: []Value{{Column: 4, Of: Number}}}},
		{"latest", 1, &Use{Values: []Value{{4, Latest, &Wanted{3, day}}}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				e, err := NewEncode(EncodeParams{Options: plainCSV(4),
					Columns: []Wanted{{4, value}}, Person: c.person, Use: c.use,
					Source: coin.NewSeeded(1), Rows: benchRows})
				if err != nil {
					b.Fatal(err)
				}
				const chunk = 1 << 20
				for at := 0; at < len(file); at += chunk {
					if err := e.Write(file[at:min(at+chunk, len(file))]); err != nil {
						b.Fatal(err)
					}
				}
				held := e.codeBytes()
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(held)/(1<<20), "MB-held")
			}
		})
	}
}

// benchRows is how many rows BenchmarkUse reads.
const benchRows = 10_000_000
