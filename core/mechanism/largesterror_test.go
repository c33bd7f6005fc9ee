package mechanism

import (
	"math"
	"math/big"
	"testing"

	"hush/core/coin"
)

// TestLargestErrorMargins: noise of base 2 is below −h with chance 2^−h/3.
func TestLargestErrorMargins(t *testing.T) {
	m := must(NewLargestError(LargestErrorParams{Base: base(2, 1)}))
	for _, c := range []struct {
		thousandths float64
		margin      int64
	}{{334, 0}, {167, 1}, {166, 2}, {84, 2}, {50, 3}, {42, 3}, {41, 4}} {
		if have := m.Margin(c.thousandths / 1000); have != c.margin {
			t.Errorf("at β = %v/1000 it is %d, want %d", c.thousandths, have, c.margin)
		}
	}
	for released, want := range map[int64]int64{-7: 3, 0: 3, 4: 7,
		math.MaxInt64 - 1: math.MaxInt64} {
		if have := m.Within(released, 0.05); have != want {
			t.Errorf("%d released: within %d, want %d", released, have, want)
		}
	}
}

// TestLargestErrorCovers: exactly, whatever the largest error is. A statement that is narrower by
// one misses more often than it may.
func TestLargestErrorCovers(t *testing.T) {
	for _, c := range []struct {
		r    coin.Base
		beta *big.Rat
	}{{base(2, 1), big.NewRat(1, 20)}, {base(3, 2), big.NewRat(1, 20)},
		{base(2, 1), big.NewRat(1, 10)}} {
		m := must(NewLargestError(LargestErrorParams{Base: c.r}))
		beta, _ := c.beta.Float64()
		for truth := range int64(9) {
			misses, narrower := new(big.Rat), new(big.Rat)
			law := must(coin.Enumerate(coin.Limits{Top: 40},
				func(src coin.Source) (int64, error) {
					return m.Within(m.Release(src, truth), beta), nil
				}))
			for _, stated := range law.Outcomes() {
				if truth > stated {
					misses.Add(misses, law.Mass(stated))
				}
				if truth > stated-1 {
					narrower.Add(narrower, law.Mass(stated))
				}
			}
			if misses.Cmp(c.beta) > 0 {
				t.Errorf("base %v, off by %d: missed with chance %v", c.r, truth, misses)
			}
			if truth == 8 && narrower.Cmp(c.beta) <= 0 {
				t.Errorf("base %v: narrower by one it still misses with chance %v only", c.r,
					narrower)
			}
		}
	}
}
