package mechanism

import "math"

// The law of a sum of independent noises is public and does not depend on the data, so its
// quantiles bound the error of sums of released counts exactly. Proof: sumlaw.md. No draw and no
// privacy loss depends on this file.

// SumErrorBound returns the smallest t with Pr[|Z_1 + … + Z_n| > t] ≤ beta for n independent
// noises, up to a relative 10^-5 of beta. Its time grows with the number of standard deviations
// within the bound, never with t: at most some 10 ms.
func (z LaplaceNoise) SumErrorBound(n int, beta float64) int64 {
	if n <= 1 || !(beta > 0 && beta < 1) {
		return z.Bound(beta)
	}
	// E e^(iθZ) = 1/(1 + sin²(θ/2)/sinh²(a/2)), a = ln r
	steep := math.Sinh(z.base.Log() / 2)
	return sumLaw{n: float64(n), logMean: func(theta float64) float64 {
		x := math.Sin(theta/2) / steep
		return -math.Log1p(x * x)
	}}.bound(z.SumBound(n, beta*aliased), beta)
}

// SumErrorBound is LaplaceNoise's, for Gaussian noise.
func (m *Gaussian) SumErrorBound(n int, beta float64) int64 {
	if n <= 1 || !(beta > 0 && beta < 1) {
		return m.ErrorBound(beta)
	}
	log := m.base.Log()
	all := thetaSum(log, 0)
	far := m.StdDev() * math.Sqrt(2*float64(n)*math.Log(2/(beta*aliased)))
	return sumLaw{n: float64(n), logMean: func(theta float64) float64 {
		return math.Log(thetaSum(log, theta) / all)
	}}.bound(far, beta)
}

// thetaSum returns a number proportional to Σ r^(−k²)·cos(θk), with log = ln r and θ in [0, π]:
// directly, or by Poisson's formula where that converges faster.
func thetaSum(log, theta float64) float64 {
	sum := 0.0
	for k := -12.0; k <= 12; k++ {
		if log < math.Pi {
			away := theta - 2*math.Pi*k
			sum += math.Exp(-away * away / (4 * log))
		} else {
			sum += math.Exp(-log*k*k) * math.Cos(theta*k)
		}
	}
	return sum
}

// sumLaw is the law of a sum of n independent noises on the whole numbers, given by the logarithm
// of E e^(iθZ), which is above 0 and falls from θ = 0 to π.
type sumLaw struct {
	n       float64
	logMean func(theta float64) float64
}

// aliased and dropped are the parts of beta that each of the two approximations in sumlaw.md may
// use.
const aliased, dropped = 2e-6, 2e-6

// bound returns the smallest t with Pr[|sum| > t] ≤ beta, given that Pr[|sum| > far] ≤
// aliased·beta.
func (s sumLaw) bound(far, beta float64) int64 {
	if far > 1<<60 {
		return ceilBound(far)
	}
	period := 2*math.Ceil(far) + 2
	var angles, heights []float64
	for j := 1.0; 2*j <= period; j++ {
		theta := 2 * math.Pi * j / period
		height := math.Exp(s.n * s.logMean(theta))
		if height <= dropped*beta {
			break
		}
		if 2*j < period {
			height *= 2 // includes the height at −θ
		}
		angles, heights = append(angles, theta), append(heights, height/math.Sin(theta/2))
	}
	return smallest(func(t int64) bool {
		if float64(t) >= far {
			return true
		}
		whole := 2*float64(t) + 1
		within := whole
		for i, theta := range angles {
			within += heights[i] * math.Sin(whole*theta/2)
		}
		return 1-within/period <= beta*(1-aliased-dropped)
	})
}
