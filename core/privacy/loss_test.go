package privacy

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
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
	// 10 · 0.1·tanh(0.05), not tanh(0.5)
	if got := sum.Rho().FloatString(9); got != "0.049958375" {
		t.Errorf("ρ = %v", got)
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
		{"pure under Gaussian", pure("0.9"), gauss, true},
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

// TestPureRho: no bound of mechanisms of one ε may be below what randomised response needs, which
// is more than ε + e^−ε − 1, the value of continuous Laplace noise.
func TestPureRho(t *testing.T) {
	for _, e := range []float64{0.05, 0.5, 1, 2, 9} {
		exact := new(big.Rat).SetFloat64(e)
		claimed := toFloat(Loss{epsilon: exact}.Rho())
		truth := math.Exp(e) / (1 + math.Exp(e))
		needed := 0.0
		for _, alpha := range []float64{1.0001, 1.1, 1.5, 2, 4, 16, 60} {
			sum := truth*math.Pow(truth/(1-truth), alpha-1) +
				(1-truth)*math.Pow((1-truth)/truth, alpha-1)
			needed = max(needed, math.Log(sum)/(alpha-1)/alpha)
		}
		if claimed < needed*(1-1e-9) || claimed > needed*1.001 || claimed >= e*e/2 {
			t.Errorf("ε = %g: ρ = %g, randomised response needs %g", e, claimed, needed)
		}
		if continuous := e + math.Expm1(-e); continuous >= needed {
			t.Errorf("ε = %g: the continuous formula, %g, is not caught", e, continuous)
		}
		odds, _ := LossFromOdds(ExpUp(exact), nil)
		if byOdds := toFloat(odds.Rho()); math.Abs(byOdds/claimed-1) > 1e-9 {
			t.Errorf("ε = %g: ρ = %g by its odds", e, byOdds)
		}
	}
}

// TestWithRho keeps the smaller ρ, and of groups what their ε implies.
func TestWithRho(t *testing.T) {
	pure := PureLoss(epsilon(t, "1"))
	if got := pure.WithRho(big.NewRat(1, 2)); got.rho != nil {
		t.Errorf("a ρ above that of randomised response was kept: %v", got.Rho())
	}
	table := pure.WithRho(big.NewRat(1, 4))
	if table.Rho().Cmp(big.NewRat(1, 4)) != 0 || !table.AtMost(pure) || pure.AtMost(table) {
		t.Errorf("ρ = %v", table.Rho())
	}
	if two, _ := table.Group(2); two.Rho().Cmp(one) != 0 {
		t.Errorf("two persons: ρ = %v", two.Rho())
	}
	if ten, _ := table.Group(10); ten.Rho().Cmp(PureLoss(epsilon(t, "10")).Rho()) != 0 {
		t.Errorf("ten persons: ρ = %v", ten.Rho())
	}
}

// TestRanged: a choice costs ε²/8, or what ε implies where that is less; a sum keeps ρ only, and no
// mechanism without a range takes the place of one that has it.
func TestRanged(t *testing.T) {
	for text, want := range map[string]string{"1/10": "0.001250000", "1": "0.125000000",
		"4": "2.000000000", "20": "19.999999918"} {
		if got := ChoiceLoss(epsilon(t, text)).Rho().FloatString(9); got != want {
			t.Errorf("ε = %s: ρ = %s, want %s", text, got, want)
		}
	}
	choice, pure, half := ChoiceLoss(epsilon(t, "1")), PureLoss(epsilon(t, "1")),
		PureLoss(epsilon(t, "1/2"))
	table := pure.WithRho(big.NewRat(1, 10)) // less than that of the choice, but without a range
	if !choice.AtMost(pure) || table.AtMost(choice) || !half.AtMost(choice) {
		t.Error("a choice is compared with what it is not")
	}
	two := choice.Plus(choice)
	if two.ranged || two.Rho().Cmp(big.NewRat(1, 4)) != 0 {
		t.Errorf("two choices: range %v, ρ = %v", two.ranged, two.Rho())
	}
	if group, _ := choice.Group(2); !group.ranged || group.Rho().Cmp(big.NewRat(1, 2)) != 0 {
		t.Errorf("two persons: range %v, ρ = %v", group.ranged, group.Rho())
	}
	stable := ApproximateLoss(epsilon(t, "1"), delta(t, "1e-6")).Ranged()
	if group, _ := stable.Group(2); group.ranged || group.rho != nil {
		t.Errorf("two persons, with δ: range %v, ρ = %v", group.ranged, group.Rho())
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
		// H: subsample.md sizes
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
	if _, err := gauss.Plus(l).Group(2); !errors.Is(err, ErrNoBound) { // H: group.md has-epsilon
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
	// H: subsample.md has-epsilon
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

// A sum of losses with long numbers stays short, is never less than the sum, and hardly more.
func TestShort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	exact, sum := new(big.Rat), Loss{}
	for range 200 {
		denominator := new(big.Int).Lsh(big.NewInt(1), 700)
		denominator.Sub(denominator, big.NewInt(r.Int64()))
		epsilon := new(big.Rat).SetFrac(new(big.Int).Lsh(big.NewInt(r.Int64()), 637), denominator)
		loss, err := NewLoss(epsilon, nil)
		if err != nil {
			t.Fatal(err)
		}
		exact.Add(exact, epsilon)
		sum = sum.Plus(loss.Short()).Short()
	}
	got, _ := sum.Epsilon()
	over := new(big.Rat).Sub(got, exact)
	if over.Sign() < 0 || over.Cmp(big.NewRat(1, 1<<62)) > 0 || got.Denom().BitLen() > 600 {
		t.Errorf("the sum is %s more, by %d bits", over.FloatString(30), got.Denom().BitLen())
	}
	tenth, _ := NewLoss(big.NewRat(1, 10), nil)
	ten := Loss{}
	for range 10 {
		ten = ten.Plus(tenth).Short()
	}
	if e, _ := ten.Epsilon(); e.Cmp(one) != 0 {
		t.Errorf("ten tenths are %s", e)
	}
}

// TestRhoAtMost: the quick comparison of ρ says what the exact one says.
func TestRhoAtMost(t *testing.T) {
	for _, text := range []string{"0.000001", "0.1", "0.9", "1", "1.7", "2.5", "6", "50"} {
		l := PureLoss(epsilon(t, text))
		exact := l.Rho()
		for _, f := range []*big.Rat{big.NewRat(1, 2), big.NewRat(99_999, 100_000),
			big.NewRat(1, 1), big.NewRat(100_001, 100_000), big.NewRat(2, 1)} {
			most := new(big.Rat).Mul(exact, f)
			if got, want := l.rhoAtMost(most), exact.Cmp(most) <= 0; got != want {
				t.Errorf("ε = %s, ρ × %s: %v, want %v", text, f, got, want)
			}
		}
		if l = l.WithRho(new(big.Rat).Quo(exact, two)); l.rhoAtMost(new(big.Rat)) ||
			!l.rhoAtMost(l.Rho()) {
			t.Errorf("ε = %s: the ρ of its own is not compared", text)
		}
	}
}
