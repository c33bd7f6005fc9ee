package privacy

import (
	"encoding/json"
	"errors"
	"math/big"
	"testing"
)

// restOf is that of r = 5/4 → 2 for one count.
func restOf(t *testing.T) (first, whole, rest Loss) {
	t.Helper()
	first, _ = LossFromOdds(big.NewRat(5, 4), nil)
	whole, _ = LossFromOdds(big.NewRat(2, 1), nil)
	rest, err := Rest(whole, first, big.NewRat(1, 4))
	if err != nil {
		t.Fatal(err)
	}
	return first, whole, rest
}

func TestRest(t *testing.T) {
	first, whole, rest := restOf(t)
	if odds, exact := rest.Odds(); !exact || odds.Cmp(big.NewRat(8, 5)) != 0 || !rest.IsRest() {
		t.Errorf("odds %v, a rest %v; want 8/5", odds, rest.IsRest())
	}
	both := first.Plus(rest)
	if odds, exact := both.Odds(); !exact || odds.Cmp(big.NewRat(2, 1)) != 0 {
		t.Errorf("both: odds %v, want 2", odds)
	}
	have, _ := both.Epsilon()
	if want, _ := whole.Epsilon(); have.Cmp(want) != 0 || !both.IsRest() {
		t.Errorf("both: ε = %v, want %v", have, want)
	}
	sum := first.Rho()
	if sum.Add(sum, big.NewRat(1, 4)); both.Rho().Cmp(sum) != 0 {
		t.Errorf("both: ρ = %v, want %v", both.Rho(), sum)
	}
	group, err := rest.Group(3)
	if err != nil || group.Rho().Cmp(big.NewRat(9, 4)) != 0 || !group.IsRest() {
		t.Errorf("three persons: ρ = %v, want 9/4, %v", group.Rho(), err)
	}
	// H: group.md has-epsilon
	if _, err := rest.Plus(NoPrivacy()).Group(2); !errors.Is(err, ErrNoBound) {
		t.Errorf("two persons, with a δ: %v", err)
	}
	if stated := rest.Stated(); stated.Rho().Cmp(big.NewRat(1, 4)) != 0 {
		t.Errorf("stated: ρ = %v, want 1/4, more than ε implies", stated.Rho())
	}
	if raised := rest.Raised(Epsilon{big.NewRat(1, 2)}, Delta{}); raised != rest {
		t.Errorf("raised: %v", raised)
	}
	alike, _ := LossFromOdds(big.NewRat(8, 5), nil)
	if rest.AtMost(alike.WithRho(big.NewRat(1, 4))) || !rest.AtMost(rest) {
		t.Error("a rest promises what a mechanism of its ε does")
	}
	for name, c := range map[string]struct{ whole, first Loss }{
		"no more":         {first, first},                                   // H: rest.md more
		"less":            {first, whole},                                   // H: rest.md more
		"of a rest":       {whole, rest},                                    // H: rest.md pure
		"a rest in whole": {both, first},                                    // H: rest.md pure
		"with a δ":        {NoPrivacy(), first},                             // H: rest.md pure
		"no ε":            {ConcentratedLoss(Rho{big.NewRat(1, 1)}), first}, // H: rest.md pure
	} {
		if _, err := Rest(c.whole, c.first, big.NewRat(1, 4)); !errors.Is(err, ErrNoBound) {
			t.Errorf("%s: %v, want no bound", name, err)
		}
	}
}

// TestRestComposes: rules by ε alone leave a rest out, those by ρ and the sum do not.
func TestRestComposes(t *testing.T) {
	first, _, rest := restOf(t)
	delta := Delta{big.NewRat(1, 1_000_000)}
	total, err := ComposePlan([]Planned{{Loss: first}, {Loss: rest}}, delta)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range total.Considered {
		if c.Rule != Basic && c.Rule != Concentrated { // H: rest.md sum-only
			t.Errorf("%v takes the ε of a top-up for that of a mechanism", c.Rule)
		}
	}
	if len(total.Considered) != 2 {
		t.Errorf("%d rules, want 2", len(total.Considered))
	}
	if rule, epsilon := worstCase(rest, 4, delta.Rat()); epsilon != nil { // H: rest.md sum-only
		t.Errorf("%v: four rests have ε = %v", rule, epsilon)
	}
	if _, err := rest.Subsampled(1, 2); !errors.Is(err, ErrNoBound) { // H: rest.md sum-only
		t.Errorf("half the persons: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a rest got a range")
		}
	}()
	rest.Ranged() // H: range.md own-epsilon
}

func TestRestJSON(t *testing.T) {
	_, _, rest := restOf(t)
	text, err := json.Marshal(rest)
	if err != nil {
		t.Fatal(err)
	}
	var back Loss
	if err := json.Unmarshal(text, &back); err != nil || !back.IsRest() ||
		back.Rho().Cmp(rest.Rho()) != 0 || !rest.AtMost(back) || !back.AtMost(rest) {
		t.Errorf("%s came back as %s, %v", text, back.Exact(), err)
	}
	for _, text := range []string{
		`{"epsilon":"1/10","delta":"0","rest":true}`, `{"delta":"0","rho":"1/10","rest":true}`,
	} {
		if err := json.Unmarshal([]byte(text), &back); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}
