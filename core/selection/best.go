package selection

import (
	"hush/core/coin"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/privacy"
)

// BestParams are the parameters of Best.
type BestParams struct {
	// Loss covers one run of the candidate, output and score together. Required, with an ε.
	Loss privacy.Loss

	// Repetitions is the law of the number of runs. Required: Geometric, NegativeBinomial,
	// Logarithmic or Poisson.
	Repetitions Repetitions
}

// Best runs a candidate a random number of times and publishes the run with the best score.
//
// # Guarantee
//
// With candidates of (ε, δ)-DP per run (ε*, (1+e^ε*)/(1+e^ε)·E[runs]·δ)-DP, where ε* is 3ε for
// [Geometric] repetitions, (2 + shape)·ε for [NegativeBinomial], ε + mean·tanh(ε/2) for [Poisson].
// Neighbours replace one person, as for the candidate. Proof: best.md.
//
// # Input and output
//
// [BestOf] returns the run of the highest score, the first of those; nothing where there was no run
// (Poisson only).
//
// # Errors
//
// [*param.Error] (loss, repetitions) from the constructor, privacy.ErrNoBound for a loss without an
// ε; from BestOf what the candidate or step returns.
//
// # Cost and accuracy
//
// Repetitions.Mean runs expected. The result is among the best share of one run's results, except
// with probability Repetitions.Miss(share).
//
// # Reference
//
// Liu, Talwar, "Private Selection from Private Candidates", 2019, Algorithm 2; Papernot, Steinke,
// 2022. Differs: ties stay with the first run, no hard stop is needed for approximate candidates,
// and δ grows by the expected number of runs.
type Best struct {
	spend       *meter.Spend
	run         *meter.Spend
	repetitions Repetitions
}

// NewBest checks the parameters.
func NewBest(p BestParams) (*Best, error) {
	if p.Repetitions == nil {
		return nil, refuse("repetitions", param.NotSet,
			"Geometric, NegativeBinomial, Logarithmic or Poisson")
	}
	loss, err := p.Repetitions.Cost(p.Loss)
	if err != nil {
		return nil, err
	}
	run := runOf(p.Loss)
	spend := meter.Proved("best of a random number of runs", "selection/repetitions.md", loss,
		anyNumber(run))
	return &Best{spend, run, p.Repetitions}, nil
}

// runOf is the loss that one run of a candidate may have.
func runOf(loss privacy.Loss) *meter.Spend { return meter.Sum("one run", meter.Once(loss)) }

// anyNumber accounts for any number of runs: the number is secret, and the proof gives their total
// loss.
func anyNumber(run *meter.Spend) meter.Part { return meter.Part{Loss: run.Loss} }

// once runs a candidate with an account of its own.
func once[T any](src coin.Source, run *meter.Spend, candidate Candidate[T]) (Scored[T], error) {
	inside := meter.Within(src, run)
	result, err := candidate(inside)
	meter.Done(src, inside)
	return result, err
}

// Loss is the loss of one selection for data sets that differ in d persons.
func (m *Best) Loss(d privacy.Distance) (privacy.Loss, error) { return m.spend.Loss.Group(d) }

// BestOf runs the candidate a random number of times and returns the best run. found is false where
// there was no run. step may be nil; it can end the work and receives no progress.
func BestOf[T any](src coin.Source, m *Best, candidate Candidate[T],
	step coin.Step) (best Scored[T], found bool, err error) {
	src = meter.Within(src, m.spend)
	for runs := m.repetitions.draw(src); runs > 0; runs-- {
		if err := pause(step); err != nil {
			return Scored[T]{}, false, err
		}
		result, err := once(src, m.run, candidate)
		if err != nil {
			return Scored[T]{}, false, err
		}
		if !found || better(result, best) {
			best, found = result, true
		}
	}
	return best, found, nil
}
