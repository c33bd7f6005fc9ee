package selection

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// ThresholdParams are the parameters of Threshold.
type ThresholdParams struct {
	// Loss covers one run of the candidate, output and score together. Required, with an ε; or a ρ
	// without an ε, if there is a Delta.
	Loss privacy.Loss

	// Delta is the δ at which the loss of the search is stated if that of a run is a ρ. There is no
	// Limit then.
	Delta privacy.Delta

	// Stop is the probability γ with which a run that is not good enough is the last, from 2^-30 to
	// 1. Required. The expected number of runs is at most 1/Stop.
	Stop *big.Rat

	// Limit is the largest number of runs; 0 is no limit. It must be at least 1 + 1/(e·Stop), and
	// adds ln(1/(1 − (1−Stop)^Limit)) to ε.
	Limit uint64
}

// Threshold runs a candidate until its score reaches a public threshold, and gives up at random.
//
// # Guarantee
//
// (2ε + x, δ')-DP for a candidate that is (ε, δ)-DP per run: x = 0 without a limit, else ln(1/(1 −
// (1−γ)^Limit)), and δ' = (1+e^(2ε+x))/(1+e^ε)·δ/γ. For one that is ρ-zCDP per run, without a
// limit, (ε, Delta)-DP with the ε of threshold.md, Theorem 2. Neighbours replace one person, as for
// the candidate. Proof: threshold.md.
//
// # Input and output
//
// [FirstAbove] returns a run with a score of at least the threshold, drawn as one run given that it
// is, or nothing.
//
// # Errors
//
// [*param.Error] (loss, stop, limit) from the constructor, privacy.ErrNoBound for a loss without an
// ε and no Delta; from FirstAbove what the candidate or step returns.
//
// # Cost and accuracy
//
// At most min(1/γ, 1/p) runs are expected where a run reaches the threshold with probability p, and
// nothing is found with probability Miss(p).
//
// # Reference
//
// Liu, Talwar, "Private Selection from Private Candidates", 2019, Algorithm 1 and Theorem 3.1.
// Differs: constants without slack.
type Threshold struct {
	spend *meter.Spend
	run   *meter.Spend
	stop  *big.Rat
	coin  coin.Chance
	limit uint64
}

// NewThreshold checks the parameters.
func NewThreshold(p ThresholdParams) (*Threshold, error) {
	stop, err := checkStop(p.Stop)
	if err != nil {
		return nil, err
	}
	loss, err := p.loss(stop)
	if err != nil {
		return nil, err
	}
	run := runOf(p.Loss)
	spend := meter.Proved("first run above a threshold", "selection/threshold.md", loss,
		anyNumber(run))
	return &Threshold{spend, run, stop, coin.RatioBig(stop.Num(), stop.Denom()), p.Limit}, nil
}

// loss returns the loss of the search.
func (p ThresholdParams) loss(stop *big.Rat) (none privacy.Loss, err error) {
	if concentrated(p.Loss) && !p.Delta.IsZero() { // H: threshold.md rho-run
		if p.Limit > 0 { // H: threshold.md no-limit
			return none, refuse("limit", countText(p.Limit), "0 for none, where a run has a ρ")
		}
		return privacy.NewLoss(firstOf{p.Loss.Rho(), stop}.epsilon(p.Delta.Rat()), p.Delta.Rat())
	}
	one, err := oddsOf(p.Loss)
	if err != nil {
		return none, err
	}
	total := one.times(ratOf(2))
	if p.Limit > 0 {
		// e·γ·(T−1) ≥ 1, with e rounded down.
		enough := new(big.Rat).SetInt(new(big.Int).SetUint64(p.Limit - 1))
		enough.Mul(enough, stop).Mul(enough, big.NewRat(2718281828, 1e9))
		if enough.Cmp(ratOf(1)) < 0 { // H: threshold.md limit-long
			return none, refuse("limit", countText(p.Limit), "0 for none, or at least 1 + 1/(e·%s)",
				stop.RatString())
		}
		left := survival(stop, p.Limit)
		total = total.plus(left.Inv(left.Sub(ratOf(1), left)))
	}
	return whole(one, total, p.Loss.Delta(), new(big.Rat).Inv(stop))
}

// Loss is the loss of one selection for data sets that differ in d persons.
func (m *Threshold) Loss(d privacy.Distance) (privacy.Loss, error) { return m.spend.Loss.Group(d) }

// Miss returns the probability of finding nothing when a run reaches the threshold with probability
// share, for forecasts: (γu + p·y^T)/(γ + (1−γ)p), u = 1 − p, y = u(1−γ).
func (m *Threshold) Miss(share float64) float64 {
	stop := floatOf(m.stop)
	below := 1 - share
	stay := 0.0
	if m.limit > 0 {
		stay = math.Pow(below*(1-stop), float64(m.limit))
	}
	return (stop*below + share*stay) / (stop + (1-stop)*share)
}

// Calls bounds the expected number of runs when a run reaches the threshold with probability share,
// for forecasts.
func (m *Threshold) Calls(share float64) float64 {
	stop := floatOf(m.stop)
	return 1 / (stop + (1-stop)*share)
}

// FirstAbove runs the candidate until its score is at least threshold, which is public (H:
// threshold.md public-threshold). found is false if it gave up. step may be nil; it can end the
// work and receives no progress.
func FirstAbove[T any](src coin.Source, m *Threshold, threshold int64, candidate Candidate[T],
	step coin.Step) (result Scored[T], found bool, err error) {
	src = meter.Within(src, m.spend)
	for run := uint64(1); m.limit == 0 || run <= m.limit; run++ {
		if err := pause(step); err != nil {
			return Scored[T]{}, false, err
		}
		result, outcome, err := round(src, m, threshold, candidate)
		switch {
		case err != nil:
			return Scored[T]{}, false, err
		case outcome == reached:
			return result, true, nil
		case outcome == gaveUp:
			return Scored[T]{}, false, nil
		}
	}
	return Scored[T]{}, false, nil
}

// outcome is the way in which one run of a Threshold ends.
type outcome int

const (
	goesOn outcome = iota
	reached
	gaveUp
)

func round[T any](src coin.Source, m *Threshold, threshold int64,
	candidate Candidate[T]) (Scored[T], outcome, error) {
	result, err := once(src, m.run, candidate)
	switch {
	case err != nil:
		return Scored[T]{}, gaveUp, err
	case result.Score >= threshold:
		return result, reached, nil
	case src.Bernoulli(m.coin):
		return Scored[T]{}, gaveUp, nil
	}
	return Scored[T]{}, goesOn, nil
}
