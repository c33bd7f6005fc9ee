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
