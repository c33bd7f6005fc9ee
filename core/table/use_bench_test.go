package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

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

// BenchmarkUse reads a file of 10^7 rows of 10^6 persons with one row of each, and by each kind of
// use. "times" is its time by that of the same file without persons, the least of both: each is
// read in turn, so that what else the machine does falls on both.
func BenchmarkUse(b *testing.B) {
	file := personsFile(benchRows)
	value := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "5000"}
	day := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "365"}
	read := func(person int, use *Use) (time.Duration, int64) {
		start := time.Now()
		e, err := NewEncode(EncodeParams{Options: plainCSV(4), Columns: []Wanted{{4, value}},
			Person: person, Use: use, Source: coin.NewSeeded(1), Rows: benchRows})
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
		return time.Since(start), held
	}
	for _, c := range []struct {
		name string
		use  *Use
	}{
		{"one row", nil},
		{"3 rows", &Use{Rows: 3}},
		{"10 rows", &Use{Rows: 10}},
		{"2 rows in 5 groups", &Use{Rows: 2, Groups: 5, Column: 2}},
		{"sum", &Use{Values: []Value{{Column: 4, Of: Sum}}}},
		{"number", &Use{Values: []Value{{Column: 4, Of: Number}}}},
		{"latest", &Use{Values: []Value{{4, Latest, &Wanted{3, day}}}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			persons, rows := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
			var held int64
			for b.Loop() {
				took, bytes := read(1, c.use)
				persons, held = min(persons, took), bytes
				b.StopTimer()
				took, _ = read(0, nil)
				rows = min(rows, took)
				b.StartTimer()
			}
			b.ReportMetric(float64(persons)/float64(rows), "times")
			b.ReportMetric(float64(held)/(1<<20), "MB-held")
		})
	}
}

// benchRows is how many rows BenchmarkUse reads: of fewer, persons would fit into a cache.
const benchRows = 10_000_000
