package stattest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// recorder is a testing.TB that counts failures instead of failing.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func exponential(scale float64) CDF {
	return func(k int64) float64 { return -math.Expm1(-float64(max(k+1, 0)) / scale) }
}

func TestAcceptAndReject(t *testing.T) {
	for name, test := range map[string]struct {
		actual   float64 // scale of the sampler; the law claims 10
		failures int
	}{
		"right":            {10, 0},
		"scale 0.7":        {7, 2}, // does not fit its law, and passes for 0.7
		"scale 1.3":        {13, 2},
		"a little too low": {9, 1},
	} {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			draw := func() int64 { return int64(random.ExpFloat64() * test.actual) }
			r := &recorder{TB: t}
			AcceptAndReject(r, draw, func(scale float64) CDF { return exponential(10 * scale) })
			if len(r.failures) != test.failures {
				t.Errorf("failures %q, want %d", r.failures, test.failures)
			}
		})
	}
}

// TestPower finds laws that N draws cannot tell apart refused, not passed.
func TestPower(t *testing.T) {
	r := &recorder{TB: t}
	AcceptAndReject(r, func() int64 { return 0 }, func(float64) CDF {
		return FromPMF(0, []float64{1})
	})
	if len(r.failures) != 4 {
		t.Errorf("failures %q, want two of power and two of laws that pass", r.failures)
	}
}

func TestSplitCoversTheLaw(t *testing.T) {
	for _, law := range []CDF{exponential(1e6), exponential(.3),
		FromPMF(-2, []float64{1, 2, 0, 5})} {
		p := split(law)
		sum := 0.0
		for _, mass := range p.mass {
			if mass < 10.0/N {
				t.Errorf("a cell expects %g draws of %d", mass*N, N)
			}
			sum += mass
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("cells sum to %g", sum)
		}
	}
}
