package mechanism

import (
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// StabilityHistogramParams are the parameters of StabilityHistogram. Exactly one of Epsilon and
// Base is given.
type StabilityHistogramParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon

	// Base is r itself, in place of Epsilon: the loss is then 2·ln r.
	Base coin.Base

	// Delta is the δ granted. Above 0; required.
	Delta privacy.Delta
}

// StabilityHistogram releases how many persons have each value, for values that nobody listed
// beforehand: those that many persons have, with noisy counts, and no others.
//
// # Guarantee
//
// (ε, δ)-DP for neighbours that differ in one replaced person, each person having one value or
// none. A value with noisy count below the threshold is not shown; the threshold is the smallest
// for which the δ proven is at most Delta; Loss gives the δ proven. Proof: stability.md.
//
// # Input and output
//
// The counts of the values that occur, in persons, in an order that does not depend on the data
// otherwise (by value). The result lists those shown, in the same order, each with its noisy count.
// Counts below 1 are never shown.
//
// # Errors
//
// [*param.Error] (epsilon, base, delta) from the constructor; from Release only what step returns.
//
// # Cost and accuracy
//
// O(values that occur), mostly one coin each. Noise as Laplace; a value is shown with probability
// at least 1 − β from NeededCount(β) on.
//
// # Reference
//
// Korolova, Kenthapadi, Mishra, Ntoulas, "Releasing Search Queries and Clicks Privately", 2009;
// Bun, Nissim, Stemmer, "Simultaneous Private Learning of Multiple Concepts", 2016. Differs:
// discrete tails, and a δ without the factor 1 + e^ε.
type StabilityHistogram struct {
	rate      rate
	noise     LaplaceNoise
	threshold int64
	delta     *big.Rat
	spend     *meter.Spend
}

// NewStabilityHistogram checks the parameters and finds the threshold.
func NewStabilityHistogram(p StabilityHistogramParams) (*StabilityHistogram, error) {
	if err := checkDelta(p.Delta); err != nil {
		return nil, err
	}
	rate, err := newRate(p.Epsilon, p.Base, 2)
	if err != nil {
		return nil, err
	}
	noise, err := NewLaplaceNoise(rate.base)
	if err != nil {
		return nil, err // unreachable: r > 1
	}
	// A value that one person alone has is shown when 1 + Z ≥ threshold.
	above := smallest(func(s int64) bool { return tailUp(rate.base, s).Cmp(p.Delta.Rat()) <= 0 })
	if above > 1<<61 {
		return nil, noThreshold(p.Delta)
	}
	delta := tailUp(rate.base, above)
	rate.rho = noise.Rho(2, 1)
	return &StabilityHistogram{rate: rate, noise: noise, threshold: above + 1, delta: delta,
		spend: rate.spend("stability histogram", delta,
			meter.Claim{L1: 2, Each: 1, Newcomers: 1})}, nil
}

// Loss is (ε, δ) for d = 1, with the δ of the threshold, and group privacy beyond.
func (m *StabilityHistogram) Loss(d privacy.Distance) (privacy.Loss, error) {
	return m.rate.loss(d, m.delta)
}

// Threshold is the smallest noisy count that is shown.
func (m *StabilityHistogram) Threshold() int64 { return m.threshold }

// Shown is one value released: its place in the input and its noisy count.
type Shown struct {
	Index int
	Count int64
}

// Release returns the values to show. step may be nil. It can end the work but is told no progress,
// since how many values occur is private.
func (m *StabilityHistogram) Release(src coin.Source, counts []int64,
	step coin.Step) ([]Shown, error) {
	return meter.Among(src, m.spend, values(counts), func(src coin.Source) ([]Shown, error) {
		return m.release(src, counts, step)
	}, moveShown)
}

// moveShown translates places for a replay.
func moveShown(shown []Shown, place func(int) (int, bool)) ([]Shown, bool) {
	for i := range shown {
		at, ok := place(shown[i].Index)
		if !ok {
			return nil, false
		}
		shown[i].Index = at
	}
	return shown, true
}

func (m *StabilityHistogram) release(src coin.Source, counts []int64,
	step coin.Step) ([]Shown, error) {
	var shown []Shown
	for i, count := range counts {
		if err := pauseBlind(step, i); err != nil {
			return nil, err
		}
		if noisy, ok := m.show(src, count); ok {
			shown = append(shown, Shown{i, noisy})
		}
	}
	return shown, nil
}

// show adds noise to one count and tells whether the result reaches the threshold. Below it one
// coin decides, and then the noise beyond what was missing is geometric.
func (m *StabilityHistogram) show(src coin.Source, count int64) (noisy int64, ok bool) {
	if count < 1 {
		return 0, false
	}
	if missing := m.threshold - count; missing >= 0 {
		if !src.Bernoulli(m.noise.AtLeast(missing)) {
			return 0, false
		}
		return addSaturating(m.threshold, src.Geometric(m.rate.base)), true
	}
	noisy = m.noise.AddTo(src, count)
	if noisy < m.threshold {
		return 0, false
	}
	return noisy, true
}

// NeededCount is the count from which on a value is shown with probability at least 1 − beta.
func (m *StabilityHistogram) NeededCount(beta float64) int64 {
	return addSaturating(m.threshold, uint64(m.noise.boundBelow(beta)))
}

// ErrorBound is the smallest t with Pr[|noise| > t] ≤ beta for the count of one value, shown or
// not.
func (m *StabilityHistogram) ErrorBound(beta float64) int64 { return m.noise.Bound(beta) }
