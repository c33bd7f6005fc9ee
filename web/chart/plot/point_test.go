package plot

import (
	"math"
	"testing"
)

// TestNear: a number whose interval would be a stroke on the whole scale is drawn on a part of it
// with round ends; the interval lies in that part, and that part in the scale.
func TestNear(t *testing.T) {
	for _, c := range []struct{ lo, hi, low, high, from, to float64 }{
		{0, 100, 40, 60, 0, 100},
		{0, 100, 33.1, 33.3, 30, 36},
		{0, 1_000_000, 2400, 2600, 0, 5000},
		{0, 100, 99.9, 100, 98, 100},
		{0, 100, 5, 5, 0, 100},
	} {
		from, to := Near(c.lo, c.hi, c.low, c.high)
		if math.Abs(from-c.from) > 1e-9 || math.Abs(to-c.to) > 1e-9 {
			t.Errorf("%g to %g of %g to %g: %g to %g, want %g to %g", c.low, c.high, c.lo, c.hi,
				from, to, c.from, c.to)
		}
	}
}
