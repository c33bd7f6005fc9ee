package mechanism

import (
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// ClippedThresholdParams are the parameters of ClippedThreshold.
type ClippedThresholdParams struct {
	// AboveThresholdParams gives the two parts of the loss. Sensitivity must be 1 and OneSigned
	// false.
	AboveThresholdParams

	// Delta is the δ granted. Above 0; required.
	Delta privacy.Delta

	// Cap is ψ: queries are asked as long as all of them are below it. Required, from −2^60 to
	// 2^60.
	Cap int64
}

// ClippedThreshold is [AboveThreshold] for queries that are stable only as long as all earlier ones
// were small: once a query reaches the cap ψ, it and all later ones count as ψ, and the threshold
// lies so far below ψ that the first such query is hardly ever missed.
//
// # Guarantee
//
// (ε, δ)-DP for the index of the first "above", for neighbours between which a query's value
// changes by at most 1 as long as all earlier queries are below Cap for both. That they are such is
// the caller's to show (H: clip.md until-cap). Not pure: nothing is known about queries after the
// first that reaches the cap. Proof: clip.md.
//
// # Input and output
//
// Whole values in a fixed order. An "above" at a query below the cap says that its value is at
// least about Threshold.
//
// # Errors
//
// [*param.Error] (those of AboveThreshold, delta, cap) from the constructor; ErrHalted from a run
// that has answered "above".
//
// # Cost and accuracy
//
// As AboveThreshold, for the threshold Cap − 1 − margin, margin being the smallest for which the δ
// proven is at most Delta.
//
// # Reference
//
// Kaplan, Ligett, Mansour, Naor, Stemmer, "Privately Learning Thresholds", 2020 (the stopping
// point). Differs: clipped at the first query that reaches the cap, without a running maximum, so
// that "above" speaks of the query it answers.
type ClippedThreshold struct {
	above     *AboveThreshold
	cap       int64
	threshold int64
	delta     *big.Rat
	slip      *meter.Spend // the event of missing the first query that reaches the cap
}

// NewClippedThreshold checks the parameters and finds the margin.
func NewClippedThreshold(p ClippedThresholdParams) (*ClippedThreshold, error) {
	if err := checkDelta(p.Delta); err != nil {
		return nil, err
	}
	if p.Cap > 1<<60 || p.Cap < -1<<60 { // H: clip.md cap
		return nil, refuse("cap", big.NewInt(p.Cap).String(), "a whole number from −2^60 to 2^60")
	}
	if p.Sensitivity != 1 { // H: clip.md move-of-one
		return nil, refuse("sensitivity", ratOf(p.Sensitivity).RatString(), "1")
	}
	if p.OneSigned { // H: clip.md two-signed
		return nil, refuse("oneSigned", "true", "false: clipping moves values both ways")
	}
	above, err := NewAboveThreshold(p.AboveThresholdParams)
	if err != nil {
		return nil, err
	}
	// A query of value ≥ Cap − 1 = threshold + margin is answered "below" when Z1 − Z2 ≥ margin +
	// 1.
	missed := func(margin int64) *big.Rat {
		return differenceUp(above.threshold.base, above.queries.base, margin+1)
	}
	margin := smallest(func(s int64) bool { return missed(s).Cmp(p.Delta.Rat()) <= 0 })
	if margin > 1<<60 {
		return nil, noThreshold(p.Delta)
	}
	m := &ClippedThreshold{above: above, cap: p.Cap, threshold: p.Cap - 1 - margin,
		delta: missed(margin)}
	loss, err := m.Loss(1)
	if err != nil {
		return nil, err // unreachable: both parts are positive
	}
	m.slip = &meter.Spend{Name: "clipped sparse vector", Loss: loss}
	own := *above
	own.spend, m.above = m.slip, &own
	return m, nil
}

// Loss is (ε, δ) for d = 1, with the δ of the margin, and group privacy beyond.
func (m *ClippedThreshold) Loss(d privacy.Distance) (privacy.Loss, error) {
	return m.above.lossWith(d, m.delta)
}

// Threshold is the threshold of the AboveThreshold inside.
func (m *ClippedThreshold) Threshold() int64 { return m.threshold }

// ErrorBound is AboveThreshold's, around Threshold.
func (m *ClippedThreshold) ErrorBound(beta float64, queries int) int64 {
	return m.above.ErrorBound(beta, queries)
}

// ClippedRun is one sequence of answers.
type ClippedRun struct {
	run  *Run
	clip Clip
	slip *meter.Spend
}

// Start draws the noise of the threshold for one run.
func (m *ClippedThreshold) Start(src coin.Source) *ClippedRun {
	return &ClippedRun{run: m.above.Start(src, m.threshold), clip: Clip{Cap: m.cap}, slip: m.slip}
}

// Above answers, with noise, whether the clipped value is above the threshold: true ends the run.
func (r *ClippedRun) Above(value int64) (bool, error) {
	if r.clip.reached {
		meter.Rare(r.run.src, r.slip)
	}
	return r.run.Above(r.clip.Next(value)) // H: clip.md clipped
}

// Clip passes on values until the first that reaches Cap; from there on it returns Cap.
type Clip struct {
	Cap     int64
	reached bool
}

// Next clips the next value.
func (c *Clip) Next(value int64) int64 {
	c.reached = c.reached || value >= c.Cap
	if c.reached {
		return c.Cap
	}
	return value
}
