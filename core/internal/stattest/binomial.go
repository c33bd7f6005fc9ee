package stattest

import "gonum.org/v1/gonum/mathext"

// AtMost returns Pr[X ≤ hits] for a binomial X with n trials, each with probability p.
func AtMost(hits, n int, p float64) float64 {
	if hits >= n {
		return 1
	}
	return mathext.RegIncBeta(float64(n-hits), float64(hits+1), 1-p)
}

// Most returns the largest success probability that this many hits in n trials do not refute, by
// Clopper and Pearson: under a larger one, so few hits have a probability of less than alpha.
func Most(hits, n int, alpha float64) float64 {
	if hits >= n {
		return 1
	}
	return mathext.InvRegIncBeta(float64(hits+1), float64(n-hits), 1-alpha)
}
