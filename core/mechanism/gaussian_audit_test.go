package mechanism

import (
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

// gaussianNoise is the law of the noise that a release adds to one count, but for a tail of
// 2^−tail: that of its first attempt, given that it is accepted.
func gaussianNoise(m *Gaussian, tail uint) *coin.Law[int64] {
	return must(audittest.FirstTries(coin.Limits{Tail: big.NewRat(1, 1<<tail)},
		func(src coin.Source) (int64, error) {
			noisy, err := m.Release(src, []int64{0}, nil)
			if err != nil {
				return 0, err
			}
			return noisy[0], nil
		}))
}

// noisyGauss releases the count of each of d values with this noise.
func noisyGauss(noise *coin.Law[int64], d int) func([]int) (*coin.Law[[2]int64], error) {
	return func(rows []int) (*coin.Law[[2]int64], error) {
		law := coin.NewLaw[[2]int64]()
		law.Add([2]int64{}, big.NewRat(1, 1))
		for i, c := range counts(rows, d) {
			var err error
			law, err = coin.Then(law, func(before [2]int64) (*coin.Law[[2]int64], error) {
				next := coin.NewLaw[[2]int64]()
				for _, z := range noise.Outcomes() {
					after := before
					after[i] = c + z
					next.Add(after, noise.Mass(z))
				}
				next.AddCut(noise.Cut())
				return next, nil
			})
			if err != nil {
				return nil, err
			}
		}
		return law, nil
	}
}

func gaussian(r coin.Base, squared uint64) *Gaussian {
	return must(NewGaussian(GaussianParams{Base: r, L2SensitivitySquared: squared}))
}

// at is the (ε, δ) that the mechanism's zCDP claim implies.
func at(m Mechanism, delta string) audit.Claim {
	loss := must(m.Loss(1))
	return claimOf(loss.At(must(privacy.ParseDelta(delta))))
}

// TestAuditGaussianLaw compares the noise with its definition: Pr[z]/Pr[0] = r^(−z²), exactly.
func TestAuditGaussianLaw(t *testing.T) {
	for _, r := range []coin.Base{base(3, 2), base(5, 4), base(10, 9)} {
		noise := gaussianNoise(gaussian(r, 1), 24)
		if noise.Cut().Cmp(big.NewRat(1, 1<<20)) > 0 {
			t.Errorf("base %v: %v was cut", r, noise.Cut())
		}
		for _, z := range noise.Outcomes() {
			want := new(big.Rat).Quo(noise.Mass(0), r.Pow(uint64(z*z)).Rat())
			if noise.Mass(z).Cmp(want) != 0 {
				t.Errorf("base %v: mass of %d is not r^(−z²) of that of 0", r, z)
			}
		}
	}
}

// TestAuditGaussianRenyi bounds the Rényi divergence of integer orders from below: Σ p^α·q^(1−α) is
// r^(α(α−1)) at α, which the claim allows and no less.
func TestAuditGaussianRenyi(t *testing.T) {
	r := base(5, 4)
	m := gaussian(r, 1)
	noise := gaussianNoise(m, 24)
	for order := uint64(2); order <= 6; order++ {
		sum := new(big.Rat)
		for _, z := range noise.Outcomes() {
			// p is the law of z, q that of z + 1: p/q = r^(2z+1)… by masses alone
			q := noise.Mass(z - 1)
			if q.Sign() == 0 {
				continue
			}
			ratio, term := new(big.Rat).Quo(noise.Mass(z), q), new(big.Rat).Set(noise.Mass(z))
			for range order - 1 {
				term.Mul(term, ratio)
			}
			sum.Add(sum, term)
		}
		bound := r.Pow(order * (order - 1)).Rat()
		if sum.Cmp(bound) > 0 {
			t.Errorf("order %d: the sum is %v, above the claim's %v", order, sum.FloatString(9),
				bound.FloatString(9))
		}
		if sum.Cmp(bound.Mul(bound, big.NewRat(999, 1000))) < 0 {
			t.Errorf("order %d: the sum is %v, below the claim's %v: the claim is not what the "+
				"noise does", order, sum.FloatString(9), bound.FloatString(9))
		}
	}
}

func TestAuditGaussian(t *testing.T) {
	for _, delta := range []string{"0.01", "0.000001"} {
		m := gaussian(base(5, 4), 1)
		audittest.Holds(
			t, audit.Audit[[2]int64]{Name: "Gaussian, one count, base 5/4, at δ = " + delta,
				Space: audit.Space{Persons: 4, Values: 1},
				Claim: at(m, delta), Law: noisyGauss(gaussianNoise(m, 24), 1)})
	}
	m := gaussian(base(3, 2), 2)
	audittest.Holds(
		t, audit.Audit[[2]int64]{Name: "Gaussian, two disjoint counts, base 3/2, at δ = 0.01",
			Space: audit.Space{Persons: 2, Values: 2},
			Claim: at(m, "0.01"), Law: noisyGauss(gaussianNoise(m, 10), 2)})
}

func TestPlantedGaussian(t *testing.T) {
	r := base(5, 4)
	caught := func(name string, d int, claim audit.Claim, noise *coin.Law[int64]) {
		audittest.Caught(
			t, audit.Audit[[2]int64]{Name: "Gaussian " + name,
				Space: audit.Space{Persons: 2, Values: d}, Claim: claim, Law: noisyGauss(noise, d)})
	}
	claim := at(gaussian(r, 1), "0.000001")
	caught("with half the noise", 1, claim, gaussianNoise(gaussian(r.Pow(4), 1), 24))
	wide := gaussian(base(3, 2), 1)
	// H: gaussian.md moves
	caught("on a histogram with sensitivity 1 for 2", 2, at(wide, "0.001"), gaussianNoise(wide, 14))

	sizes := coin.NewLaw[int64]() // the tails beyond 3 are put on 3
	noise := gaussianNoise(gaussian(r, 1), 24)
	for _, z := range noise.Outcomes() {
		sizes.Add(min(max(z, -3), 3), noise.Mass(z))
	}
	sizes.AddCut(noise.Cut())
	caught("that clamps the noise", 1, claim, sizes)
}
