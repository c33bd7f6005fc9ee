package mechanism

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"hush/core/coin"
	"hush/core/internal/stattest"
	"hush/core/param"
	"hush/core/privacy"
)

func mustEpsilon(t testing.TB, text string) privacy.Epsilon {
	t.Helper()
	e, err := privacy.ParseEpsilon(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func base(num, den int64) coin.Base {
	r, err := coin.NewBase(num, den)
	if err != nil {
		panic(err)
	}
	return r
}

func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}

// wantRefusal checks that err is a *param.Error of this package for the field.
func wantRefusal(t *testing.T, err error, field string) {
	t.Helper()
	var refused *param.Error
	if !errors.As(err, &refused) || refused.Field != field || refused.Package != "mechanism" {
		t.Errorf("got error %v, want a refusal of %s", err, field)
	}
}

// TestLaplaceNoiseRefuses: noise of base 1 would have no end, and that of a base beyond e^100 is
// none.
func TestLaplaceNoiseRefuses(t *testing.T) {
	for _, r := range []coin.Base{{}, base(1<<62, 1).Pow(3)} {
		_, err := NewLaplaceNoise(r)
		wantRefusal(t, err, "base")
	}
	if _, err := NewLaplaceNoise(base(1<<62, 1).Pow(2)); err != nil {
		t.Error(err)
	}
}

func TestLaplaceLawIsExact(t *testing.T) {
	for _, r := range []coin.Base{base(2, 1), base(3, 2), base(10, 9)} {
		noise, err := NewLaplaceNoise(r)
		if err != nil {
			t.Fatal(err)
		}
		law, err := coin.Enumerate(coin.Limits{Tail: rat("1/1000")},
			func(src coin.Source) (int64, error) {
				return noise.AddTo(src, 7), nil
			})
		if err != nil {
			t.Fatal(err)
		}
		// (r−1)/(r+1) · r^(−|z|)
		exact := r.Rat()
		zero := new(big.Rat).
			Quo(new(big.Rat).Sub(exact, rat("1")), new(big.Rat).Add(exact, rat("1")))
		for z := int64(-5); z <= 5; z++ {
			want := new(big.Rat).Quo(zero, r.Pow(uint64(max(z, -z))).Rat())
			if got := law.Mass(7 + z); got.Cmp(want) != 0 {
				t.Errorf("base %v: Pr[Z = %d] = %v, want %v", r, z, got, want)
			}
			if f, _ := want.Float64(); math.Abs(stattest.LaplacePMF(noise.Log(), z)/f-1) > 1e-12 {
				t.Errorf("base %v: LaplacePMF is %g of Pr[Z = %d]", r,
					stattest.LaplacePMF(noise.Log(), z)/f, z)
			}
		}
	}
}

// The tail is one minus the mass below, summed exactly from the law.
func TestLaplaceTailIsExact(t *testing.T) {
	r := base(3, 2)
	noise, _ := NewLaplaceNoise(r)
	mass := func(z int64) *big.Rat {
		return new(big.Rat).Quo(rat("1/5"), r.Pow(uint64(max(z, -z))).Rat())
	}
	for s := int64(-6); s <= 6; s++ {
		// Pr[Z ≥ s+1] − Pr[Z ≥ s] = −Pr[Z = s], and Pr[Z ≥ 1] = (1 − Pr[Z = 0])/2 = 2/5.
		step := new(big.Rat).Sub(noise.AtLeast(s).Rat(), noise.AtLeast(s+1).Rat())
		if step.Cmp(mass(s)) != 0 {
			t.Errorf("tails at %d and %d differ by %v, want %v", s, s+1, step, mass(s))
		}
	}
	if got := noise.AtLeast(1).Rat(); got.Cmp(rat("2/5")) != 0 {
		t.Errorf("Pr[Z ≥ 1] = %v", got)
	}
	noise.AtLeast(math.MinInt64) // must not overflow
	noise.AtLeast(math.MaxInt64)
}

// answers is a source that gives the answers listed, to reach what chance hardly ever does.
type answers struct {
	coin.Source
	yes  bool
	sign uint64
	size uint64
}

func (a answers) Bernoulli(coin.Chance) bool { return a.yes }
func (a answers) Uniform(uint64) uint64      { return a.sign }
func (a answers) Geometric(coin.Base) uint64 { return a.size }

func TestLaplaceSaturates(t *testing.T) {
	noise, _ := NewLaplaceNoise(base(2, 1))
	for _, c := range []struct {
		count      int64
		sign, size uint64
		want       int64
	}{
		{5, 0, 0, 6}, // the size is one more than the geometric draw
		{5, 1, 9, -5},
		{math.MaxInt64, 0, 0, math.MaxInt64},
		{math.MaxInt64 - 3, 0, 2, math.MaxInt64},
		{math.MaxInt64 - 3, 0, 1, math.MaxInt64 - 1},
		{math.MinInt64, 1, 0, math.MinInt64},
		{math.MinInt64, 0, math.MaxUint64, math.MaxInt64},
		{math.MinInt64, 0, math.MaxUint64 - 2, math.MaxInt64 - 1},
		{math.MaxInt64, 1, math.MaxUint64, math.MinInt64},
		{math.MaxInt64, 1, math.MaxUint64 - 2, math.MinInt64 + 1},
		{-1, 1, 1 << 63, math.MinInt64},
	} {
		if got := noise.AddTo(answers{sign: c.sign, size: c.size}, c.count); got != c.want {
			t.Errorf("%d with sign %d, size %d: %d, want %d", c.count, c.sign, c.size, got, c.want)
		}
	}
	if got := noise.AddTo(answers{yes: true}, -3); got != -3 {
		t.Errorf("no noise changed −3 to %d", got)
	}
}

func TestLaplaceLoss(t *testing.T) {
	exact, err := NewLaplace(LaplaceParams{Base: base(3, 2), L1Sensitivity: 2})
	if err != nil {
		t.Fatal(err)
	}
	loss, _ := exact.Loss(3)
	if odds, ok := loss.Odds(); !ok || odds.Cmp(rat("729/64")) != 0 { // (3/2)^(2·3)
		t.Errorf("e^ε = %v, %v", odds, ok)
	}
	byEpsilon, err := NewLaplace(LaplaceParams{Epsilon: mustEpsilon(t, "0.1"), L1Sensitivity: 2})
	if err != nil {
		t.Fatal(err)
	}
	loss, _ = byEpsilon.Loss(1)
	if epsilon, _ := loss.Epsilon(); epsilon.Cmp(rat("1/10")) != 0 {
		t.Errorf("ε = %v", epsilon)
	}
	// The claim follows from the base: r² ≤ e^0.1, and not much less.
	odds := byEpsilon.rate.base.Pow(2).Rat()
	if up := privacy.LogUp(odds); up.Cmp(rat("1/10")) > 0 ||
		up.Cmp(rat("0.09999999999999999")) < 0 {
		t.Errorf("2·ln r = %v", up)
	}
}

func TestLaplaceRefuses(t *testing.T) {
	// A fraction would move by less than the noise is for, and shows itself behind the point.
	var _ func(*Laplace, coin.Source, []int64, coin.Step) ([]int64, error) = // H: laplace.md whole
	(*Laplace).Release
	half := mustEpsilon(t, "0.5")
	for _, c := range []struct {
		p     LaplaceParams
		field string
	}{
		{LaplaceParams{L1Sensitivity: 1}, "epsilon"},    // H: mechanism.md one-rate
		{LaplaceParams{Epsilon: half}, "l1Sensitivity"}, // H: laplace.md some-move
		// H: mechanism.md one-rate
		{LaplaceParams{Epsilon: half, L1Sensitivity: 1, LargestMove: 2},
			"largestMove"}, // H: laplace.md move-of-all
		{LaplaceParams{Epsilon: half, Base: base(3, 2), L1Sensitivity: 1}, "base"},
		// H: mechanism.md rate-size
		{LaplaceParams{Epsilon: half, L1Sensitivity: math.MaxUint64}, "epsilon"},
		// H: mechanism.md rate-size
		{LaplaceParams{Base: base(math.MaxInt64, 1).Pow(3), L1Sensitivity: 1}, "base"},
	} {
		m, err := NewLaplace(c.p)
		wantRefusal(t, err, c.field)
		if m != nil {
			t.Errorf("%v: a mechanism beside the error", c.p)
		}
	}
}

// The bound is the smallest t: the tail beyond it is at most beta, the tail beyond t − 1 is not.
// Both from the exact tail.
func TestLaplaceErrorBound(t *testing.T) {
	for _, epsilon := range []string{"0.01", "0.1", "1", "5", "60"} {
		m, err := NewLaplace(LaplaceParams{Epsilon: mustEpsilon(t, epsilon), L1Sensitivity: 1})
		if err != nil {
			t.Fatal(err)
		}
		beyond := func(bound int64) float64 {
			p, _ := m.noise.AtLeast(bound + 1).Rat().Float64()
			return 2 * p
		}
		for _, beta := range []float64{0.5, 0.05, 1e-6} {
			bound := m.ErrorBound(beta)
			if beyond(bound) > beta || bound > 0 && beyond(bound-1) <= beta {
				t.Errorf("ε = %s, β = %g: bound %d, tails %g and %g", epsilon, beta, bound,
					beyond(bound), beyond(bound-1))
			}
			one, many := m.SimultaneousErrorBound(beta, 1), m.SimultaneousErrorBound(beta, 1000)
			// some of 1000 is off by more
			all := func(bound int64) float64 { return 1 - math.Pow(1-beyond(bound), 1000) }
			if one != bound || all(many) > beta*(1+1e-6) || many > 0 && all(many-1) <= beta {
				t.Errorf("ε = %s, β = %g: for 1 count %d, alone %d; for 1000 counts %d with %g",
					epsilon, beta, one, bound, many, all(many))
			}
		}
	}
	m, _ := NewLaplace(LaplaceParams{Epsilon: mustEpsilon(t, "1"), L1Sensitivity: 1})
	for beta, want := range map[float64]int64{0: math.MaxInt64, -1: math.MaxInt64, 1: 0, 2: 0} {
		if got := m.ErrorBound(beta); got != want {
			t.Errorf("β = %g: %d, want %d", beta, got, want)
		}
	}
}

func TestLaplaceStops(t *testing.T) {
	m, _ := NewLaplace(LaplaceParams{Epsilon: mustEpsilon(t, "1"), L1Sensitivity: 1})
	cancel := errors.New("cancelled")
	got, err := m.Release(coin.NewSeeded(1), make([]int64, 5000), func(done, total int64) error {
		if done >= 2048 {
			return cancel
		}
		return nil
	})
	if !errors.Is(err, cancel) || got != nil {
		t.Errorf("got %d counts, %v", len(got), err)
	}
	if empty, err := m.Release(coin.NewSeeded(1), nil, nil); err != nil || len(empty) != 0 {
		t.Errorf("no counts: %v, %v", empty, err)
	}
}

// A sample's mean size |Z| tells its scale: within 4.5 standard errors for the right one, and so
// far outside for 0.7 and 1.3 of it that the same test rejects them.
func TestLaplaceScale(t *testing.T) {
	const n = 20_000
	m, _ := NewLaplace(LaplaceParams{Epsilon: mustEpsilon(t, "0.2"), L1Sensitivity: 1})
	noisy, _ := m.Release(coin.NewSeeded(7), make([]int64, n), nil)
	sum, sumSquares, total := 0.0, 0.0, int64(0)
	for _, z := range noisy {
		size := math.Abs(float64(z))
		sum, sumSquares, total = sum+size, sumSquares+size*size, total+z
	}
	mean := sum / n
	spread := math.Sqrt(sumSquares/n-mean*mean) / math.Sqrt(n)
	accepts := func(scale float64) bool { // E|Z| = 2r/((r−1)(r+1)) = 1/sinh(ln r)
		return math.Abs(mean-scale/math.Sinh(m.rate.base.Log())) < 4.5*spread
	}
	if !accepts(1) || accepts(0.7) || accepts(1.3) {
		t.Errorf("mean size %g ± %g: right scale %v, 0.7 %v, 1.3 %v", mean, spread, accepts(1),
			accepts(0.7), accepts(1.3))
	}
	if bias := math.Abs(float64(total) / n); bias > 4.5*m.StdDev()/math.Sqrt(n) {
		t.Errorf("mean %g", bias)
	}
}
