package engine

import (
	"math/big"
	"slices"
	"testing"

	"hush/core/privacy"
)

// TestComposeComparesTheRules: many small losses come to less by the rules for losses fixed
// beforehand, at a δ that is stated, and basic composition is the sum that the ledger counts.
func TestComposeComparesTheRules(t *testing.T) {
	for _, c := range []struct {
		limit *Limit
		delta *big.Rat
	}{
		{nil, big.NewRat(1, 1_000_000)},
		{&Limit{Epsilon: "3"}, big.NewRat(1, 1_000_000)},
		{&Limit{Epsilon: "3", Delta: "0.00001"}, big.NewRat(1, 100_000)},
	} {
		s := spending(t, "", slices.Repeat([]string{"0.01"}, 100)...)
		s.Limit = c.limit
		total, err := s.Compose()
		if err != nil {
			t.Fatal(err)
		}
		by := map[privacy.Rule]*big.Rat{}
		for _, candidate := range total.Considered {
			epsilon, _ := candidate.Loss.Epsilon()
			by[candidate.Rule] = epsilon
			if want := c.delta; candidate.Rule != privacy.Basic && candidate.Loss.Delta().
				Cmp(want) != 0 {
				t.Errorf("%s states δ = %v, want %v", candidate.Rule, candidate.Loss.Delta(), want)
			}
		}
		if by[privacy.Basic].Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("basic composition gives %v, want 1", by[privacy.Basic])
		}
		for _, rule := range []privacy.Rule{privacy.Advanced, privacy.Concentrated,
			privacy.Optimal} {
			if by[rule] == nil || by[rule].Cmp(big.NewRat(6, 10)) > 0 {
				t.Errorf("%s gives %v for a hundred releases of 0.01, want well below 1", rule,
					by[rule])
			}
		}
	}
}

func TestRoom(t *testing.T) {
	for _, c := range []struct {
		limit, delta string
		epsilon      string
		want         int64
	}{
		{"1", "", "0.25", 3}, {"1", "", "0.3", 2}, {"1", "", "0.8", 0},
		{"1", "", "0.000001", 750_000}, {"", "", "1", -1},
	} {
		s := spending(t, c.limit, "0.25")
		b, err := s.Budget()
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Room(loss(t, c.epsilon)); got != c.want {
			t.Errorf("after 0.25 of %q there is room for %d releases at %s, want %d", c.limit, got,
				c.epsilon, c.want)
		}
	}
	b, err := Spending{Limit: &Limit{Epsilon: "1", Delta: "0.00001"}}.Budget()
	if err != nil {
		t.Fatal(err)
	}
	each, err := privacy.NewLoss(big.NewRat(1, 100), big.NewRat(3, 1_000_000))
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Room(each); got != 3 {
		t.Errorf("δ = 0.00001 has room for %d releases of 0.000003, want 3", got)
	}
}

// TestGaussianNoiseLeavesNoEpsilon: a sum without an ε leaves none of a limit's.
func TestGaussianNoiseLeavesNoEpsilon(t *testing.T) {
	rho, err := privacy.ParseRho("0.1")
	if err != nil {
		t.Fatal(err)
	}
	if left := between(privacy.ConcentratedLoss(rho), loss(t, "3")); left.Sign() != 0 {
		t.Errorf("%v of ε is left", left)
	}
	if left := between(loss(t, "1"), loss(t, "3")); left.RatString() != "2" {
		t.Errorf("%v of ε is left, want 2", left)
	}
}
