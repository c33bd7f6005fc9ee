package query

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestTiltsOfContradictions: counts that cannot all be true add up to steps whose power of e is no
// float64; what is left is a distribution all the same.
func TestTiltsOfContradictions(t *testing.T) {
	one, two := must(NewSet(2, 0)), must(NewSet(2, 0, 1))
	for _, steps := range [][]float64{
		{800, 800}, {800, -900}, {-800, 900}, {1e300, -1e300}, {-1e300, -1e300},
	} {
		u := must(newUniverse(2))
		u.tilt(one, steps[0])
		u.tilt(two, steps[1])
		sum := 0.0
		for _, w := range u.weight {
			sum += w
		}
		if math.IsNaN(sum) || math.Abs(sum/u.sum-1) > 1e-9 {
			t.Errorf("steps %v: the weights %v do not sum to %g", steps, u.weight, u.sum)
		}
	}
	u := must(newUniverse(2))
	u.tilt(one, 650)
	u.tilt(one, -650)
	if have := u.share(one, nil); math.Abs(have-0.5) > 1e-9 {
		t.Errorf("a long step and back: %g, want 1/2", have)
	}
}

// TestTiltsAddUp: after any number of large and small tilts, the running sum equals the sum of the
// weights, and shares equal those in a distribution that is normalised after each tilt.
func TestTiltsAddUp(t *testing.T) {
	const size = 5
	r := rand.New(rand.NewPCG(1, 2))
	u, want := must(newUniverse(size)), make([]float64, 1<<size)
	for x := range want {
		want[x] = 1.0 / float64(len(want))
	}
	for range 2000 {
		s := Set{r.Uint64N(1<<size) & r.Uint64N(1<<size)}
		step := 20 * (r.Float64() - 0.5)
		u.tilt(s, step)
		sum := 0.0
		for x := range want {
			if uint64(x)&mask(s) == mask(s) {
				want[x] *= math.Exp(step)
			}
			sum += want[x]
		}
		for x := range want {
			want[x] = max(want[x]/sum, 1e-200)
		}
		for x := range want {
			u.weight[x] = max(u.weight[x], 1e-200*u.sum) // or both come to nothing
		}
		yes, no := Set{r.Uint64N(1 << size)}, Set{r.Uint64N(1 << size)}
		no[0] &^= yes[0]
		share := 0.0
		for x, w := range want {
			if uint64(x)&yes[0] == yes[0] && uint64(x)&no[0] == 0 {
				share += w
			}
		}
		if got := u.share(yes, no); math.Abs(got-share) > 1e-9 {
			t.Fatalf("the share of %b without %b is %g, want %g", yes, no, got, share)
		}
	}
}
