package mechanism

import (
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// AboveThresholdParams are the parameters of AboveThreshold. Of each pair Epsilon…, Base… exactly
// one is given.
type AboveThresholdParams struct {
	// EpsilonThreshold is the part of the loss spent on the noise of the threshold. Half of the
	// whole is usual.
	EpsilonThreshold privacy.Epsilon

	// BaseThreshold is r1 itself, in place of EpsilonThreshold: that part of the loss is then
	// Sensitivity·ln r1.
	BaseThreshold coin.Base

	// EpsilonQueries is the part of the loss spent on the noise of all queries together.
	EpsilonQueries privacy.Epsilon

	// BaseQueries is r2 itself, in place of EpsilonQueries: that part is then 2·Sensitivity·ln r2,
	// or half of it if OneSigned.
	BaseQueries coin.Base

	// Sensitivity is how much the value of any one query can change between neighbours. At least 1;
	// required.
	Sensitivity uint64

	// OneSigned says that between neighbours either no query's value falls or no query's value
	// rises.
	OneSigned bool
}

// AboveThreshold answers a sequence of queries with "below" until the first whose value is above a
// threshold, and pays once for all of them (the sparse vector technique).
//
// # Guarantee
//
// Pure ε-DP, ε = EpsilonThreshold + EpsilonQueries, for all answers of one [Run] together, up to
// and with the first "above". Queries may depend on earlier answers; neighbours are those between
// which no query changes by more than Sensitivity, which is the caller's to show, as is one way for
// all where OneSigned says it (H: above.md moves, one-way). Another Run costs ε again (H: above.md
// each-start). Proof: above.md.
//
// # Input and output
//
// A public threshold and whole values, in units of the queries.
//
// # Errors
//
// [*param.Error] (epsilonThreshold, baseThreshold, epsilonQueries, baseQueries, sensitivity) from
// the constructor; ErrHalted from a Run that has answered "above".
//
// # Cost and accuracy
//
// One coin per query. With probability at least 1 − β all of N answers are right for values further
// than ErrorBound(β, N) from the threshold.
//
// # Reference
//
// Dwork, Roth, "The Algorithmic Foundations of Differential Privacy", 2014, Algorithm 1; Lyu, Su,
// Li, "Understanding the Sparse Vector Technique", 2017 (separate budgets, one-signed queries).
// Differs: discrete noise, and that of a query is one coin with its exact tail.
type AboveThreshold struct {
	threshold, queries           rate
	thresholdNoise, queriesNoise LaplaceNoise
	spend                        *meter.Spend // the loss of a whole run
	query                        meter.Spend  // of one answer, which is paid for with the run
}

// NewAboveThreshold checks the parameters.
func NewAboveThreshold(p AboveThresholdParams) (*AboveThreshold, error) {
	queries, err := choiceRateFor("Queries", p.EpsilonQueries, p.BaseQueries, p.Sensitivity,
		p.OneSigned)
	if err != nil {
		return nil, err
	}
	threshold, err := newRateFor("Threshold", p.EpsilonThreshold, p.BaseThreshold, p.Sensitivity)
	if err != nil {
		return nil, err
	}
	for _, part := range []rate{threshold, queries} {
		if err := part.checkScale(); err != nil {
			return nil, err
		}
	}
	m := &AboveThreshold{threshold: threshold, queries: queries}
	if m.thresholdNoise, err = NewLaplaceNoise(threshold.base); err != nil {
		return nil, err // unreachable: r1 > 1
	}
	if m.queriesNoise, err = NewLaplaceNoise(queries.base); err != nil {
		return nil, err // unreachable: r2 > 1
	}
	loss, err := m.Loss(1)
	if err != nil {
		return nil, err // unreachable: both parts are positive
	}
	m.spend = &meter.Spend{Name: "sparse vector", Loss: loss}
	m.query = meter.Spend{Name: "answer of a sparse vector",
		Claim: meter.Claim{Each: p.Sensitivity, OneSigned: p.OneSigned, Series: p.OneSigned}}
	return m, nil
}

// Loss is the loss of one Run for data sets that differ in d persons: d·ε.
func (m *AboveThreshold) Loss(d privacy.Distance) (privacy.Loss, error) {
	return m.lossWith(d, nil)
}

// Noises returns the noise on the threshold and the noise on each query.
func (m *AboveThreshold) Noises() (threshold, queries LaplaceNoise) {
	return m.thresholdNoise, m.queriesNoise
}

// lossWith adds up the two parts. They are not releases of their own, so their ρ would not add up:
// only ε counts.
func (m *AboveThreshold) lossWith(d privacy.Distance, delta *big.Rat) (privacy.Loss, error) {
	threshold, err := m.threshold.lossOfOne(nil)
	if err != nil {
		return privacy.Loss{}, err // unreachable: a rate has a loss
	}
	queries, err := m.queries.lossOfOne(nil)
	if err != nil {
		return privacy.Loss{}, err // unreachable: a rate has a loss
	}
	sum := threshold.Plus(queries)
	var both privacy.Loss
	if odds, exact := sum.Odds(); exact {
		both, err = privacy.LossFromOdds(odds, delta)
	} else {
		epsilon, _ := sum.Epsilon()
		both, err = privacy.NewLoss(epsilon, delta)
	}
	if err != nil {
		return privacy.Loss{}, err // unreachable: both parts are positive
	}
	return both.Group(d)
}

// ErrHalted answers queries after a Run's first "above". It depends only on answers already
// released.
var ErrHalted error = phrase.Fault(
	"mechanism: this run has answered \"above\" already: start another and pay again")

// Run is one sequence of answers. It holds the noisy threshold, which is secret.
type Run struct {
	mechanism *AboveThreshold
	src       coin.Source
	height    int64
	halted    bool
	query     meter.Spend
}

// Start draws the noise of the threshold for one run.
func (m *AboveThreshold) Start(src coin.Source, threshold int64) *Run {
	in := func() meter.Input {
		return meter.Input{Public: "threshold " + strconv.FormatInt(threshold, 10)}
	}
	height, _ := meter.Draw(src, m.spend, in, func(src coin.Source) (int64, error) {
		return within(m.thresholdNoise.AddTo(src, within(threshold))), nil
	})
	return &Run{mechanism: m, src: src, height: height, query: m.query}
}

// Above answers, with noise, whether the query's value is above the threshold: true ends the run.
// Values beyond ±2^61 count as ±2^61.
func (r *Run) Above(value int64) (bool, error) {
	// H: above.md halted
	if r.halted {
		return false, ErrHalted
	}
	var err error
	r.halted, err = meter.Draw(r.src, &r.query,
		func() meter.Input { return meter.Input{Values: []int64{value}} },
		func(src coin.Source) (bool, error) {
			return src.Bernoulli(r.mechanism.queriesNoise.AtLeast(r.height - within(value))), nil
		})
	return r.halted, err
}

// ErrorBound returns an M such that, with probability at least 1 − beta, none of up to this many
// queries with a value below threshold − M is answered "above", and none with a value above
// threshold + M is answered "below": each noise may fail with beta/(queries + 1).
func (m *AboveThreshold) ErrorBound(beta float64, queries int) int64 {
	each := beta / float64(max(queries, 0)+1)
	return addSaturating(m.thresholdNoise.Bound(each), uint64(m.queriesNoise.Bound(each)))
}

// within limits a score to a range in which no difference overflows.
func within(score int64) int64 { return min(max(score, -1<<61), 1<<61) } // H: mechanism.md inside
