package privacy

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"
)

func TestComposeChoosesTheSmallest(t *testing.T) {
	pure := func(text string, k int) []Loss {
		return slices.Repeat([]Loss{PureLoss(epsilon(t, text))}, k)
	}
	for _, c := range []struct {
		name   string
		losses []Loss
		delta  string
		rule   Rule
		rules  int
	}{
		{"nothing", nil, "1e-6", Basic, 3}, // the optimal rule has nothing to compute
		{"one", pure("1", 1), "1e-6", Optimal, 4},
		{"no δ left", pure("0.1", 100), "0", Basic, 1}, // H: compose.md delta-left
		{"a hundred", pure("0.1", 100), "1e-6", Optimal, 4},
		// H: optimal.md few
		{"too many for the lattice", pure("0.01", 3000), "1e-6", Concentrated, 3},
		{"large ones", pure("90", 2), "1e-6", Basic, 3}, // H: optimal.md few
		// H: compose.md has-epsilon
		{"Gaussian", []Loss{ConcentratedLoss(rho(t, "0.1")), PureLoss(epsilon(t, "0.1"))}, "1e-6",
			Concentrated, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			total, err := Compose(c.losses, delta(t, c.delta))
			if err != nil {
				t.Fatal(err)
			}
			if total.Rule != c.rule || len(total.Considered) != c.rules {
				t.Errorf("%s among %v", total.Rule, total.Considered)
			}
			for _, other := range total.Considered {
				if other.Loss.epsilonOrZero().Cmp(total.Loss.epsilonOrZero()) < 0 {
					t.Errorf("%s is smaller: %v", other.Rule, other.Loss)
				}
			}
		})
	}
	approximate := slices.Repeat([]Loss{ApproximateLoss(epsilon(t, "0.1"), delta(t, "1e-8"))}, 50)
	total, err := Compose(approximate, delta(t, "1e-6"))
	if err != nil || total.Rule != Optimal || total.Loss.Delta().Cmp(delta(t, "1e-6").r) != 0 {
		t.Errorf("50 approximate losses: %v by %s, %v", total.Loss, total.Rule, err)
	}
	total, err = Compose(approximate, delta(t, "1e-7"))
	if err != nil || total.Rule != Basic || total.Loss.Delta().
		Cmp(big.NewRat(50, 100_000_000)) != 0 {
		t.Errorf("more δ spent than asked for: %v by %s, %v", total.Loss, total.Rule, err)
	}
	if _, err := Compose([]Loss{ConcentratedLoss(rho(t, "0.1"))}, Delta{}); !errors.Is(
		err, ErrNoBound) {
		t.Errorf("Gaussian noise at δ = 0: %v", err)
	}
}

// Where no common step is small enough, the lattice rounds up: never below the truth, and close to
// it.
func TestOptimalOnUnevenLosses(t *testing.T) {
	epsilons := []float64{0.1234567, 1.0 / 3, 0.7071067, 0.2, 0.9999999, 0.0333333}
	var losses []Loss
	for _, e := range epsilons {
		losses = append(losses, Loss{epsilon: new(big.Rat).SetFloat64(e)})
	}
	const slack = 1e-3
	got := toFloat(optimalEpsilon(losses, new(big.Rat).SetFloat64(slack)))
	deltaAt := func(epsilon float64) (delta float64) {
		for signs := range 1 << len(epsilons) {
			p, q := 1.0, 1.0
			for i, e := range epsilons {
				truth, lie := math.Exp(e)/(1+math.Exp(e)), 1/(1+math.Exp(e))
				if signs>>i&1 == 0 {
					truth, lie = lie, truth
				}
				p, q = p*truth, q*lie
			}
			delta += max(0, p-math.Exp(epsilon)*q)
		}
		return delta
	}
	if deltaAt(got) > slack*(1+1e-9) || deltaAt(got-0.01) < slack {
		t.Errorf("ε = %g needs δ = %g; 0.01 less needs %g", got, deltaAt(got), deltaAt(got-0.01))
	}
}

// The conversion of ρ holds for the Gaussian law itself, whose δ(ε) is known, and is at least as
// good as ρ + 2√(ρ ln(1/δ)).
func TestConcentratedAgainstTheGaussian(t *testing.T) {
	upper := func(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }
	for _, p := range []float64{0.001, 0.05, 0.5, 4} {
		for _, d := range []float64{1e-3, 1e-6, 1e-12} {
			epsilon := toFloat(
				epsilonFromRho(new(big.Rat).SetFloat64(p), new(big.Rat).SetFloat64(d)))
			mu := math.Sqrt(2 * p) // noise of variance 1, shift √(2ρ)
			truth := upper(epsilon/mu-mu/2) - math.Exp(epsilon)*upper(epsilon/mu+mu/2)
			if truth > d {
				t.Errorf("ρ = %g, δ = %g: at ε = %g the Gaussian needs δ = %g", p, d, epsilon,
					truth)
			}
			if simple := p + 2*math.Sqrt(p*math.Log(1/d)); epsilon > simple {
				t.Errorf("ρ = %g, δ = %g: ε = %g, simple %g", p, d, epsilon, simple)
			}
		}
	}
}

func TestAt(t *testing.T) {
	gauss := ConcentratedLoss(rho(t, "0.05"))
	at, err := gauss.At(delta(t, "1e-6"))
	if err != nil || at.noEpsilon || at.Delta().Cmp(delta(t, "1e-6").r) != 0 ||
		at.Rho().Cmp(rho(t, "0.05").r) != 0 {
		t.Errorf("%v, %v", at, err)
	}
	if _, err := gauss.At(Delta{}); !errors.Is(err, ErrNoBound) { // H: concentrated.md delta-above
		t.Errorf("δ = 0: %v", err)
	}
	many := Loss{}
	for range 100 {
		many = many.Plus(PureLoss(epsilon(t, "0.1")))
	}
	at, err = many.At(delta(t, "1e-6"))
	if e, _ := at.Epsilon(); err != nil || e.Cmp(big.NewRat(6, 1)) > 0 { // 10 by ε, 5.2 by ρ
		t.Errorf("a hundred of 0.1: %v, %v", at, err)
	}
	if at, _ := many.At(Delta{}); at.String() != "ε = 10" {
		t.Errorf("at δ = 0: %v", at)
	}
	own := ApproximateLoss(epsilon(t, "0.1"), delta(t, "1e-6"))
	// H: concentrated.md delta-above
	if _, err := own.At(delta(t, "1e-7")); !errors.Is(err, ErrNoBound) {
		t.Errorf("less δ than its own: %v", err)
	}
	if at, err := own.At(delta(t, "1e-6")); err != nil || at.Exact() != own.Exact() {
		t.Errorf("its own δ: %v, %v", at, err)
	}
}

func TestRhoFor(t *testing.T) {
	for _, c := range []struct{ epsilon, delta string }{{"1", "1e-6"}, {"0.001", "1e-9"},
		{"100", "1e-3"}, {"1e-9", "1e-100"}, {"1", "0.4"}} {
		p, err := RhoFor(epsilon(t, c.epsilon), delta(t, c.delta))
		if err != nil {
			t.Fatal(err)
		}
		at, _ := ConcentratedLoss(p).At(delta(t, c.delta))
		more, _ := ConcentratedLoss(Rho{new(big.Rat).Mul(p.r, big.NewRat(1_000_001, 1_000_000))}).
			At(delta(t, c.delta))
		want := epsilon(t, c.epsilon).r
		if at.epsilonOrZero().Cmp(want) > 0 || more.epsilonOrZero().Cmp(want) <= 0 {
			t.Errorf("ε = %s, δ = %s: ρ = %v gives %v, a millionth more gives %v", c.epsilon,
				c.delta, toFloat(p.r), at, more)
		}
	}
	if _, err := RhoFor(epsilon(t, "1"), Delta{}); err == nil {
		t.Error("δ = 0 was accepted")
	}
	if _, err := RhoFor(Epsilon{}, delta(t, "0.1")); err == nil {
		t.Error("no ε was accepted")
	}
}

func TestEachOf(t *testing.T) {
	for _, k := range []uint64{1, 3, 100, 1000, 1_000_000} {
		each, rule, err := EachOf(k, epsilon(t, "1"), delta(t, "1e-6"), PureLoss)
		if err != nil {
			t.Fatal(err)
		}
		basic := big.NewRat(1, int64(k))
		if each.Rat().Cmp(basic) < 0 {
			t.Errorf("%d releases get %v each, less than %v", k, each.Float64(), basic)
		}
		if k >= 1000 && each.Float64() < 5/float64(k) {
			t.Errorf("%d releases get %v each", k, each.Float64())
		}
		if rule == Basic {
			continue
		}
		total, err := Compose(slices.Repeat([]Loss{PureLoss(each)}, int(min(k, 1000))),
			delta(t, "1e-6"))
		if e, _ := total.Loss.Epsilon(); err != nil || e.Cmp(one) > 0 {
			t.Errorf("%d releases of %v cost %v by %s, %v", k, each.Float64(), total.Loss,
				total.Rule, err)
		}
	}
	if each, rule, _ := EachOf(7, epsilon(t, "1"), Delta{}, PureLoss); each.Rat().
		Cmp(big.NewRat(1, 7)) != 0 || rule != Basic {
		t.Errorf("without δ: %v by %s", each, rule)
	}
	if _, _, err := EachOf(0, epsilon(t, "1"), Delta{}, PureLoss); err == nil {
		t.Error("no release was accepted")
	}
}

// TestEachOfChoices: choices get a larger ε than other mechanisms, at (1, 10^-6) by at least the
// stated factors, and compose to no more than the ε asked for.
func TestEachOfChoices(t *testing.T) {
	for _, c := range []struct {
		k      uint64
		factor float64
	}{{4, 1.09}, {8, 1.38}, {16, 1.83}, {32, 1.91}} {
		was, _, _ := EachOf(c.k, epsilon(t, "1"), delta(t, "1e-6"), PureLoss)
		each, rule, err := EachOf(c.k, epsilon(t, "1"), delta(t, "1e-6"), ChoiceLoss)
		if err != nil || each.Float64() < c.factor*was.Float64() {
			t.Errorf("%d choices of ε = %g, %g times that of any mechanism: %v", c.k,
				each.Float64(), each.Float64()/was.Float64(), err)
		}
		t.Logf("%d choices: %.3f times the ε of any mechanism", c.k,
			each.Float64()/was.Float64())
		total, err := ComposeSeveral([]Several{{ChoiceLoss(each), c.k}}, delta(t, "1e-6"))
		if !total.Loss.AtMost(ApproximateLoss(epsilon(t, "1"), delta(t, "1e-6"))) || err != nil {
			t.Errorf("%d choices by %s cost %v, %v", c.k, rule, total.Loss, err)
		}
	}
}

func BenchmarkCompose(b *testing.B) {
	for _, k := range []int{10, 100, 256} {
		b.Run(fmt.Sprint(k), func(b *testing.B) {
			losses := slices.Repeat([]Loss{PureLoss(epsilon(b, "0.1"))}, k)
			slack := delta(b, "1e-6")
			for b.Loop() {
				if _, err := Compose(losses, slack); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestComposeSeveral gives what Compose gives for the list written out, and takes no longer for a
// million releases.
func TestComposeSeveral(t *testing.T) {
	a, b := mustLoss(t, "1/10", "1e-9"), mustLoss(t, "1/7", "0")
	delta, err := ParseDelta("1e-6")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []Delta{{}, delta} {
		whole, err := Compose([]Loss{a, a, a, b, b}, d)
		if err != nil {
			t.Fatal(err)
		}
		short, err := ComposeSeveral([]Several{{a, 3}, {b, 2}}, d)
		if err != nil || asText(t, whole) != asText(t, short) {
			t.Errorf("have %v, %v, want %v", asText(t, short), err, asText(t, whole))
		}
	}
	many, err := ComposeSeveral([]Several{{mustLoss(t, "1/1000000", "0"), 1 << 40}}, delta)
	if err != nil || many.Rule != Concentrated {
		t.Errorf("have %v, %v", many.Rule, err)
	}
}

func mustLoss(t *testing.T, epsilon, delta string) Loss {
	t.Helper()
	e, err := ParseEpsilon(epsilon)
	if err != nil {
		t.Fatal(err)
	}
	d, err := ParseDelta(delta)
	if err != nil {
		t.Fatal(err)
	}
	return ApproximateLoss(e, d)
}

func asText(t *testing.T, total Total) string {
	t.Helper()
	text, err := json.Marshal(total)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
