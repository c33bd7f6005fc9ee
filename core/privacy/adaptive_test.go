package privacy

import (
	"math"
	"math/big"
	"testing"
)

// nonAdaptive is the δ of k choices of range η that are fixed in advance, at ε': the closed form of
// Dong, Durfee, Rogers, 2020, at its best t, as all have the same.
func nonAdaptive(k int, eta, epsilon float64) (most float64) {
	for s := 0.0; s <= 1; s += 1.0 / 1024 {
		t := s * eta
		up, down := math.Expm1(t-eta)/math.Expm1(-eta), math.Expm1(t)/math.Expm1(eta)
		delta, ways := 0.0, 1.0
		for i := range k + 1 { // i times down
			loss := float64(k)*t - float64(i)*eta
			chance := ways * math.Pow(up, float64(k-i)) * math.Pow(down, float64(i))
			delta += chance * max(0, -math.Expm1(epsilon-loss))
			ways = ways * float64(k-i) / float64(i+1)
		}
		most = max(most, delta)
	}
	return most
}

// TestSharesAreRoundedUp: a part of a share is never below the product, and is it where that is
// whole.
func TestSharesAreRoundedUp(t *testing.T) {
	for _, c := range []struct{ s, of, want share }{
		{whole, whole, whole}, {1, whole, 1}, {whole, 3, 3}, {whole - 1, whole, whole - 1},
		{1 << 62, 6, 3}, {1 << 62, 5, 3}, {1, 1, 1}, {0, whole, 0}, {3 << 61, 3, 3},
	} {
		if have := c.s.of(c.of); have != c.want {
			t.Errorf("%d of %d is %d, want %d", c.s, c.of, have, c.want)
		}
	}
}

// TestChoicesCompose: one choice is as its closed form says. Of three, chosen adaptively, the
// non-adaptive optimum is too small; what we compute lies above what an adversary reaches, by less
// than a hundredth.
func TestChoicesCompose(t *testing.T) {
	for _, c := range []struct {
		k         uint64
		eta, want float64 // of the largest δ at half of ε'
		at        float64
	}{
		{1, 1, .0774046863, .5},
		{3, 1, .0997882, 1},
	} {
		eta := new(big.Rat).SetFloat64(c.eta)
		for _, side := range []float64{1 - 1e-9, 1.01} {
			e := toFloat(choicesEpsilon(c.k, eta, new(big.Rat).SetFloat64(c.want*side)))
			if enough := e <= c.at; enough != (side > 1) {
				t.Errorf("%d choices of range %g at δ = %g compose to ε = %g, want about %g", c.k,
					c.eta, c.want*side, e, c.at)
			}
		}
	}
	if fixed := nonAdaptive(3, 1, 1); math.Abs(fixed-.0948951) > 1e-6 {
		t.Errorf("fixed in advance: δ = %g", fixed)
	}
	for _, c := range []struct {
		k          uint64
		eta, slack float64
	}{{2, .3, 1e-3}, {8, .17, 1e-6}, {16, 1, 1e-9}, {256, .01, 1e-6}, {2, 30, 1e-3}} {
		got := choicesEpsilon(c.k, new(big.Rat).SetFloat64(c.eta), new(big.Rat).SetFloat64(c.slack))
		if needed := nonAdaptive(int(c.k), c.eta, toFloat(got)); needed > c.slack {
			t.Errorf("%d choices of range %g: at ε = %g δ = %g is not enough for %g", c.k, c.eta,
				toFloat(got), c.slack, needed)
		}
	}
	for _, eta := range []string{"0", "1e-30", "33"} { // H: adaptive.md range-size
		if got := choicesEpsilon(2, ratio(t, eta), ratio(t, "1e-3")); got != nil {
			t.Errorf("range %s: ε = %v", eta, got)
		}
	}
	// H: adaptive.md few
	if got := choicesEpsilon(257, ratio(t, "1/10"), ratio(t, "1e-3")); got != nil {
		t.Errorf("257 choices: ε = %v", got)
	}
}

func BenchmarkChoices(b *testing.B) {
	for b.Loop() {
		choicesEpsilon(32, big.NewRat(1, 12), big.NewRat(1, 1_000_000))
	}
}

// TestLatticeOfChoices: finer steps, with the values between lattice points by the recursion itself
// in floats, never need more than what is computed.
func TestLatticeOfChoices(t *testing.T) {
	const k, eta = 4, 0.5
	fine := 400 // steps for each range
	h := func(y float64) float64 { return max(0, -math.Expm1(y)) }
	for range k {
		below := h
		table := make([]float64, 2*(k+1)*fine+1)
		for i := range table {
			y := (float64(i)/float64(fine) - k - 1) * eta
			for s := 0; s <= fine; s += 4 {
				t := float64(s) / float64(fine) * eta
				up := math.Expm1(t-eta) / math.Expm1(-eta)
				table[i] = max(table[i], up*below(y-t)+(1-up)*below(y-t+eta))
			}
		}
		h = func(y float64) float64 {
			at := (y/eta + k + 1) * float64(fine)
			switch i := int(math.Round(at)); {
			case i < 0:
				return -math.Expm1(y)
			case i >= len(table):
				return 0
			default:
				return table[i]
			}
		}
	}
	for _, slack := range []float64{.1, 1e-2, 1e-3, 1e-4} {
		got := toFloat(choicesEpsilon(k, big.NewRat(1, 2), new(big.Rat).SetFloat64(slack)))
		if h(got) > slack*(1+1e-9) || h(got-.02) < slack {
			t.Errorf("δ = %g: ε = %g, which needs %g; .02 less needs %g", slack, got, h(got),
				h(got-.02))
		}
	}
}
