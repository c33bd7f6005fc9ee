package stattest

import "gonum.org/v1/gonum/mathext"

// AtMost is Pr[X ≤ hits] of a binomial X, of n trials with chance p each.
func AtMost(hits, n int, p float64) float64 {
	if hits >= n {
		return 1
	}
	return mathext.RegIncBeta(float64(n-hits), float64(hits+1), 1-p)
}

// Most is the largest chance of a trial that this many hits of n do not refute, by Clopper and
// Pearson: larger ones give so few hits with a chance of less than alpha.
func Most(hits, n int, alpha float64) float64 {
	if hits >= n {
		return 1
	}
	return mathext.InvRegIncBeta(float64(hits+1), float64(n-hits), 1-alpha)
}
