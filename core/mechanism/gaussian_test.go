package mechanism

import (
	"math"
	"math/big"
	"testing"

	"hush/core/coin"
	"hush/core/internal/stattest"
	"hush/core/privacy"
)

func mustDelta(t testing.TB, text string) privacy.Delta {
	t.Helper()
	d, err := privacy.ParseDelta(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func mustRho(t testing.TB, text string) privacy.Rho {
	t.Helper()
	p, err := privacy.ParseRho(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The law of an accepted attempt is r^(−z²) over its sum, exactly, whatever the peak of the
// proposal.
func TestGaussianLawIsExact(t *testing.T) {
	for _, r := range []coin.Base{base(3, 2), base(9, 8), base(50, 49), base(2, 1), base(7, 1)} {
		m := must(NewGaussian(GaussianParams{Base: r, L2SensitivitySquared: 1}))
		law, err := coin.Enumerate(coin.Limits{Tail: rat("1e-6")},
			func(src coin.Source) (int64, error) {
				size, down, accepted := m.attempt(src)
				switch {
				case !accepted:
					return math.MaxInt64, nil
				case down:
					return -int64(size), nil
				}
				return int64(size), nil
			})
		if err != nil {
			t.Fatal(err)
		}
		zero := law.Mass(0)
		if zero.Sign() == 0 {
			t.Fatal("zero is never accepted")
		}
		reach := int64(3) // within the tail cut, for every base
		if r.Log() < 0.5 {
			reach = 6
		}
		for z := -reach; z <= reach; z++ {
			want := new(big.Rat).Quo(zero, r.Pow(uint64(z*z)).Rat())
			if got := law.Mass(z); got.Cmp(want) != 0 {
				t.Errorf("base %v: Pr[%d] is %v of Pr[0], want r^−%d", r, z,
					new(big.Rat).Quo(got, zero), z*z)
			}
		}
		rejected, _ := law.Mass(math.MaxInt64).Float64()
		if 1-rejected < 0.39 {
			t.Errorf("base %v: accepts only %g", r, 1-rejected)
		}
	}
}

func TestGaussianError(t *testing.T) {
	for _, r := range []coin.Base{base(40, 1), base(3, 2), base(1001, 1000)} {
		m := must(NewGaussian(GaussianParams{Base: r, L2SensitivitySquared: 1}))
		sum, variance := 0.0, 0.0
		for z := int64(-2000); z <= 2000; z++ {
			p := stattest.GaussianPMF(m.base.Log(), z)
			sum, variance = sum+p, variance+p*float64(z*z)
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("base %v: masses add up to %.15g", r, sum)
		}
		if variance > m.StdDev()*m.StdDev()*(1+1e-12) {
			t.Errorf("base %v: variance %g, above %g", r, variance, m.StdDev()*m.StdDev())
		}
		for _, beta := range []float64{0.5, 0.05, 1e-6} {
			beyond := 0.0
			for z := m.ErrorBound(beta) + 1; z <= 2000; z++ {
				beyond += 2 * stattest.GaussianPMF(m.base.Log(), z)
			}
			if beyond > beta {
				t.Errorf("base %v: beyond %d with chance %g, bound for %g", r, m.ErrorBound(beta),
					beyond, beta)
			}
		}
	}
}

func TestGaussianScale(t *testing.T) {
	const n = 20_000
	// standard deviation 22.36
	m := must(NewGaussian(GaussianParams{Rho: mustRho(t, "0.001"), L2SensitivitySquared: 1}))
	noisy, err := m.Release(coin.NewSeeded(5), make([]int64, n), nil)
	if err != nil {
		t.Fatal(err)
	}
	squares, fourths := 0.0, 0.0
	for _, z := range noisy {
		square := float64(z) * float64(z)
		squares, fourths = squares+square, fourths+square*square
	}
	mean := squares / n
	spread := math.Sqrt((fourths/n - mean*mean) / n)
	accepts := func(scale float64) bool { return math.Abs(mean-scale*scale*500) < 4.5*spread }
	if !accepts(1) || accepts(0.7) || accepts(1.3) {
		t.Errorf("variance %g ± %g", mean, spread)
	}
}

func TestGaussianLoss(t *testing.T) {
	m := must(NewGaussian(GaussianParams{Rho: mustRho(t, "0.1"), L2SensitivitySquared: 7}))
	loss, err := m.Loss(3)
	if err != nil || loss.Rho().Cmp(rat("9/10")) != 0 {
		t.Errorf("ρ for three persons is %v, %v", loss.Rho(), err)
	}
	if _, pure := loss.Epsilon(); pure {
		t.Error("Gaussian noise claims an ε without a δ")
	}
	// The claim follows from the base: 7·ln r ≤ 1/10.
	if up := privacy.LogUp(m.base.Pow(7).Rat()); up.Cmp(rat("1/10")) > 0 ||
		up.Cmp(rat("0.0999999999999")) < 0 {
		t.Errorf("7·ln r = %v", up)
	}
	exact := must(NewGaussian(GaussianParams{Base: base(3, 2), L2SensitivitySquared: 2}))
	loss, _ = exact.Loss(1)
	if rho := loss.Rho(); rho.Cmp(
		privacy.LogUp(rat("3/2")).Mul(privacy.LogUp(rat("3/2")), rat("2"))) != 0 {
		t.Errorf("ρ = %v", rho)
	}
}

func TestGaussianRefuses(t *testing.T) {
	for _, c := range []struct {
		p     GaussianParams
		field string
	}{
		{GaussianParams{L2SensitivitySquared: 1}, "rho"},               // H: gaussian.md one-rate
		{GaussianParams{Rho: mustRho(t, "1")}, "l2SensitivitySquared"}, // H: gaussian.md some-move
		// H: gaussian.md one-rate
		{GaussianParams{Rho: mustRho(t, "1"), Base: base(3, 2), L2SensitivitySquared: 1}, "base"},
		// H: gaussian.md rate-size
		{GaussianParams{Rho: mustRho(t, "1"), L2SensitivitySquared: math.MaxUint64}, "rho"},
		// H: gaussian.md rate-size
		{GaussianParams{Base: base(3, 2), L2SensitivitySquared: 100_000}, "base"},
	} {
		_, err := NewGaussian(c.p)
		wantRefusal(t, err, c.field)
	}
	m := must(NewGaussian(GaussianParams{Base: base(3, 2), L2SensitivitySquared: 1}))
	for beta, want := range map[float64]int64{0: math.MaxInt64, -1: math.MaxInt64, 1: 0, 2: 0} {
		if got := m.ErrorBound(beta); got != want {
			t.Errorf("β = %g: %d, want %d", beta, got, want)
		}
	}
}

// The square of a distance beyond 2^32 has more than 64 bits: its coin is then several.
func TestGaussianFarOut(t *testing.T) {
	m := must(NewGaussian(GaussianParams{Base: base(3, 2), L2SensitivitySquared: 1}))
	if m.low != m.high {
		t.Fatal("a base with low = high is needed here")
	}
	coins := &counting{size: 1<<33 + m.low}
	if _, _, accepted := m.attempt(coins); !accepted || coins.asked != 1+2*4 { // 2^66 = 4·2^64
		t.Errorf("accepted %v after %d coins", accepted, coins.asked)
	}
	half := coin.Ratio(1, 1).TimesPower(m.base, 1<<63)
	for i, p := range coins.chances[1:] { // the first is for the rest below 2^64
		if p != half.String() {
			t.Errorf("further coin %d has the chance %s, want %v", i, p, half)
		}
	}
}

// counting answers yes to every coin and counts them.
type counting struct {
	coin.Source
	size    uint64
	asked   int
	chances []string
}

func (c *counting) Geometric(coin.Base) uint64 { return c.size }
func (c *counting) Uniform(uint64) uint64      { return 0 }

func (c *counting) Bernoulli(p coin.Chance) bool {
	c.asked, c.chances = c.asked+1, append(c.chances, p.String())
	return true
}
