package audittest

import (
	"errors"
	"math/big"
	"testing"

	"hush/core/coin"
)

// attempts draws a size by its own law: k with weight 2^(−k−1), kept with probability 3^(−k).
func attempts(src coin.Source) uint64 {
	two, err := coin.NewBase(2, 1)
	if err != nil {
		panic(err)
	}
	three, err := coin.NewBase(3, 1)
	if err != nil {
		panic(err)
	}
	for {
		k := src.Geometric(two)
		if src.Bernoulli(coin.Ratio(1, 1).TimesPower(three, k)) {
			return k
		}
	}
}

// TestFirstTries: k has weight 6^(−k) in the end, here twice in a row, within what is cut.
func TestFirstTries(t *testing.T) {
	law, err := FirstTries(coin.Limits{}, func(src coin.Source) ([2]uint64, error) {
		return [2]uint64{attempts(src), attempts(src)}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if law.Total().Cmp(big.NewRat(1, 1)) != 0 || law.Cut().Cmp(big.NewRat(1, 1<<30)) > 0 {
		t.Errorf("total %v, cut %v", law.Total(), law.Cut())
	}
	for outcome, want := range map[[2]uint64]*big.Rat{
		{0, 0}: big.NewRat(25, 36), {1, 0}: big.NewRat(25, 216), {1, 2}: big.NewRat(25, 36*216),
	} {
		low := law.Mass(outcome)
		if high := new(big.Rat).Add(low, law.Cut()); low.Cmp(want) > 0 || high.Cmp(want) < 0 {
			t.Errorf("%v: from %v to %v, want %v", outcome, low, high, want)
		}
	}
	stop := errors.New("stop")
	if _, err := FirstTries(coin.Limits{}, func(coin.Source) (int, error) {
		return 0, stop
	}); err != stop {
		t.Errorf("the run's error came out as %v", err)
	}
	defer func() {
		if reason := recover(); reason != "broken" {
			t.Errorf("the run's panic came out as %v", reason)
		}
	}()
	FirstTries(coin.Limits{}, func(coin.Source) (int, error) { panic("broken") })
}
