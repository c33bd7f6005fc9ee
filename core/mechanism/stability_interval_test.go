package mechanism

import (
	"testing"

	"hush/core/internal/stattest"
)

// coverage is the exact chance, given that a value of count c is shown, that its interval holds c;
// sure is the noisy count from which on there is a lower end.
func coverage(m *StabilityHistogram, c, sure int64, beta float64) float64 {
	h, shown, held := m.ErrorBound(beta), 0.0, 0.0
	for y := m.threshold; y < m.threshold+c+400; y++ {
		p := stattest.LaplacePMF(m.noise.Log(), y-c)
		shown += p
		if low := y - h; (y < sure || low <= c) && c <= y+h {
			held += p
		}
	}
	return held / shown
}

// TestStabilityIntervalsHold: given that it is shown, the true count is in its interval, whatever
// it is; with a lower end near the threshold, too, it can be in none.
func TestStabilityIntervalsHold(t *testing.T) {
	for _, epsilon := range []string{"0.3", "1", "3"} {
		for _, beta := range []float64{0.05, 0.2} {
			m := must(NewStabilityHistogram(StabilityHistogramParams{
				Epsilon: mustEpsilon(t, epsilon), Delta: mustDelta(t, "0.000001")}))
			worst, plain := 1.0, 1.0
			for c := int64(1); c < 2*m.threshold; c++ {
				worst = min(worst, coverage(m, c, m.SureFrom(beta), beta))
				plain = min(plain, coverage(m, c, 0, beta))
			}
			if worst < 1-beta || worst > 1-beta/4 {
				t.Errorf("ε = %s, β = %g: %g", epsilon, beta, worst)
			}
			if plain > 0.01 {
				t.Errorf("ε = %s, β = %g: %g with lower ends everywhere", epsilon, beta, plain)
			}
		}
	}
}
