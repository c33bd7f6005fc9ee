package query

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Examples are records, each with an answer to be predicted from it: yes, no or none.
type Examples struct {
	columns *bitmaps
	persons int
	size    int
	yes, no []uint64 // persons

	yeses, noes int64
}

// NewExamples pairs the records with their answers. A person whose known is false counts for no
// rule.
func NewExamples(records *Records, yes, known func(person int) bool) *Examples {
	e := &Examples{columns: newBitmaps(records), persons: records.Persons(), size: records.Size()}
	e.yes, e.no = make([]uint64, e.columns.words), make([]uint64, e.columns.words)
	for i := range e.persons {
		switch {
		case !known(i):
		case yes(i):
			e.yes[i/64] |= 1 << (i % 64)
			e.yeses++
		default:
			e.no[i/64] |= 1 << (i % 64)
			e.noes++
		}
	}
	return e
}

// Right returns the number of persons whom a conjunction classifies correctly: those with all its
// attributes and a yes, and those without and a no. One replaced person changes it by at most 1.
func (e *Examples) Right(s Set) int64 {
	if s.Len() == 0 { // yes to everybody
		return e.yeses
	}
	right := e.noes
	for w, all := range e.columns.all(s) {
		right += int64(bits.OnesCount64(all&e.yes[w]) - bits.OnesCount64(all&e.no[w]))
	}
	return right
}

// RuleParams are the parameters of RuleLearner.
type RuleParams struct {
	Epsilon privacy.Epsilon // the privacy loss granted; required

	// Width is the most attributes of a rule. Required.
	Width int

	// Greedy grows the rule by one attribute at a time, in place of scoring all conjunctions.
	Greedy bool
}

// RuleLearner finds the conjunction that best predicts a yes or a no, and counts how often it is
// right.
//
// # Guarantee
//
// Pure Epsilon-DP for neighbours that differ in one replaced person, record or answer or both:
// three quarters for the choice, one quarter for the count. Proof: learners.md.
//
// # Errors
//
// [*param.Error] (epsilon, width) from the constructor, (width) from Release.
//
// # Cost and accuracy
//
// As [Exhaustive] or [Greedy]. A private agnostic learner: with Exhaustive the rule answers at most
// about (8/(3ε))·ln(N/β) persons fewer rightly than the best of N, with probability 1 − β.
type RuleLearner struct {
	learner Learner
	count   *mechanism.Laplace
	spend   *meter.Spend
}

var _ mechanism.Mechanism = (*RuleLearner)(nil)

// PrivateRule is a conjunction and the number of persons whom it classifies correctly.
type PrivateRule struct {
	Set   Set     `json:"set"`
	Right int64   `json:"right"` // noisy, from 0 to n
	Noise float64 `json:"noise"` // the standard deviation of the noise in Right, in persons
}

// NewRuleLearner checks the parameters.
func NewRuleLearner(p RuleParams) (*RuleLearner, error) {
	if !p.Epsilon.IsSet() {
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	}
	if p.Width < 1 {
		return nil, refuse("width", strconv.Itoa(p.Width), "at least 1")
	}
	l := &RuleLearner{}
	params := LearnerParams{Epsilon: p.Epsilon.Part(3, 4), Width: p.Width}
	var err error
	if p.Greedy {
		l.learner, err = NewGreedy(params)
	} else {
		l.learner, err = NewExhaustive(params)
	}
	if err != nil {
		return nil, err
	}
	if l.count, err = mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: p.Epsilon.Part(1, 4), L1Sensitivity: 1}); err != nil {
		return nil, err
	}
	l.spend, err = together("rule with its count", l.learner, l.count)
	return l, err
}

// together returns the total cost of parts that are drawn once each.
func together(name phrase.Key, parts ...mechanism.Mechanism) (*meter.Spend, error) {
	var list []meter.Part
	for _, part := range parts {
		loss, err := part.Loss(1)
		if err != nil {
			return nil, err
		}
		list = append(list, meter.Once(loss))
	}
	return meter.Sum(name, list...), nil
}

// Loss returns the loss of choice and count together.
func (l *RuleLearner) Loss(d privacy.Distance) (privacy.Loss, error) {
	return l.spend.Loss.Group(d)
}

// ErrorBound returns the number of persons by which, with probability 1 − beta, the count is off at
// most.
func (l *RuleLearner) ErrorBound(beta float64) int64 { return l.count.ErrorBound(beta) }

// Extra returns how many fewer people than the best rule of d attributes the rule classifies
// correctly, at most, with probability 1 − beta; 0 where the rule is grown greedily and nothing is
// promised.
func (l *RuleLearner) Extra(beta float64, d int) int64 {
	if all, ok := l.learner.(*Exhaustive); ok {
		return all.ErrorBound(beta, d)
	}
	return 0
}

// TypicalExtra estimates how many fewer of the given number of people than the best rule of d
// attributes the rule classifies correctly: a rule of thumb (mechanism.MadeUpScores). 0 where the
// rule is grown greedily.
func (l *RuleLearner) TypicalExtra(d int, persons int64) float64 {
	if all, ok := l.learner.(*Exhaustive); ok {
		rules, _ := new(big.Float).SetInt(CountConjunctions(d, all.width)).Float64()
		return all.choice.TypicalError(mechanism.AnswersOf(math.Log(rules), persons))
	}
	return 0
}

// TypicalError returns the mean error of the count, in persons.
func (l *RuleLearner) TypicalError() float64 { return l.count.ExpectedError() }

// Release chooses and counts. step may be nil.
func (l *RuleLearner) Release(src coin.Source, e *Examples, step coin.Step) (PrivateRule, error) {
	src = meter.Within(src, l.spend)
	chosen, err := l.learner.Learn(src, e.size, e.Right, step)
	if err != nil {
		return PrivateRule{}, err
	}
	noisy, err := l.count.Release(src, []int64{e.Right(chosen)}, nil)
	if err != nil {
		return PrivateRule{}, err // unreachable: no step, no error
	}
	return PrivateRule{chosen, within(noisy[0], e.persons), l.count.StdDev()}, nil
}
