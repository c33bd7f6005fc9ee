package query

import (
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/privacy"
)

// SampledParams are the parameters of Sampled.
type SampledParams struct {
	Epsilon privacy.Epsilon // the privacy loss granted; required
	// 0 divides Epsilon evenly among the updates; else they are composed at (Epsilon, Delta)
	Delta privacy.Delta

	// Workload is the distribution of the conjunctions looked at. Required.
	Workload Workload

	// Threshold is the error, as a part of all persons, from which on the distribution is
	// corrected. Above 0, at most 1; required.
	Threshold *big.Rat

	// Updates is the most corrections, from 1 to 1000, and Checks how many conjunctions must pass
	// in a row to end, at least 1. Required.
	Updates, Checks int
}

// Sampled releases random conjunctions: it draws them one after another, lets a sparse vector say
// which of them the distribution on all 2^d records gets wrong, and corrects it there, until many
// in a row pass.
//
// # Guarantee
//
// Pure Epsilon-DP, or (Epsilon, Delta)-DP, for neighbours that differ in one replaced person: each
// correction costs a sparse vector and a count; conjunctions that pass cost nothing. Proof:
// sampled.md.
//
// # Errors
//
// [*param.Error] (epsilon, threshold, updates, checks) from the constructor, (workload, attributes)
// from Release.
//
// # Cost and accuracy
//
// O(2^d) for each correction. If it ends because Checks conjunctions passed, and the sparse vector
// was right (TestError), then with probability 1 − β all but a part ln((Updates + 1)/β)/Checks of
// the workload is within Threshold and the sparse vector's error.
//
// # Reference
//
// Gupta, Hardt, Roth, Ullman, 2011, Remark 5.1, which leaves the algorithm out; Hardt, Rothblum, "A
// Multiplicative Weights Mechanism for Privacy-Preserving Data Analysis", 2010.
type Sampled struct {
	above           *mechanism.AboveThreshold
	count           *mechanism.Laplace
	workload        Workload
	threshold       *big.Rat
	updates, checks int
	round           *meter.Spend // tests up to the next update, and its count
	spend           *meter.Spend
}

var _ mechanism.Mechanism = (*Sampled)(nil)

// NewSampled checks the parameters.
func NewSampled(p SampledParams) (*Sampled, error) {
	switch {
	case !p.Epsilon.IsSet(): // H: sampled.md some-epsilon
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	// H: sampled.md threshold
	case p.Threshold == nil || p.Threshold.Sign() <= 0 || p.Threshold.Cmp(big.NewRat(1, 1)) > 0:
		return nil, refuse("threshold", "outside", "above 0 and at most 1")
	case p.Updates < 1 || p.Updates > 1000: // H: sampled.md updates
		return nil, refuse("updates", strconv.Itoa(p.Updates), "from 1 to 1000")
	case p.Checks < 1: // H: sampled.md checks
		return nil, refuse("checks", strconv.Itoa(p.Checks), "at least 1")
	}
	each, _, err := privacy.EachOf(uint64(p.Updates), p.Epsilon, p.Delta, updateLoss)
	if err != nil {
		return nil, err
	}
	above, err := mechanism.NewAboveThreshold(mechanism.AboveThresholdParams{
		EpsilonThreshold: each.Part(1, 4), EpsilonQueries: each.Part(2, 4), Sensitivity: 1})
	if err != nil {
		return nil, err
	}
	count, err := mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: each.Part(1, 4), L1Sensitivity: 1})
	if err != nil {
		return nil, err
	}
	m := &Sampled{above, count, p.Workload, p.Threshold, p.Updates, p.Checks, nil, nil}
	return m, m.price(p.Delta)
}

// updateLoss returns the loss of a run of tests and of the count after it, which together have ε.
func updateLoss(epsilon privacy.Epsilon) privacy.Loss {
	return privacy.PureLoss(epsilon.Part(3, 4)).Plus(privacy.PureLoss(epsilon.Part(1, 4)))
}

// price returns what a run of tests and a count for each update compose to at delta.
func (m *Sampled) price(delta privacy.Delta) error {
	var err error
	if m.round, err = together("update", m.above, m.count); err != nil {
		return err
	}
	m.spend, err = meter.Composed("multiplicative weights on a sample of questions", delta,
		meter.Each(m.round.Loss, uint64(m.updates)))
	return err
}

// Loss returns the loss of all corrections.
func (m *Sampled) Loss(d privacy.Distance) (privacy.Loss, error) { return m.spend.Loss.Group(d) }

// TestError returns an M such that, with probability at least 1 − beta, every conjunction tested is
// judged correctly if its error is further than M persons from the threshold.
func (m *Sampled) TestError(beta float64) int64 {
	return m.above.ErrorBound(beta/float64(m.updates), m.updates*m.checks)
}

// Release corrects until no correction is needed. step may be nil; its units are corrections.
func (m *Sampled) Release(src coin.Source, records *Records, step coin.Step) (*Release, error) {
	if err := m.workload.check(records.Size()); err != nil {
		return nil, err
	}
	u, err := newUniverse(records.Size())
	if err != nil {
		return nil, err
	}
	persons, truth := records.Persons(), supersets(cells(records))
	expected := u.expected(persons)
	share := new(big.Rat).Mul(m.threshold, new(big.Rat).SetInt64(int64(persons)))
	least := new(big.Int).Div(share.Num(), share.Denom()).Int64() + 1
	everything := Piece{emptySet(records.Size()), emptySet(records.Size())}
	src = meter.Within(src, m.spend)
	var rounds []Round
	round := meter.Within(src, m.round)
	run := m.above.Start(round, least)
	for passed := 0; passed < m.checks; {
		s := m.workload.Draw(src, everything, records.Size())
		wrong, err := run.Above(distance(truth[mask(s)], expected[mask(s)]))
		if err != nil {
			return nil, err // unreachable: a run that has answered is replaced
		}
		if passed++; !wrong {
			continue
		}
		noisy, err := m.count.Release(round, []int64{truth[mask(s)]}, nil)
		if err != nil {
			return nil, err // unreachable: no step, no error
		}
		count := within(noisy[0], persons)
		rounds = append(rounds, Round{Set: s, Count: &count})
		u.fit(rounds, persons, 3)
		expected = u.expected(persons)
		if step != nil {
			if err := step(int64(len(rounds)), int64(m.updates)); err != nil {
				return nil, err
			}
		}
		if passed = 0; len(rounds) == m.updates {
			break
		}
		round = meter.Within(src, m.round)
		run = m.above.Start(round, least)
	}
	return &Release{Format: format, Method: ByWeights, Kind: Conjunctions, Size: records.Size(),
		Persons: persons, Loss: m.spend.Loss, Origin: src.Origin(),
		Noise: m.count.StdDev(), Rounds: rounds}, nil
}
