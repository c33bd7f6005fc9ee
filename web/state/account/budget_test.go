package account

import (
	"math/big"
	"testing"
)

func TestNumbersLeftAreNeverOverstated(t *testing.T) {
	for number, want := range map[string]string{"5/2": "2.5", "1/3": "0.333333333333…",
		"2/3": "0.666666666666…", "1/1000000": "0.000001", "0": "0"} {
		r, _ := new(big.Rat).SetString(number)
		if got := atLeast(r); got != want {
			t.Errorf("%s is left as %q, want %q", number, got, want)
		}
	}
	if got := AtMost(big.NewRat(1, 3)); got != "≤ 0.333333333334" {
		t.Errorf("1/3 was spent as %q", got)
	}
}
