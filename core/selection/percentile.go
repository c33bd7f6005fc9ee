package selection

import (
	"fmt"
	"math/big"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/privacy"
)

// PercentilesParams are the parameters of Percentiles.
type PercentilesParams struct {
	// Loss covers one run of any candidate asked about. It must have no δ. Required.
	Loss privacy.Loss

	// Epsilon is the loss of all answers of one run together, half of it for the threshold.
	// Required.
	Epsilon privacy.Epsilon

	// Target is the probability to be reached, above 0 and below 1. Required.
	Target *big.Rat
}

// Percentiles answers, for one private candidate after another, whether it reaches a score with at
// least the target probability, until one does: a sparse vector for candidates that are private
// rather than stable. The probabilities come from an exact oracle.
//
// # Guarantee
//
// Epsilon-DP for all answers of one run together, for candidates that are Loss-DP; they may be
// chosen on the way. Neighbours replace one person. Proof: percentile.md.
//
// # Input and output
//
// Each query is Pr[score ≥ τ_i] on the data, of a candidate that is Loss-DP, as an exact rational
// (H: percentile.md oracle). The target is public (H: percentile.md public-levels).
//
// # Errors
//
// [*param.Error] (loss, epsilon, target) from the constructor, (probability) from Above for a
// number outside [0, 1], and mechanism.ErrHalted after the first answer "above".
//
// # Cost and accuracy
//
// With probability 1 − β all of N answers are right for log-odds further than ErrorBound(β, N) from
// those of Target.
//
// # Reference
//
// Liu, Talwar, 2019, Algorithm 3 (gensparse0), Theorem 4.1. Differs: log-odds are floored to 1/1024
// of their sensitivity, and noise is discrete.
type Percentiles struct {
	ruler  ruler
	above  *mechanism.AboveThreshold
	target *big.Rat // odds of the target
}

// NewPercentiles checks the parameters.
func NewPercentiles(p PercentilesParams) (*Percentiles, error) {
	one, err := pureOdds(p.Loss)
	if err != nil {
		return nil, err
	}
	if err := checkShare("target", p.Target); err != nil {
		return nil, err
	}
	above, err := newAbove(p.Epsilon)
	if err != nil {
		return nil, err
	}
	odds := new(big.Rat).Sub(ratOf(1), p.Target)
	return &Percentiles{newRuler(one.times(ratOf(2)).epsilon), above, odds.Quo(p.Target, odds)}, nil
}

// Loss is the loss of one run for data sets that differ in d persons.
func (m *Percentiles) Loss(d privacy.Distance) (privacy.Loss, error) { return m.above.Loss(d) }

// ErrorBound is a distance in log-odds, see Percentiles.
func (m *Percentiles) ErrorBound(beta float64, queries int) float64 {
	return m.ruler.length(m.above.ErrorBound(beta, queries) + 1)
}

// PercentilesRun is one sequence of answers.
type PercentilesRun struct {
	mechanism *Percentiles
	run       *mechanism.Run
}

// Start draws the noise of the threshold for one run.
func (m *Percentiles) Start(src coin.Source) *PercentilesRun {
	return &PercentilesRun{m, m.above.Start(src, m.ruler.log(m.target))}
}

// Above answers, with noise, whether the probability is at least the target: true ends the run.
func (r *PercentilesRun) Above(probability *big.Rat) (bool, error) {
	// H: percentile.md probability
	if probability == nil || probability.Sign() < 0 || probability.Cmp(ratOf(1)) > 0 {
		return false, refuse("probability", ratText(probability), "a number from 0 to 1")
	}
	if probability.Cmp(ratOf(1)) == 0 {
		return r.run.Above(r.mechanism.ruler.most()) // H: percentile.md halted
	}
	odds := new(big.Rat).Sub(ratOf(1), probability)
	return r.run.Above(r.mechanism.ruler.log(odds.Quo(probability, odds)))
}

// ruler measures logarithms in whole steps, such that two that differ by at most its sensitivity
// differ by at most resolution steps.
type ruler struct {
	steps int64
	width *big.Rat // of steps together: the sensitivity, and the error of two logarithms
}

// resolution is the number of steps in a sensitivity.
const (
	resolutionBits = 10
	resolution     = 1 << resolutionBits
)

func newRuler(sensitivity *big.Rat) ruler { return ruler{resolution, withError(sensitivity)} }

// withError adds 2^−100: logarithms, limited to ±1000, have errors below 2^−109 each.
func withError(sensitivity *big.Rat) *big.Rat {
	slack := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 100))
	return slack.Add(slack, sensitivity)
}

// log returns ⌊steps·ln x/width⌋, where ln x is rounded down and limited to ±1000; for x = 0 it is
// the least such number.
func (m ruler) log(x *big.Rat) int64 {
	limit := ratOf(1000)
	log := new(big.Rat).Neg(limit)
	if x.Sign() > 0 {
		if exact := privacy.LogDown(x); exact.Cmp(log) > 0 {
			log = exact
		}
	}
	if log.Cmp(limit) > 0 {
		log = limit
	}
	log = new(big.Rat).Mul(log, ratOf(m.steps))
	log.Quo(log, m.width)
	// Div rounds down; at most 10^6/width, and a width is above 2^−30
	return new(big.Int).Div(log.Num(), log.Denom()).Int64()
}

// most stands for the logarithm of 0, which does not exist.
func (m ruler) most() int64 {
	top := new(big.Rat).Quo(ratOf(1000*m.steps), m.width)
	return new(big.Int).Div(top.Num(), top.Denom()).Int64()
}

// length returns the logarithm that this many steps stand for, for forecasts.
func (m ruler) length(steps int64) float64 {
	return float64(steps) * floatOf(m.width) / float64(m.steps)
}

// newAbove returns a sparse vector for queries in steps of a ruler.
func newAbove(epsilon privacy.Epsilon) (*mechanism.AboveThreshold, error) {
	if !epsilon.IsSet() {
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	}
	return mechanism.NewAboveThreshold(mechanism.AboveThresholdParams{
		EpsilonThreshold: epsilon.Part(1, 2), EpsilonQueries: epsilon.Part(1, 2),
		Sensitivity: resolution,
	})
}

// pureOdds returns the ε of a loss without δ.
func pureOdds(l privacy.Loss) (bound, error) {
	one, err := oddsOf(l)
	switch {
	case err != nil:
		return bound{}, err
	case l.Delta().Sign() > 0: // H: percentile.md pure
		return bound{},
			refuse("loss", l.String(),
				"a loss without δ: an exact oracle's answers are not protected by it")
	case one.epsilon.Cmp(smallestStop) < 0: // H: percentile.md pure
		return bound{}, refuse("loss", l.String(), "an ε of at least 2^-30")
	}
	return one, nil
}

func checkShare(field string, share *big.Rat) error {
	if share == nil || share.Sign() <= 0 || share.Cmp(ratOf(1)) >= 0 { // H: percentile.md settings
		return refuse(field, ratText(share), "a probability above 0 and below 1")
	}
	return nil
}

func positive(field string, x *big.Rat) error {
	if x == nil || x.Cmp(smallestStop) < 0 || x.Cmp(ratOf(100)) > 0 { // H: percentile.md settings
		return refuse(field, ratText(x), "a number from 2^-30 to 100")
	}
	return nil
}

// mostSamples bounds the samples of a search.
const mostSamples = 1 << 40

// samplesFor returns a number of samples such that a frequency f among them and the frequency f' on
// a neighbouring data set satisfy |ln((f+ξ)/(f'+ξ))| ≤ ε + slack, except with probability failure;
// ξ is the regulariser (percentile.md, Lemma 3).
func samplesFor(slack, regulariser, failure *big.Rat) (uint64, error) {
	half := new(big.Rat).Quo(slack, ratOf(2))
	up := privacy.ExpDown(half)
	up.Sub(up, ratOf(1))
	down := privacy.ExpUp(new(big.Rat).Neg(half))
	down.Sub(ratOf(1), down)
	// 2(1 + c/3)/c² and 1/(2c²)
	first := new(big.Rat).Quo(up, ratOf(3))
	first.Add(first, ratOf(1)).Mul(first, ratOf(2)).Quo(first, up).Quo(first, up)
	second := new(big.Rat).Inv(new(big.Rat).Mul(ratOf(2), new(big.Rat).Mul(down, down)))
	if second.Cmp(first) > 0 {
		first = second
	}
	first.Quo(first, regulariser).Mul(first, privacy.LogUp(new(big.Rat).Quo(ratOf(2), failure)))
	whole := new(big.Int).Quo(first.Num(), first.Denom())
	whole.Add(whole, big.NewInt(1))
	if !whole.IsUint64() || whole.Uint64() > mostSamples {
		return 0, refuse("regulariser", fmt.Sprintf("%g", floatOf(regulariser)),
			"more, or a larger slack: it takes about 2^%d runs", whole.BitLen())
	}
	return whole.Uint64(), nil
}
