package mechanism

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/internal/stattest"
	"hush/core/privacy"
)

func averaged(t *testing.T, first, then string, l2 uint64) *Averaged {
	t.Helper()
	return must(NewAveraged(AveragedParams{First: mustRho(t, first), Then: mustRho(t, then),
		L2SensitivitySquared: l2}))
}

// TestAveragedLoss: it costs the difference, and no more.
func TestAveragedLoss(t *testing.T) {
	for _, l2 := range []uint64{1, 2} {
		m := averaged(t, "1/100", "3/100", l2)
		loss := must(m.Loss(1))
		if loss.Rho().Cmp(big.NewRat(2, 100)) != 0 {
			t.Errorf("L2² %d: ρ = %v, want 1/50", l2, loss.Rho())
		}
		if _, pure := loss.Epsilon(); pure || loss.IsRest() {
			t.Errorf("L2² %d: an ε %v, a rest %v", l2, pure, loss.IsRest())
		}
		if two := must(m.Loss(2)); two.Rho().Cmp(big.NewRat(8, 100)) != 0 {
			t.Errorf("L2² %d: two persons lose ρ = %v", l2, two.Rho())
		}
	}
	rho, more := mustRho(t, "1/10"), mustRho(t, "2/10")
	for name, p := range map[string]AveragedParams{
		"no first":       {Then: more, L2SensitivitySquared: 1},
		"no then":        {First: rho, L2SensitivitySquared: 1},
		"no more":        {First: rho, Then: rho, L2SensitivitySquared: 1},  // H: averaged.md more
		"less":           {First: more, Then: rho, L2SensitivitySquared: 1}, // H: averaged.md more
		"no sensitivity": {First: rho, Then: more},
	} {
		if _, err := NewAveraged(p); err == nil {
			t.Errorf("%s was not refused", name)
		}
	}
}

// TestAveragedIsExact: the second answer is an ordinary release, and the mean is the rounded
// fraction that it is.
func TestAveragedIsExact(t *testing.T) {
	counts := []int64{100, -7, math.MaxInt64 - 400}
	first := []int64{103, -22, math.MaxInt64 - 407}
	m := averaged(t, "1/100", "3/100", 1)
	second := must(m.Fresh(coin.NewSeeded(8), counts, nil))
	fresh := must(NewGaussian(GaussianParams{Rho: mustRho(t, "1/50"), L2SensitivitySquared: 1}))
	if want := must(fresh.Release(coin.NewSeeded(8), counts, nil)); !slices.Equal(second, want) {
		t.Errorf("released %v, want %v", second, want)
	}
	means := Means([]Draw{{mustRho(t, "1/100"), first}, {mustRho(t, "1/50"), second}})
	for i, y := range second {
		want := new(big.Rat).SetInt64(y)
		want.Add(want, want).Add(want, new(big.Rat).SetInt64(first[i])).
			Quo(want, big.NewRat(3, 1))
		if means[i] != Rounded(want) {
			t.Errorf("mean %d is %v, want %v", i, means[i], want)
		}
	}
}

// TestAveragedVariance: that of one release of all ρ.
func TestAveragedVariance(t *testing.T) {
	for _, c := range []struct{ first, then string }{
		{"1/1000", "1/250"}, {"1/10", "1/5"}, {"1/8", "1/2"},
	} {
		one := must(NewGaussian(GaussianParams{Rho: mustRho(t, c.then), L2SensitivitySquared: 2}))
		two := averaged(t, c.first, c.then, 2)
		if off := two.stdDev()/one.StdDev() - 1; math.Abs(off) > 1e-9 {
			t.Errorf("%v to %v: the mean's deviation is off by %v", c.first, c.then, off)
		}
	}
}

// stopped is the moment of filter.md that must stay at most 1, of a first release and a second
// that is made only where that moment of it is above 1: given the first answer y, more is the
// logarithm of that of the second. ρ is what the first costs.
func stopped(a, alpha, rho float64, more func(y int64) float64) (sum float64) {
	for y := int64(-1500); y <= 1500; y++ {
		p := math.Log(math.Tanh(a/2)) - a*math.Abs(float64(y))
		other := math.Log(math.Tanh(a/2)) - a*math.Abs(float64(y-1))
		sum += math.Exp(alpha*p + (1-alpha)*other - alpha*(alpha-1)*rho + max(more(y), 0))
	}
	return sum
}

// TestStoppedMoments: who looks at the first answer before releasing again gains nothing with an
// average, nor with a top-up at the ρ that it states; but does with a top-up at ρ₂ − ρ₁.
func TestStoppedMoments(t *testing.T) {
	for _, c := range []struct {
		first, then string
		alpha, want float64
	}{{"0.05", "0.1", 10, 1.0164}, {"0.25", "0.5", 2, 1.0112}} {
		r1, r2 := must(coin.ExpBelow(q(c.first))), must(coin.ExpBelow(q(c.then)))
		z1, z2 := must(NewLaplaceNoise(r1)), must(NewLaplaceNoise(r2))
		first, _ := z1.Rho(1, 1).Float64()
		then, _ := z2.Rho(1, 1).Float64()
		stated, _ := rho(r1, r2, 1, 1).Float64()
		topUp := func(charged float64) func(y int64) float64 {
			return func(y int64) float64 {
				return logMoment(r1, r2, y, c.alpha) - c.alpha*(c.alpha-1)*charged
			}
		}
		if have := stopped(r1.Log(), c.alpha, first, topUp(then-first)); math.Abs(
			have-c.want) > 5e-5 {
			t.Errorf("%s to %s for ρ₂ − ρ₁: the moment is %.5f, want %.4f", c.first, c.then, have,
				c.want)
		}
		if have := stopped(r1.Log(), c.alpha, first, topUp(stated)); have > 1+1e-9 {
			t.Errorf("%s to %s: the moment is %v", c.first, c.then, have)
		}
		m := must(NewAveraged(AveragedParams{First: must(privacy.NewRho(z1.Rho(1, 1))),
			Then: must(privacy.NewRho(z2.Rho(1, 1))), L2SensitivitySquared: 1}))
		a, sum, all := m.gaussian.base.Log(), 0.0, 0.0
		for y := -1500.0; y <= 1500; y++ {
			sum += math.Exp(-c.alpha*a*y*y - (1-c.alpha)*a*(y-1)*(y-1))
			all += math.Exp(-a * y * y)
		}
		fresh := math.Log(sum/all) - c.alpha*(c.alpha-1)*(then-first)
		if have := stopped(r1.Log(), c.alpha, first, func(int64) float64 { return fresh }); have >
			1+1e-9 {
			t.Errorf("%s to %s, averaged: the moment is %v", c.first, c.then, have)
		}
	}
}

// TestNearNormal: the tails of discrete Gaussian noise lie between those of a normal law that are a
// step apart.
func TestNearNormal(t *testing.T) {
	for _, log := range []string{"5", "1", "1/5", "1/50", "1/2000"} {
		m := must(NewGaussian(GaussianParams{Base: must(coin.ExpBelow(q(log))),
			L2SensitivitySquared: 1}))
		above, end := 0.0, int64(9*m.StdDev())+2
		normal := func(x int64) float64 { return math.Erfc(float64(x)/m.StdDev()/math.Sqrt2) / 2 }
		for k := end; k >= 1; k-- {
			above += stattest.GaussianPMF(m.base.Log(), k)
			const digits = 1e-12
			if above < normal(k)-normal(end)-digits || above > normal(k-1)+digits {
				t.Errorf("ln r = %s: Pr[Z ≥ %d] is %v, want from %v to %v", log, k, above,
					normal(k), normal(k-1))
			}
		}
	}
}

// missed is the chance that a rounded mean of two releases, the second by the weight given, is off
// by more than a bound; of one release averaged with itself where the second is nil.
func missed(first, second *Gaussian, weight float64, bound int64) (chance float64) {
	far := func(m *Gaussian) int64 { return int64(9*m.StdDev()) + 2 }
	law := func(m *Gaussian, z int64) float64 { return stattest.GaussianPMF(m.base.Log(), z) }
	if second == nil {
		for z := -far(first); z <= far(first); z++ {
			if max(z, -z) > bound {
				chance += law(first, z)
			}
		}
		return chance
	}
	for z := -far(first); z <= far(first); z++ {
		for y := -far(second); y <= far(second); y++ {
			mean := math.Floor((1-weight)*float64(z) + weight*float64(y) + 0.5)
			if math.Abs(mean) > float64(bound) {
				chance += law(first, z) * law(second, y)
			}
		}
	}
	return chance
}

// TestAveragedLaw: rounded means are off by more than their bound in at most as many releases as it
// says, by their exact law, and one release of all ρ has a bound that is smaller by 1 at most.
// Planted: weights by ε in place of ρ, equal weights, and one release that is averaged with itself.
func TestAveragedLaw(t *testing.T) {
	for _, c := range []struct{ first, then string }{
		{"1/100", "1/50"}, {"1/200", "3/100"}, {"1/8", "1/2"}, {"1/2", "5/2"},
	} {
		m := averaged(t, c.first, c.then, 1)
		one := must(NewGaussian(GaussianParams{Rho: mustRho(t, c.first), L2SensitivitySquared: 1}))
		whole := must(NewGaussian(GaussianParams{Rho: mustRho(t, c.then), L2SensitivitySquared: 1}))
		share, _ := m.share.Float64()
		for _, beta := range []float64{0.3, 0.05, 0.001} {
			bound := m.WholeBound(1, beta)
			if chance := missed(one, m.gaussian, share, bound); chance > beta {
				t.Errorf("%s to %s: off by more than %d with chance %v, want %v", c.first, c.then,
					bound, chance, beta)
			}
			if fresh := whole.ErrorBound(beta); bound > fresh+1 {
				t.Errorf("%s to %s: %d, and one release %d", c.first, c.then, bound, fresh)
			}
		}
		bound := m.WholeBound(1, 0.05)
		if chance := missed(one, nil, 0, bound); chance <= 0.05 {
			t.Errorf("%s to %s: one release averaged with itself misses with %v", c.first, c.then,
				chance)
		}
		if c.first == "1/200" {
			for _, wrong := range []float64{1 - share, 0.5} {
				if chance := missed(one, m.gaussian, wrong, bound); chance <= 0.05 {
					t.Errorf("%s to %s: by weight %v it misses with %v", c.first, c.then, wrong,
						chance)
				}
			}
		}
	}
	m := averaged(t, "1/100", "4/100", 1)
	if m.WholeBound(1, 1) != 0 || m.WholeBound(1, 0) != math.MaxInt64 ||
		m.WholeBound(2, 0.05) <= m.WholeBound(1, 0.05) {
		t.Error("bounds for other chances and sums")
	}
	for mean, want := range map[string]int64{"5/2": 2, "3/2": 2, "-5/2": -2, "-8/3": -3, "7": 7,
		"9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64} {
		if have := Rounded(q(mean)); have != want {
			t.Errorf("%s is rounded to %d, want %d", mean, have, want)
		}
	}
}
