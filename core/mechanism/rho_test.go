package mechanism

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"hush/core/coin"
	"hush/core/internal/stattest"
)

// TestLaplaceRho: a shift by whole units costs what the exact law needs, at every order, and no
// less is claimed. The values are mpmath's, 40 digits.
func TestLaplaceRho(t *testing.T) {
	for text, want := range map[string]map[uint64]float64{
		"1/10": {1: .0049958375, 2: .0048770575, 3: .0048550385, 10: .0048390041, 100: .0048374339},
		"1/2":  {1: .1224593312, 2: .1105996085, 3: .1083463909, 10: .1066945575, 100: .1065322992},
		"1":    {1: .4621171573, 2: .3934693403, 3: .3794353916, 10: .3689317476, 100: .3678899764},
		"2": {1: 1.5231883119, 2: 1.2642411177, 3: 1.1962123075, 10: 1.1410729270,
			100: 1.1353929249},
	} {
		for shift, rho := range want {
			m := must(NewLaplace(
				LaplaceParams{Epsilon: mustEpsilon(t, text), L1Sensitivity: shift}))
			loss := must(m.Loss(1))
			if got := float(loss.Rho()); math.Abs(got-rho) > 6e-11 {
				t.Errorf("ε = %s, a shift by %d: ρ = %.10f, want %.10f", text, shift, got, rho)
			}
			needed := neededRho(func(z int64) (p, q float64) {
				log := m.noise.Log()
				return stattest.LaplacePMF(log, z-int64(shift)), stattest.LaplacePMF(log, z)
			}, int64(shift)+int64(25/m.noise.Log()))
			if needed > float(m.noise.rho(shift))*(1+1e-9) || needed < rho*.999 {
				t.Errorf("ε = %s, a shift by %d: ρ = %.10f is needed", text, shift, needed)
			}
			exact, _ := loss.Epsilon()
			epsilon := float(exact)
			if continuous := epsilon + math.Expm1(-epsilon); continuous >= needed && shift < 100 {
				t.Errorf("ε = %s, a shift by %d: the formula of continuous noise is not caught",
					text, shift)
			}
		}
	}
	// A base: ln(3/2)/5 and ⅔·ln(3/2)
	noise := must(NewLaplaceNoise(base(3, 2)))
	for shift, want := range map[uint64]float64{0: 0, 1: .0810930216, 2: .2703100721} {
		if got := float(noise.rho(shift)); math.Abs(got-want) > 6e-11 {
			t.Errorf("base 3/2, a shift by %d: %.10f, want %.10f", shift, got, want)
		}
	}
}

// TestTablesRho: counts of which each moves by 1 cost less than one that moves by all.
func TestTablesRho(t *testing.T) {
	for tables, want := range map[uint64]float64{1: .2449186624, 4: .0624187467, 10: .0249947930} {
		m := must(NewLaplace(LaplaceParams{Epsilon: mustEpsilon(t, "1"), L1Sensitivity: 2 * tables,
			LargestMove: 1}))
		if got := float(must(m.Loss(1)).Rho()); math.Abs(got-want) > 6e-11 {
			t.Errorf("%d tables: ρ = %.10f, want %.10f", tables, got, want)
		}
	}
	m := must(NewLaplace(LaplaceParams{Base: base(3, 2), L1Sensitivity: 2, LargestMove: 1}))
	if got := float(must(m.Loss(1)).Rho()); math.Abs(got-.1621860432) > 6e-11 {
		t.Errorf("a histogram of base 3/2: ρ = %.10f", got)
	}
	// All ways to move by 7 in all and 3 each: two threes and a one are the worst.
	noise := must(NewLaplaceNoise(base(3, 2)))
	worst := new(big.Rat)
	var move func(left, most uint64, cost *big.Rat)
	move = func(left, most uint64, cost *big.Rat) {
		if cost.Cmp(worst) > 0 {
			worst.Set(cost)
		}
		for d := uint64(1); d <= min(left, most); d++ {
			move(left-d, d, new(big.Rat).Add(cost, noise.rho(d)))
		}
	}
	move(7, 3, new(big.Rat))
	if got := noise.Rho(7, 3); got.Cmp(worst) != 0 {
		t.Errorf("ρ = %v, the worst way to move costs %v", float(got), float(worst))
	}
	_, err := NewLaplace(
		LaplaceParams{Epsilon: mustEpsilon(t, "1"), L1Sensitivity: 1, LargestMove: 2})
	wantRefusal(t, err, "largestMove")
}

// TestChoicesRho: on all pairs of neighbours' scores, choices by weights need at most the ρ that is
// claimed for their range, and η²/9 is less than some need. Permute and flip needs more.
func TestChoicesRho(t *testing.T) {
	r := base(3, 2)
	choice := must(NewExponential(ExponentialParams{Base: r, Sensitivity: 1}))
	stable := must(NewStableChoice(
		StableChoiceParams{Base: r, Delta: mustDelta(t, "1/10"), Newcomers: 1}))
	flip := must(NewPermuteAndFlip(PermuteAndFlipParams{Base: r, Sensitivity: 1}))
	claimed := float(must(choice.Loss(1)).Rho())
	if eta := 2 * r.Log(); math.Abs(claimed-eta*eta/8) > 1e-12 {
		t.Fatalf("ρ = %v of range %v", claimed, eta)
	}
	type release = func(src coin.Source, scores []int64) (int, error)
	most := func(release release) float64 {
		laws := map[string]*coin.Law[int]{}
		law := func(scores []int64) *coin.Law[int] {
			key := fmt.Sprint(scores)
			if laws[key] == nil {
				laws[key] = must(coin.Enumerate(coin.Limits{},
					func(src coin.Source) (int, error) { return release(src, scores) }))
			}
			return laws[key]
		}
		needed := 0.0
		for i := range 27 {
			from := []int64{int64(i % 3), int64(i / 3 % 3), int64(i / 9)}
			for j := range 27 {
				to := []int64{from[0] + int64(j%3) - 1, from[1] + int64(j/3%3) - 1,
					from[2] + int64(j/9) - 1}
				p, q := law(from), law(to)
				needed = max(needed, neededRho(func(z int64) (float64, float64) {
					return float(p.Mass(int(z))), float(q.Mass(int(z)))
				}, 3))
			}
		}
		return needed
	}
	byWeights := most(func(src coin.Source, scores []int64) (int, error) {
		return choice.Release(src, scores, nil)
	})
	if byWeights > claimed || byWeights < claimed*8/9 {
		t.Errorf("the exponential mechanism needs ρ = %.6f, claimed is %.6f", byWeights, claimed)
	}
	touched := most(func(src coin.Source, scores []int64) (int, error) {
		i, _, err := stable.Release(src, scores, nil)
		return i, err
	})
	if touched > float(must(stable.Loss(1)).Rho()) {
		t.Errorf("the stable choice needs ρ = %.6f among common candidates", touched)
	}
	flipped := most(func(src coin.Source, scores []int64) (int, error) {
		return flip.Release(src, scores, nil)
	})
	if flipped <= claimed || flipped > float(must(flip.Loss(1)).Rho()) {
		t.Errorf("permute and flip needs ρ = %.6f, a choice by weights %.6f", flipped, claimed)
	}
}

// neededRho is the largest D_α/α of two laws on the whole numbers up to reach in size, α near 1 and
// above.
func neededRho(law func(z int64) (p, q float64), reach int64) (most float64) {
	for _, alpha := range []float64{1 + 1e-7, 1.1, 2, 5, 50} {
		divergence := 0.0 // Σ p·((p/q)^(α−1) − 1)/(α−1), which keeps its digits near 1
		for z := -reach; z <= reach; z++ {
			if p, q := law(z); p > 0 && q > 0 {
				divergence += p * math.Expm1((alpha-1)*math.Log(p/q)) / (alpha - 1)
			}
		}
		most = max(most, math.Log1p((alpha-1)*divergence)/(alpha-1)/alpha)
	}
	return most
}

func float(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}
