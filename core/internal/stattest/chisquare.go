// Package stattest tests samplers of whole numbers against their laws. It serves tests only and is
// not shipped.
package stattest

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The constants of every statistical test, in one place. A right sampler fails a test with
// probability Alpha; a law at 0.7 or 1.3 times the scale passes with probability at most 1 − Power,
// which AcceptAndReject verifies for N.
const (
	Alpha = 1e-6
	Power = 1 - 1e-6
	N     = 20000
	cells = 24 // as equally likely as the law allows, so at least N/cells expected in most
)

// CDF gives Pr[X ≤ k] of a law on the whole numbers.
type CDF func(k int64) float64

// FromPMF returns the CDF of a law on from … from+len(mass)−1 with these masses, which need not be
// normalised.
func FromPMF(from int64, mass []float64) CDF {
	sums := make([]float64, len(mass))
	total := 0.0
	for i, m := range mass {
		total += m
		sums[i] = total
	}
	return func(k int64) float64 {
		switch {
		case k < from:
			return 0
		case k-from >= int64(len(sums)):
			return 1
		}
		return sums[k-from] / total
	}
}

// AcceptAndReject draws N times and fails the test unless the sample fits law(1) and neither
// law(0.7) nor law(1.3). law(s) is the law with its scale multiplied by s. The test also fails when
// N is too small to tell them apart.
func AcceptAndReject(t testing.TB, draw func() int64, law func(scale float64) CDF) {
	t.Helper()
	sample := Sample(draw)
	Accept(t, sample, law(1))
	for _, scale := range []float64{0.7, 1.3} {
		wrong := law(scale)
		p := split(wrong)
		if power := p.power(law(1)); power < Power {
			t.Errorf("a sample of %d tells scale %g from scale 1 with power %.9f only, want %v", N,
				scale, power, Power)
		}
		if statistic, critical := p.statistic(sample), p.critical(); statistic <= critical {
			t.Errorf("the sample passes for scale %g: χ² = %.1f ≤ %.1f", scale, statistic, critical)
		}
	}
}

// Accept fails the test unless the sample fits the law.
func Accept(t testing.TB, sample []int64, law CDF) {
	t.Helper()
	p := split(law)
	if statistic, critical := p.statistic(sample), p.critical(); statistic > critical {
		t.Errorf("the sample does not fit its law: χ² = %.1f > %.1f on %d cells", statistic,
			critical, len(p.mass))
	}
}

// Sample draws N times.
func Sample(draw func() int64) []int64 {
	sample := make([]int64, N)
	for i := range sample {
		sample[i] = draw()
	}
	return sample
}

// partition cuts the whole numbers into cells: cell i is ends[i−1]+1 … ends[i]; the last one is
// open.
type partition struct {
	ends []int64
	mass []float64
}

// split makes at most cells cells of about equal mass, none of which expects fewer than 10 of N.
func split(law CDF) partition {
	var p partition
	done := 0.0
	for i := 1; i < cells; i++ {
		target := max(float64(i)/cells, done+10.0/N)
		end := quantile(law, target)
		if at := law(end); at > done && 1-at > 10.0/N {
			p.ends, p.mass = append(p.ends, end), append(p.mass, at-done)
			done = at
		}
	}
	p.mass = append(p.mass, 1-done)
	return p
}

// quantile returns the smallest k with Pr[X ≤ k] ≥ q.
func quantile(law CDF, q float64) int64 {
	low, high := int64(-1)<<61, int64(1)<<61
	for low < high {
		if middle := low + (high-low)/2; law(middle) >= q {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

func (p partition) statistic(sample []int64) float64 {
	counts := make([]float64, len(p.mass))
	for _, x := range sample {
		cell := 0
		for cell < len(p.ends) && x > p.ends[cell] {
			cell++
		}
		counts[cell]++
	}
	sum := 0.0
	for i, mass := range p.mass {
		expected := mass * float64(len(sample))
		sum += (counts[i] - expected) * (counts[i] - expected) / expected
	}
	return sum
}

func (p partition) critical() float64 {
	if len(p.mass) == 1 {
		return 0
	}
	return distuv.ChiSquared{K: float64(len(p.mass) - 1)}.Quantile(1 - Alpha)
}

// power is the probability that a sample of N from truth is rejected, with the non-central χ² law
// taken as normal of the same mean and variance.
func (p partition) power(truth CDF) float64 {
	if len(p.mass) == 1 {
		return 0
	}
	shift, before := 0.0, 0.0
	for i, mass := range p.mass {
		at := 1.0
		if i < len(p.ends) {
			at = truth(p.ends[i])
		}
		shift += N * (at - before - mass) * (at - before - mass) / mass
		before = at
	}
	mean, variance := float64(len(p.mass)-1)+shift, 2*(float64(len(p.mass)-1)+2*shift)
	return distuv.Normal{Mu: mean, Sigma: math.Sqrt(variance)}.Survival(p.critical())
}
