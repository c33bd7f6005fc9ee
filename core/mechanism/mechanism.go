// Package mechanism holds the private mechanisms everything else is built from: noise on counts,
// choices by score, noisy comparisons. Each takes exact counts or scores and draws from a
// [coin.Source]; none touches a float.
//
// Neighbouring data sets have the same public number of persons and differ in one person
// (replace-one). A guarantee is that of one run, whose result is used as it is returned (H:
// mechanism.md one-run). Every mechanism can be asked for by an ε or by a rational base r, whose
// loss is then a whole multiple of ln r, so that audits compare rationals. A comparison with noise
// that nobody sees is one coin with the noise's exact tail.
package mechanism

import "hush/core/privacy"

// Mechanism is the common interface of all mechanisms: each states its guarantee.
type Mechanism interface {
	// Loss bounds the mechanism's cost when d persons are replaced; d = 1 is the guarantee itself.
	Loss(d privacy.Distance) (privacy.Loss, error)
}

var (
	_ Mechanism = (*Laplace)(nil)
	_ Mechanism = (*LaplaceTopUp)(nil)
	_ Mechanism = (*Averaged)(nil)
	_ Mechanism = (*Gaussian)(nil)
	_ Mechanism = (*Exponential)(nil)
	_ Mechanism = (*PermuteAndFlip)(nil)
	_ Mechanism = (*InteriorPoint)(nil)
	_ Mechanism = (*StableChoice)(nil)
	_ Mechanism = (*Choosing)(nil)
	_ Mechanism = (*StabilityHistogram)(nil)
	_ Mechanism = (*AboveThreshold)(nil)
	_ Mechanism = (*ClippedThreshold)(nil)
	_ Mechanism = (*DistanceTest)(nil)
)
