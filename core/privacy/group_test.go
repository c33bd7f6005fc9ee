package privacy

import (
	"math/big"
	"testing"
)

// TestGroupOfMany: δ of a group is at least its size times δ, in either form of the bound.
func TestGroupOfMany(t *testing.T) {
	delta := big.NewRat(1, 1_000_000)
	one, err := NewLoss(big.NewRat(1, 1_000_000), delta)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []int64{2, 64, 65, 1000} {
		group, err := one.Group(Distance(d))
		least := new(big.Rat).Mul(delta, big.NewRat(d, 1))
		if err != nil || group.Delta().Cmp(least) < 0 {
			t.Errorf("δ of %d persons is %v, %v", d, group.Delta(), err)
		}
	}
}

// TestMulUp: a product below the last bit is rounded up to it, and an exact one stays.
func TestMulUp(t *testing.T) {
	for _, tt := range []struct{ x, y, want *big.Int }{
		{oneInt, oneInt, oneInt}, {oneInt, pow2(workBits), oneInt},
		{oneInt, new(big.Int), new(big.Int)}} {
		if got := mulUp(tt.x, tt.y); got.Cmp(tt.want) != 0 {
			t.Errorf("%v · %v is %v, want %v", tt.x, tt.y, got, tt.want)
		}
	}
}

// TestDeltaOfEach: d entries, each with a part of ε and DeltaOfEach's δ, have together the ε and
// hardly less than the δ that were given, and never more.
func TestDeltaOfEach(t *testing.T) {
	for _, epsilon := range []string{"0.001", "0.5", "1", "7", "20"} {
		for _, delta := range []string{"0.01", "1e-7", "1/3000000000", "1e-30"} {
			for _, d := range []int64{1, 2, 3, 10, 64, 65, 1000} {
				whole, allowed := must(ParseEpsilon(epsilon)), must(ParseDelta(delta))
				each := must(DeltaOfEach(whole.Part(1, d), allowed, Distance(d)))
				loss := must(ApproximateLoss(whole.Part(1, d), each).Group(Distance(d)))
				have, _ := new(big.Rat).Quo(loss.Delta(), allowed.Rat()).Float64()
				if spent, _ := loss.Epsilon(); spent.Cmp(whole.Rat()) != 0 || have > 1 ||
					have < 1-1e-9 {
					t.Errorf("ε = %s, δ = %s, d = %d: ε = %s and %g of δ", epsilon, delta, d,
						spent.RatString(), have)
				}
			}
		}
	}
	if d := must(DeltaOfEach(must(ParseEpsilon("1")), Delta{}, 5)); !d.IsZero() {
		t.Errorf("of no δ each has %s", d)
	}
	if _, err := DeltaOfEach(must(ParseEpsilon("100")), must(ParseDelta("1e-7")),
		1_000_000); err == nil {
		t.Error("e^100000000 is a factor")
	}
}

// must is a value whose making cannot fail in a test.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
