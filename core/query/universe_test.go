package query

import (
	"math"
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
		if math.IsNaN(sum) || math.Abs(sum-1) > 1e-9 {
			t.Errorf("steps %v: the weights %v do not sum to 1", steps, u.weight)
		}
	}
	u := must(newUniverse(2))
	u.tilt(one, 650)
	u.tilt(one, -650)
	if have := u.share(one, nil); math.Abs(have-0.5) > 1e-9 {
		t.Errorf("a long step and back: %g, want 1/2", have)
	}
}
