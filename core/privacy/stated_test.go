package privacy

import (
	"math/big"
	"testing"
)

// TestAtStatesAllOfDelta: a loss with a δ of its own that is converted at another is stated at that
// one, and its ε is what its ρ implies at what is left of it.
func TestAtStatesAllOfDelta(t *testing.T) {
	own, most := ratio(t, "3/10000000"), delta(t, "1e-6")
	left := ratio(t, "7/10000000")
	for name, loss := range map[string]Loss{
		"noise beside a δ": ConcentratedLoss(rho(t, "0.05")).Plus(Loss{delta: own}),
		"many small ε":     {epsilon: big.NewRat(10, 1), rho: big.NewRat(1, 20), delta: own},
	} {
		at, err := loss.At(most)
		if err != nil || at.Delta().Cmp(most.r) != 0 ||
			at.epsilonOrZero().Cmp(epsilonFromRho(loss.Rho(), left)) != 0 {
			t.Errorf("%s: %v, %v", name, at, err)
		}
		if _, err := loss.At(delta(t, "1e-7")); err == nil {
			t.Errorf("%s: stated at less than its own δ", name)
		}
	}
}

// TestDeltaIsAProbabilityBelowOne: neither a number nor a text that is 1 or more, or negative, is
// a δ.
func TestDeltaIsAProbabilityBelowOne(t *testing.T) {
	for text, want := range map[string]bool{"0": true, "1/1000": true, "999999/1000000": true,
		"1": false, "1000001/1000000": false, "7": false} {
		if _, err := NewDelta(ratio(t, text)); (err == nil) != want {
			t.Errorf("δ = %s: %v", text, err)
		}
		if _, err := ParseDelta(text); (err == nil) != want {
			t.Errorf("δ = %s, as text: %v", text, err)
		}
		var d Delta
		if err := d.UnmarshalText([]byte(text)); (err == nil) != want {
			t.Errorf("δ = %s, as JSON: %v", text, err)
		}
		if loss := (Loss{delta: ratio(t, text)}); loss.Protects() != want {
			t.Errorf("δ = %s: protects %v", text, !want)
		}
	}
	for _, r := range []*big.Rat{nil, big.NewRat(-1, 1000)} {
		if _, err := NewDelta(r); err == nil {
			t.Errorf("δ = %v was taken", r)
		}
	}
}

// TestNumbersAreHandedOutAsCopies: what a caller does to a number changes no ε, δ, ρ or loss.
func TestNumbersAreHandedOutAsCopies(t *testing.T) {
	e, d, r := epsilon(t, "1/3"), delta(t, "1/7"), rho(t, "1/5")
	loss := ApproximateLoss(e, d).WithRho(big.NewRat(1, 1000))
	before := loss.Exact()
	kept, _ := loss.Epsilon()
	for _, number := range []*big.Rat{e.Rat(), d.Rat(), r.Rat(), kept, loss.Rho(), loss.Delta(),
		loss.epsilonOrZero()} {
		number.SetInt64(99)
	}
	if loss.Exact() != before || e.String() != "1/3" || d.String() != "1/7" || r.String() != "0.2" {
		t.Errorf("have %s, %v, %v, %v, want %s", loss.Exact(), e, d, r, before)
	}
}

// TestEqualChoicesAreCounted: choices compose as this many equal ones, however they are listed,
// only where all are choices of one ε.
func TestEqualChoicesAreCounted(t *testing.T) {
	tenth, fifth := ChoiceLoss(epsilon(t, "1/10")), ChoiceLoss(epsilon(t, "1/5"))
	for _, c := range []struct {
		losses []Several
		want   uint64
	}{
		{[]Several{{tenth, 3}, {tenth, 4}}, 7},
		{[]Several{{tenth, 4}, {tenth, 1}, {tenth, 1}}, 6},
		{[]Several{{tenth, 3}, {fifth, 4}}, 0}, // H: adaptive.md one-range
		{[]Several{{fifth, 3}, {tenth, 4}}, 0},
		// H: adaptive.md range
		{[]Several{{tenth, 3}, {PureLoss(epsilon(t, "1/10")), 4}}, 0},
		{[]Several{{tenth.Plus(tenth), 3}}, 0}, // a sum has no range of its ε
		{nil, 0},
	} {
		if got := equalChoices(c.losses); got.Times != c.want {
			t.Errorf("%v: %d equal choices, want %d", c.losses, got.Times, c.want)
		}
	}
	listed, err := ComposeSeveral([]Several{{tenth, 4}, {tenth, 4}}, delta(t, "1e-6"))
	if err != nil {
		t.Fatal(err)
	}
	together, err := ComposeSeveral([]Several{{tenth, 8}}, delta(t, "1e-6"))
	if err != nil || asText(t, listed) != asText(t, together) {
		t.Errorf("4 and 4: %s, 8: %s, %v", asText(t, listed), asText(t, together), err)
	}
}

// TestRefusedAndToldApart: no part is more than its whole, filters of another δ or slack are
// others, and a group has a range of its ε where one person has.
func TestRefusedAndToldApart(t *testing.T) {
	func() {
		defer func() {
			if recover() == nil {
				t.Error("three halves of ε were handed out")
			}
		}()
		epsilon(t, "1").Part(3, 2)
	}()
	filter := func(d, slack string) *Filter {
		f, err := NewFilter(FilterParams{Epsilon: epsilon(t, "1"), Delta: delta(t, d),
			Slack: delta(t, slack)})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := filter("1e-6", "1e-6")
	if !f.Same(filter("1e-6", "1e-6")) || f.Same(filter("1e-7", "1e-6")) ||
		f.Same(filter("1e-6", "1e-7")) {
		t.Error("filters are not told apart by δ and slack")
	}
	for _, c := range []struct {
		one  Loss
		want bool
	}{{PureLoss(epsilon(t, "1")), false}, {ChoiceLoss(epsilon(t, "1")), true}} {
		if group, err := c.one.Group(3); err != nil || group.ranged != c.want {
			t.Errorf("%v: a group has a range: %v, %v", c.one, group.ranged, err)
		}
	}
}

// TestOptimalRoundedUp: the composed ε is at least ln of its odds, which are those of a lattice
// rounded up.
func TestOptimalRoundedUp(t *testing.T) {
	for _, e := range oddNumbers(30, 0.5) {
		losses := []Loss{{epsilon: e}, {epsilon: e}, {epsilon: e}}
		slack := big.NewRat(1, 1000)
		odds := smallestOdds(lossLaw(ExpUp(e), []int{1, 1, 1}, 3), ExpUp(e), slack)
		if odds.Cmp(one) > 0 {
			outward(t, "the optimal ε", optimalEpsilon(losses, slack), refLog(ref(odds)))
		}
	}
}
