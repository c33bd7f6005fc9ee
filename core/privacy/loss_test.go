package privacy

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"hush/core/param"
)

func epsilon(t testing.TB, text string) Epsilon {
	t.Helper()
	e, err := ParseEpsilon(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func delta(t testing.TB, text string) Delta {
	t.Helper()
	d, err := ParseDelta(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func rho(t testing.TB, text string) Rho {
	t.Helper()
	p, err := ParseRho(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLossAddsUp(t *testing.T) {
	var sum Loss
	for range 10 {
		sum = sum.Plus(PureLoss(epsilon(t, "0.1"))) // ten float64 of 0.1 do not add up to 1
	}
	if e, ok := sum.Epsilon(); !ok || e.Cmp(one) != 0 {
		t.Errorf("ε = %v, %v", e, ok)
	}
	if sum.Rho().Cmp(big.NewRat(1, 20)) != 0 { // 10 · 0.1²/2, not 1²/2
		t.Errorf("ρ = %v", sum.Rho())
	}
	three, _ := LossFromOdds(big.NewRat(3, 2), big.NewRat(1, 10))
	twice := three.Plus(three)
	if odds, ok := twice.Odds(); !ok || odds.Cmp(big.NewRat(9, 4)) != 0 || twice.Delta().
		Cmp(big.NewRat(1, 5)) != 0 {
		t.Errorf("e^ε = %v, %v, δ = %v", odds, ok, twice.Delta())
	}
	if e, _ := three.Epsilon(); ExpDown(e).Cmp(big.NewRat(3, 2)) < 0 &&
		ExpUp(e).Cmp(big.NewRat(3, 2)) < 0 {
		t.Error("the ε of odds 3/2 is too small")
	}
	mixed := three.Plus(ConcentratedLoss(rho(t, "0.1")))
	if _, ok := mixed.Epsilon(); ok {
		t.Error("a sum with Gaussian noise has an ε without a further δ")
	}
	if _, ok := mixed.Odds(); ok {
		t.Error("a sum with Gaussian noise has odds")
	}
	if many := NoPrivacy().Plus(three); many.Protects() || many.Delta().Cmp(one) != 0 {
		t.Errorf("δ = %v", many.Delta())
	}
}

func TestLossIsImmutable(t *testing.T) {
	l := ApproximateLoss(epsilon(t, "0.1"), delta(t, "1e-6"))
	e, _ := l.Epsilon()
	e.SetInt64(7)
	l.Delta().SetInt64(7)
	l.Rho().SetInt64(7)
	if l.Exact() != "ε = 1/10, δ = 1/1000000" {
		t.Errorf("a caller changed a loss to %s", l.Exact())
	}
	from := big.NewRat(3, 2)
	odds, _ := LossFromOdds(from, nil)
	from.SetInt64(1)
	if got, _ := odds.Odds(); got.Cmp(big.NewRat(3, 2)) != 0 {
		t.Errorf("a caller changed odds to %v", got)
	}
}

func TestLossCompares(t *testing.T) {
	pure := func(text string) Loss { return PureLoss(epsilon(t, text)) }
	approximate := ApproximateLoss(epsilon(t, "1"), delta(t, "1e-6"))
	gauss := ConcentratedLoss(rho(t, "0.4"))
	for _, c := range []struct {
		name string
		l, m Loss
		want bool
	}{
		{"equal", pure("1"), pure("1.0"), true},
		{"smaller", pure("0.3"), pure("1/3"), true},
		{"larger", pure("1/3"), pure("0.333333333333333333333333333333"), false},
		{"pure under approximate", pure("1"), approximate, true},
		{"approximate under pure", approximate, pure("2"), false},
		{"Gaussian under pure", gauss, pure("1"), false}, // ρ-zCDP has no pure ε, however small ρ
		{"pure under Gaussian", pure("0.8"), gauss, true},
		{"pure over Gaussian", pure("1"), gauss, false},
		{"nothing under all", Loss{}, pure("0.1"), true},
		{"all over nothing", pure("0.1"), Loss{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.l.AtMost(c.m); got != c.want {
				t.Errorf("%v at most %v: %v", c.l, c.m, got)
			}
		})
	}
}

func TestLossRefuses(t *testing.T) {
	for field, make := range map[string]func() (Loss, error){
		"epsilon": func() (Loss, error) { return NewLoss(big.NewRat(-1, 2), nil) },
		"delta":   func() (Loss, error) { return NewLoss(nil, big.NewRat(-1, 2)) },
		"odds":    func() (Loss, error) { return LossFromOdds(big.NewRat(1, 2), nil) },
		"rho": func() (Loss, error) {
			_, err := ParseRho("5001")
			return Loss{}, err
		},
		"sampleSize": func() (Loss, error) { return Loss{}.Subsampled(3, 2) },
	} {
		var refused *param.Error
		if _, err := make(); !errors.As(err, &refused) || refused.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if err := ApproximateLoss(epsilon(t, "1"), delta(t, "0.01")).Check(100); err == nil {
		t.Error("δ = 1/n was accepted")
	}
	if err := PureLoss(epsilon(t, "1")).Check(1 << 40); err != nil {
		t.Errorf("δ = 0 was refused: %v", err)
	}
}

func TestGroup(t *testing.T) {
	l, _ := LossFromOdds(big.NewRat(3, 2), big.NewRat(1, 1000))
	group, err := l.Group(3)
	if err != nil {
		t.Fatal(err)
	}
	if odds, _ := group.Odds(); odds.Cmp(big.NewRat(27, 8)) != 0 {
		t.Errorf("e^ε = %v", odds)
	}
	// δ·(1 + 3/2 + 9/4) = 19/4000, rounded up a little
	if d := group.Delta(); d.Cmp(big.NewRat(19, 4000)) < 0 ||
		d.Cmp(big.NewRat(19_000_001, 4_000_000_000)) > 0 {
		t.Errorf("δ = %v", d.FloatString(12))
	}
	gauss, err := ConcentratedLoss(rho(t, "0.1")).Group(5)
	if err != nil || gauss.Rho().Cmp(big.NewRat(5, 2)) != 0 {
		t.Errorf("ρ = %v, %v", gauss.Rho(), err)
	}
	if none, err := l.Group(0); err != nil || none.Exact() != (Loss{}).Exact() {
		t.Errorf("distance 0: %v, %v", none, err)
	}
	for _, d := range []Distance{10, 64, 65, 1000, 1 << 40, 1<<64 - 1} {
		far, err := l.Group(d)
		if err != nil || far.Delta().Cmp(one) > 0 || d > 30 && far.Protects() {
			t.Errorf("distance %d: δ = %v, %v", d, far.Delta(), err)
		}
	}
	if _, err := gauss.Plus(l).Group(2); !errors.Is(err, ErrNoBound) {
		t.Errorf("an approximate concentrated loss has a group bound: %v", err)
	}
}

// The bound for samples is attained: release, by randomised response, whether the sample holds a
// given person.
func TestSubsamplingIsTight(t *testing.T) {
	response, _ := LossFromOdds(big.NewRat(3, 1), nil) // truth with chance 3/4
	sample, err := response.Subsampled(2, 5)
	if err != nil {
		t.Fatal(err)
	}
	yes := new(big.Rat).
		Add(new(big.Rat).Mul(big.NewRat(2, 5), big.NewRat(3, 4)),
			new(big.Rat).Mul(big.NewRat(3, 5), big.NewRat(1, 4)))
	ratio := yes.Quo(yes, big.NewRat(1, 4)) // over the data set without that person
	if odds, ok := sample.Odds(); !ok || odds.Cmp(ratio) != 0 {
		t.Errorf("e^ε = %v, want %v", odds, ratio)
	}
	if whole, _ := response.Subsampled(5, 5); !whole.AtMost(response) || !response.AtMost(whole) {
		t.Errorf("a sample of everybody has loss %v", whole)
	}
	if _, err := ConcentratedLoss(rho(t, "1")).Subsampled(1, 2); !errors.Is(err, ErrNoBound) {
		t.Errorf("ρ has a sampling bound: %v", err)
	}
}

// TestSubsampledDelta: what fails with probability δ fails on a sample of m of n for the m/n of the
// persons who are in it: exactly so, whatever ε is and however it is known.
func TestSubsampledDelta(t *testing.T) {
	delta := big.NewRat(1, 10)
	byOdds, _ := LossFromOdds(big.NewRat(3, 1), delta)
	byEpsilon, _ := NewLoss(big.NewRat(1, 2), delta)
	none, _ := NewLoss(nil, delta)
	for _, loss := range []Loss{byOdds, byEpsilon, none} {
		for _, sample := range [][2]uint64{{1, 7}, {2, 5}, {5, 5}} {
			m, n := sample[0], sample[1]
			thin, err := loss.Subsampled(m, n)
			if err != nil {
				t.Fatal(err)
			}
			want := new(big.Rat).Mul(delta, big.NewRat(int64(m), int64(n)))
			if thin.Delta().Cmp(want) != 0 {
				t.Errorf("%v on %d of %d persons has δ = %v, want %v", loss, m, n, thin.Delta(),
					want)
			}
		}
	}
}

func TestLossInWords(t *testing.T) {
	third, _ := NewLoss(big.NewRat(1, 3), nil)
	odds, _ := LossFromOdds(big.NewRat(3, 2), nil)
	for _, c := range []struct {
		loss          Loss
		print, exact  string
		sentenceParts []string
	}{
		// e^0.1 = 1.105…, rounded up
		{PureLoss(epsilon(t, "0.1")), "ε = 0.1", "ε = 1/10", []string{"more than 1.11 times"}},
		{third, "ε ≤ 0.333333333334", "ε = 1/3", []string{"1.4 times"}},
		{ApproximateLoss(epsilon(t, "1"), delta(t, "3e-6")), "ε = 1, δ = 0.000003",
			"ε = 1, δ = 3/1000000",
			[]string{"2.72 times", "1 in 333\u00a0000"}}, // rounded up it would understate
		{ApproximateLoss(epsilon(t, "1"), delta(t, "1e-20")), "ε = 1, δ = 1e-20",
			"ε = 1, δ = 1/100000000000000000000", []string{"1 in 10^20"}},
		{PureLoss(epsilon(t, "21")), "ε = 21", "ε = 21", []string{"e^21", "no protection"}},
		{ConcentratedLoss(rho(t, "0.05")), "ρ = 0.05", "ρ = 1/20", []string{"Gaussian"}},
		{NoPrivacy(), "no guarantee (δ = 1)", "ε = 0, δ = 1", []string{"No promise"}},
		{Loss{}, "ε = 0", "ε = 0", []string{"Nothing about the data"}},
		{odds, "ε ≤ 0.405465108109", "", []string{"1.5 times"}},
	} {
		t.Run(c.print, func(t *testing.T) {
			if got := c.loss.String(); got != c.print {
				t.Errorf("printed %q", got)
			}
			if got := c.loss.Exact(); c.exact != "" && got != c.exact {
				t.Errorf("exactly %q, want %q", got, c.exact)
			}
			for _, part := range c.sentenceParts {
				if got := c.loss.Sentence().String(); !strings.Contains(got, part) {
					t.Errorf("%q lacks %q", got, part)
				}
			}
		})
	}
}
