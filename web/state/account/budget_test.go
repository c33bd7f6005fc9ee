package account

import (
	"math/big"
	"testing"
)

func TestAtMost(t *testing.T) {
	if got := AtMost(big.NewRat(1, 3)); got != "≤ 0.333333333334" {
		t.Errorf("1/3 was spent as %q", got)
	}
}
