package selection

import (
	"math/big"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// SamplingParams are the parameters of every search that measures probabilities.
type SamplingParams struct {
	// Loss covers one run of any candidate asked about. Required, with an ε.
	Loss privacy.Loss

	// Epsilon is the loss of all answers of one run together, half of it for the threshold.
	// Required.
	Epsilon privacy.Epsilon

	// Delta is the probability that sampling may fail. Required, above 0.
	Delta privacy.Delta

	// Target is the probability to be reached, above 0 and below 1. Required.
	Target *big.Rat

	// Slack is how far a candidate's measured logarithms may move beyond its loss; Regulariser is
	// added to a frequency before its logarithm is taken. Smaller ones are more accurate and need
	// more samples: about 8·ln(1/failure)/(Slack²·Regulariser), where failure is the share of Delta
	// for one tail. Both from 2^-30 to 100; required.
	Slack, Regulariser *big.Rat
}

// sampling is the common part of such searches.
type sampling struct {
	ruler       ruler
	above       *mechanism.AboveThreshold
	spend       *meter.Spend
	run         *meter.Spend
	regulariser *big.Rat
	samples     uint64
}

// newSampling checks the parameters for this many queries, each of which measures this many
// logarithms, by samples of its own or by shared ones.
func newSampling(p SamplingParams, queries, logarithms int64, shared bool) (sampling, error) {
	one, err := oddsOf(p.Loss)
	if err != nil {
		return sampling{}, err
	}
	if p.Delta.IsZero() { // H: percentile.md settings
		return sampling{}, refuse("delta", "0", "a number above 0: sampling may fail")
	}
	if err := positive("slack", p.Slack); err != nil {
		return sampling{}, err
	}
	if err := positive("regulariser", p.Regulariser); err != nil {
		return sampling{}, err
	}
	if err := checkShare("target", p.Target); err != nil {
		return sampling{}, err
	}
	above, err := newAbove(p.Epsilon)
	if err != nil {
		return sampling{}, err
	}
	// δ* for each logarithm, in either direction.
	samples, err := samplesFor(p.Slack, p.Regulariser,
		new(big.Rat).Quo(p.Delta.Rat(), ratOf(2*logarithms*queries)))
	if err != nil {
		return sampling{}, err
	}
	calls := new(big.Rat).SetInt(new(big.Int).SetUint64(samples))
	if !shared {
		calls.Mul(calls, ratOf(queries))
	}
	loss, err := withSampling(one, p.Epsilon, p.Loss.Delta(), p.Delta, calls)
	if err != nil {
		return sampling{}, err // unreachable: ε and δ are not negative
	}
	answers, err := above.Loss(1)
	if err != nil {
		return sampling{}, err // unreachable: a sparse vector has a loss
	}
	run := runOf(p.Loss)
	spend := meter.Proved("measured candidates", "selection/sampled.md", loss, meter.Once(answers),
		anyNumber(run))
	sensitivity := new(big.Rat).Add(one.epsilon, p.Slack)
	return sampling{newRuler(sensitivity.Mul(sensitivity, ratOf(logarithms))), above, spend, run,
		new(big.Rat).Set(p.Regulariser), samples}, nil
}

// withSampling returns the loss of a search that is (epsilon, failure)-DP for candidates without δ
// and makes at most calls runs.
func withSampling(one bound, epsilon privacy.Epsilon, delta *big.Rat, failure privacy.Delta,
	calls *big.Rat) (privacy.Loss, error) {
	loss, err := whole(one, bound{epsilon: epsilon.Rat()}, delta, calls)
	if err != nil {
		return privacy.Loss{}, err
	}
	failed, err := privacy.NewLoss(nil, failure.Rat())
	return loss.Plus(failed), err
}

// Loss is the loss of one run for data sets that differ in d persons.
func (m *sampling) Loss(d privacy.Distance) (privacy.Loss, error) { return m.spend.Loss.Group(d) }

// Samples is the number of runs of each candidate.
func (m *sampling) Samples() uint64 { return m.samples }

// SampledPercentilesParams are the parameters of SampledPercentiles.
type SampledPercentilesParams struct {
	SamplingParams

	// Queries is the largest number of candidates asked about. Required.
	Queries uint64
}

// SampledPercentiles is [Percentiles] for candidates that can only be run: it measures their
// probabilities.
//
// # Guarantee
//
// (Epsilon, Delta + x)-DP for all answers of one run together, x = 0 for candidates without δ, else
// (1+e^Epsilon)/(1+e^ε) times δ times the largest number of runs. Candidates may be chosen on the
// way. Neighbours replace one person. Proof: percentile.md.
//
// For learning only: it takes too many runs to be offered for publishing.
//
// # Input and output
//
// Candidates with public thresholds; each is run Samples times.
//
// # Errors
//
// [*param.Error] from the constructor for each field; from aboveSampled mechanism.ErrHalted after
// an answer "above", *param.Error (queries) after that many, and what the candidate or step
// returns.
//
// # Reference
//
// Liu, Talwar, 2019, Algorithm 4 (gensparse1), Theorem 4.4, Lemma 4.3. Differs: explicit constants,
// δ from 2N + 2N tails on each side.
type SampledPercentiles struct {
	sampling
	target  *big.Rat // odds of the target, regularised
	queries uint64
}

// NewSampledPercentiles checks the parameters.
func NewSampledPercentiles(p SampledPercentilesParams) (*SampledPercentiles, error) {
	if p.Queries == 0 || p.Queries > 1<<30 {
		return nil, refuse("queries", countText(p.Queries), "a whole number from 1 to 2^30")
	}
	s, err := newSampling(p.SamplingParams, int64(p.Queries), 2, false)
	if err != nil {
		return nil, err
	}
	m := &SampledPercentiles{sampling: s, queries: p.Queries}
	m.target = m.odds(p.Target)
	return m, nil
}

// odds returns (p + ξ)/(1 − p + ξ).
func (m *SampledPercentiles) odds(p *big.Rat) *big.Rat {
	den := new(big.Rat).Sub(ratOf(1), p)
	den.Add(den, m.regulariser)
	num := new(big.Rat).Add(p, m.regulariser)
	return num.Quo(num, den)
}

// SampledRun is one sequence of answers.
type SampledRun struct {
	mechanism *SampledPercentiles
	src       coin.Source
	run       *mechanism.Run
	asked     uint64
}

// Start draws the noise of the threshold for one run.
func (m *SampledPercentiles) Start(src coin.Source) *SampledRun {
	src = meter.Within(src, m.spend)
	return &SampledRun{m, src, m.above.Start(src, m.ruler.log(m.target)), 0}
}

// AboveCount answers, with noise, whether a candidate reaches a score with at least the target
// probability: true ends the run. It reached the score in count of Samples runs, drawn for this
// question alone (H: percentile.md own-samples).
func (r *SampledRun) AboveCount(count uint64) (bool, error) {
	m := r.mechanism
	switch {
	case r.asked == m.queries: // H: percentile.md as-announced
		return false,
			refuse("queries", countText(r.asked+1), "at most as many candidates as were announced")
	case count > m.samples: // H: percentile.md samples
		return false,
			refuse("count", countText(count), "at most as many runs as there are samples: %s",
				countText(m.samples))
	}
	r.asked++
	return r.run.Above(m.ruler.log(m.odds(frequency(count, m.samples))))
}

func frequency(count, of uint64) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(count), new(big.Int).SetUint64(of))
}

// countAbove runs the candidate and counts the scores at or above each level.
func countAbove[T any](src coin.Source, m *sampling, candidate Candidate[T], levels []int64,
	step coin.Step) ([]uint64, error) {
	samples := m.samples
	counts := make([]uint64, len(levels))
	for i := range samples {
		if step != nil {
			if err := step(int64(i), int64(samples)); err != nil {
				return nil, err
			}
		}
		result, err := once(src, m.run, candidate)
		if err != nil {
			return nil, err
		}
		for l, level := range levels {
			if result.Score >= level {
				counts[l]++
			}
		}
	}
	return counts, nil
}
