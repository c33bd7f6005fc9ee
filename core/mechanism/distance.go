package mechanism

import (
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// DistanceTestParams are the parameters of DistanceTest. Exactly one of Epsilon and Base is given.
type DistanceTestParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon

	// Base is r itself, in place of Epsilon: the loss is then ln r.
	Base coin.Base

	// Delta is the δ granted. Above 0; required.
	Delta privacy.Delta
}

// DistanceTest decides whether an answer that depends on the data may be released exactly: yes if
// many persons would have to be replaced to change the answer (propose, test, release).
//
// # Guarantee
//
// The test and the answer released after a yes are together (ε, δ)-DP, when the distance given is
// at least 0, changes by at most 1 between neighbours and is 0 for both of two neighbours with
// different answers: for example the largest j such that no j replacements change the answer. The
// threshold is the smallest for which the δ proven is at most Delta. Proof: distance.md. That the
// distance is so is the caller's to show (H: distance.md moves, unstable).
//
// # Input and output
//
// The distance in persons. The result is the decision; after a no the answer must not be used
// (H: distance.md after-yes).
//
// # Errors
//
// [*param.Error] (epsilon, base, delta) from the constructor.
//
// # Cost and accuracy
//
// One coin.
//
// # Reference
//
// Smith, Thakurta, "Differentially Private Feature Selection via Stability Arguments", 2013; Dwork,
// Lei, "Differential Privacy and Robust Statistics", 2009. Differs: the tail is that of discrete
// noise, and the threshold the smallest whole one.
type DistanceTest struct {
	rate      rate
	noise     LaplaceNoise
	threshold int64
	delta     *big.Rat
	spend     *meter.Spend
}

// NewDistanceTest checks the parameters and finds the threshold.
func NewDistanceTest(p DistanceTestParams) (*DistanceTest, error) {
	if err := checkDelta(p.Delta); err != nil {
		return nil, err
	}
	rate, err := newRate(p.Epsilon, p.Base, 1)
	if err != nil {
		return nil, err
	}
	noise, err := NewLaplaceNoise(rate.base)
	if err != nil {
		return nil, err // unreachable: r > 1
	}
	threshold := smallest(func(s int64) bool {
		return tailUp(rate.base, s).Cmp(p.Delta.Rat()) <= 0
	})
	if threshold > 1<<61 {
		return nil, noThreshold(p.Delta)
	}
	delta := tailUp(rate.base, threshold)
	return &DistanceTest{rate: rate, noise: noise, threshold: threshold, delta: delta,
		spend: rate.spend("distance test", delta, meter.Claim{Each: 1})}, nil
}

// Loss is (ε, δ) for d = 1, with the δ of the threshold, and group privacy beyond.
func (m *DistanceTest) Loss(d privacy.Distance) (privacy.Loss, error) {
	return m.rate.loss(d, m.delta)
}

// Threshold is the value that the distance plus noise must reach.
func (m *DistanceTest) Threshold() int64 { return m.threshold }

// Allows reports whether an answer at this distance may be released. A distance below 0 counts as
// 0.
func (m *DistanceTest) Allows(src coin.Source, distance int64) bool {
	distance = max(distance, 0) // H: distance.md not-negative
	in := func() meter.Input { return meter.Input{Values: []int64{distance}} }
	allowed, _ := meter.Draw(src, m.spend, in, func(src coin.Source) (bool, error) {
		return src.Bernoulli(m.noise.AtLeast(m.threshold - distance)), nil
	})
	if allowed && distance == 0 {
		meter.Rare(src, m.spend)
	}
	return allowed
}
