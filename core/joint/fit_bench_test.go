package joint

import (
	"testing"

	"hush/core/coin"
)

// largest are the tables of the largest fit that is promised: 20 columns of 50 places.
func largest() *Measured {
	sizes, people := make([]int, MostColumns), make([][]uint8, MostColumns)
	src := coin.NewSeeded(1)
	for i := range sizes {
		sizes[i] = 50
	}
	for range 50_000 {
		near := src.Uniform(50)
		for i := range people {
			people[i] = append(people[i], uint8((near+src.Uniform(20))%50))
		}
	}
	return must(pairsOf("1", "0.0000001", sizes).Release(src, people, nil))
}

// BenchmarkSweep is a sweep of it: a fit has at most mostSweeps of them.
func BenchmarkSweep(b *testing.B) {
	c := newChain(coin.NewSeeded(1), largest())
	for b.Loop() {
		c.pull()
		if err := c.sweep(nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFitLargest is the whole of it.
func BenchmarkFitLargest(b *testing.B) {
	m := largest()
	for b.Loop() {
		must(Fit(coin.NewSeeded(1), m, nil))
	}
}
