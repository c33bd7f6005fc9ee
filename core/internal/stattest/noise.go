package stattest

import "math"

// LaplacePMF returns Pr[Z = z], to float precision, for discrete Laplace noise whose base has this
// logarithm.
func LaplacePMF(log float64, z int64) float64 {
	return math.Tanh(log/2) * math.Exp(-log*math.Abs(float64(z)))
}

// GaussianPMF returns Pr[Z = z], to float precision, for discrete Gaussian noise whose base has
// this logarithm.
func GaussianPMF(log float64, z int64) float64 {
	// Σ r^(−k²), by Poisson's formula √(π/ln r)·Σ e^(−π²k²/ln r) where that converges faster
	sum := 0.0
	scale, speed := 1.0, log
	if log < math.Pi {
		scale, speed = math.Sqrt(math.Pi/log), math.Pi*math.Pi/log
	}
	for k := 0.0; k < 12; k++ {
		term := math.Exp(-speed * k * k)
		if k > 0 {
			term *= 2
		}
		sum += term
	}
	return math.Exp(-log*float64(z)*float64(z)) / (scale * sum)
}
