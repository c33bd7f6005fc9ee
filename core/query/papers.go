package query

import (
	"math"
	"math/big"

	"hush/core/mechanism"
)

// Papers are the methods of Gupta, Hardt, Roth and Ullman that [Choose] never takes on its own,
// because another is better on all data measured (COMPARED.md): "learner", multiplicative weights
// from an agnostic learner (Theorem 5.1); "checks", multiplicative weights from random conjunctions
// (Remark 5.1); "oracle", Algorithm 6 with a statistical-query oracle; and "disjunctions",
// Corollary 4.2: pieces of the coverage function itself, which answer “any of” well and other
// questions badly. Their settings depend on public facts alone. All have at most the loss (Epsilon,
// Delta). A method that cannot be used, for example because there are too many attributes, is left
// out. Proof: boosting.md, sampled.md, pieces.md.
func Papers(p ChoiceParams) (list []Choice, err error) {
	if _, err := Choose(p); err != nil {
		return nil, err
	}
	p.Width = min(p.Width, p.Size)
	if _, err := cellsOf(p.Size); err == nil {
		if width := min(p.Width, mostLearned); checkClass(p.Size, width) == nil {
			learner, err := p.learner(width)
			if err != nil {
				return nil, err
			}
			list = append(list, learner)
		}
		checks, err := p.checks()
		if err != nil {
			return nil, err
		}
		list = append(list, checks)
	}
	if p.Width <= 64 {
		list = append(list, p.oracle(), Choice{Name: "disjunctions", Error: p.offOfPieces(),
			New: func() (Conjunctive, error) {
				pieces, err := p.pieces()
				return anyOf{pieces}, err
			}})
	}
	return list, nil
}

const (
	mostLearned   = 3 // attributes of a conjunction that the learner looks for
	learnerRounds = 60
	passes        = 100 // conjunctions in a row that must be right
)

// learner is Boosting from [Exhaustive]: each round uses four equal parts of ε, two for choices and
// two for counts. The gap is what the noise leaves visible.
func (p ChoiceParams) learner(width int) (Choice, error) {
	rounds := min(learnerRounds, MWEMRounds(p.Persons, p.Size, p.Epsilon))
	each := p.Epsilon.Part(1, int64(4*rounds))
	learner, err := NewExhaustive(LearnerParams{Epsilon: each, Width: width})
	if err != nil {
		return Choice{}, err
	}
	rules, _ := countSubsets(p.Size, width).Float64()
	typical := learner.choice.TypicalError(mechanism.AnswersOf(math.Log(rules),
		int64(p.Persons)))
	// steps go with the gap: those of a smaller one are over before they are there
	gap := p.visible(max(2*typical+2/each.Float64(), 0.05*float64(p.Persons)))
	off, _ := gap.Float64()
	return Choice{Name: "learner", Error: min(uncorrected, 0.02+off/2),
		New: func() (Conjunctive, error) {
			return NewBoosting(
				BoostingParams{Learner: learner, Epsilon: each, Gap: gap, Rounds: rounds})
		}}, nil
}

// uncorrected estimates the error of a distribution that was never corrected.
const uncorrected = 0.12

// visible returns a number of persons as a fraction of all, from 1 in 100 to a half: a hundredth is
// exact enough.
func (p ChoiceParams) visible(persons float64) *big.Rat {
	hundredths := math.Ceil(100 * persons / float64(p.Persons))
	return big.NewRat(int64(min(max(hundredths, 1), 50)), 100)
}

// checks is Sampled with twice as many corrections as attributes, on conjunctions of the largest
// width.
func (p ChoiceParams) checks() (Choice, error) {
	params := SampledParams{Epsilon: p.Epsilon, Delta: p.Delta, Workload: OfWidth(p.Width),
		Updates: min(2*p.Size, 1000), Checks: passes, Threshold: big.NewRat(1, 100)}
	each := p.Epsilon.Float64() / float64(params.Updates)
	if !p.Delta.IsZero() {
		each = max(each, math.Sqrt(2*p.rho()/float64(params.Updates)))
	}
	params.Threshold = p.visible(4 / (each / 2))
	off, _ := params.Threshold.Float64()
	return Choice{Name: "checks", Error: min(uncorrected, 0.01+off),
		New: func() (Conjunctive, error) { return NewSampled(params) }}, nil
}

// oracle is Counted with four queries for each attribute.
func (p ChoiceParams) oracle() Choice {
	params := CountedParams{Oracle: OracleParams{Epsilon: p.Epsilon, Delta: p.Delta,
		Queries: 4 * max(p.Size, p.Width)}, Alpha: big.NewRat(1, 4), Rule: OneThreshold,
		Workloads: UpToWidth(p.Width)}
	_, noise, _ := p.noise(params.Oracle.Queries)
	return Choice{Name: "oracle", Error: min(0.5, uncorrected+noise/float64(p.Persons)),
		New: func() (Conjunctive, error) {
			counted, err := NewCounted(params)
			return conjunctions{counted}, err
		}}
}
