package audit

import (
	"errors"
	"math/big"
	"testing"

	"hush/core/coin"
)

// TestMixture compares with an enumeration that cuts the tail: the two differ by no more than was
// cut.
func TestMixture(t *testing.T) {
	r, _ := coin.NewBase(3, 2)
	q, _ := coin.NewBase(5, 3)
	// Three coins, two of them heads with q^(−j)/2, one with 1 − q^(−j)/3.
	run := func(src coin.Source, j uint64) int {
		heads := 0
		for _, p := range []coin.Chance{coin.Ratio(1, 2).TimesPower(q, j),
			coin.Ratio(1, 2).TimesPower(q, j), coin.Ratio(1, 3).TimesPower(q, j).Complement()} {
			if src.Bernoulli(p) {
				heads++
			}
		}
		return heads
	}
	at := func(j uint64) (*coin.Law[int], error) {
		return coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
			return run(src, j), nil
		})
	}
	exact, err := Mixture(r, q, 3, at)
	if err != nil || exact.Total().Cmp(one) != 0 || exact.Cut().Sign() != 0 {
		t.Fatal(exact.Total(), err)
	}
	cut, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
		return run(src, src.Geometric(r)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for heads := range 4 {
		missing := new(big.Rat).Sub(exact.Mass(heads), cut.Mass(heads))
		if missing.Sign() < 0 || missing.Cmp(cut.Cut()) > 0 {
			t.Errorf("mass of %d is %v, by enumeration %v", heads,
				exact.Mass(heads).FloatString(15), cut.Mass(heads).FloatString(15))
		}
	}
	if _, err := Mixture(r, q, 2, at); err == nil {
		t.Error("three coins passed for a polynomial of degree 2") // H: audit.md one-polynomial
	}
	stop := errors.New("stop")
	if _, err := Mixture(r, q, 2, func(uint64) (*coin.Law[int], error) {
		return nil, stop
	}); err != stop {
		t.Error(err)
	}
}
