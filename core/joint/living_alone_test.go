package joint

import (
	"math"
	"testing"

	"hush/core/coin"
)

// TestLivingAlone: with tables of one column the truth of a column is in its interval as often as
// is said, the interval is narrower with Gaussian noise, and other tables of columns than those of
// the mechanism are refused.
func TestLivingAlone(t *testing.T) {
	const releases, beta = 200, .2
	sizes, people := town(500)
	where := Within{1, places(5, 0, 2)}
	want := truth(people, where)
	for _, d := range []string{"0.0000001", "0"} {
		by := must(NewPairs(PairsParams{Epsilon: epsilon("2"), Delta: delta(d), Sizes: sizes,
			Alone: 40}))
		hits, wide, before := 0.0, 0.0, 0.0
		for seed := range coin.Seed(releases) {
			measured := must(by.Release(coin.NewSeeded(seed+1), people, nil))
			model := &Model{Measured: measured, Strength: 1,
				rows: newChain(coin.NewSeeded(1), measured).rows}
			l := must(NewLiving(model, by))
			low, high := l.raw([]Within{where}, beta)
			hits += one(low <= want && want <= high)
			wide += high - low
			low, high = laid(t, "2", d, uint64(seed)+1, people, sizes).raw([]Within{where}, beta)
			before += high - low
			measured.Singles[1].StdDev *= 1.01
			if _, err := NewLiving(model, by); err == nil {
				t.Fatal("another noise is taken")
			}
			measured.Singles = nil
			if _, err := NewLiving(model, by); err == nil {
				t.Fatal("a release without tables of one column is taken")
			}
		}
		least := releases*(1-beta) - 4*math.Sqrt(releases*beta*(1-beta))
		// By Laplace noise the mean of all tables of pairs is the best way to count a column.
		if hits < least || wide > map[bool]float64{true: 1.15, false: .95}[d == "0"]*before {
			t.Errorf("δ = %s: %v of %d, %v wide and %v without", d, hits, releases, wide, before)
		}
	}
}
