package query

import (
	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// ReleasedRule is an agnostic learner made from releases of conjunctions: it releases the
// conjunctions of the people with a yes and of the people with a no, finds the best rule from these
// two releases alone, and counts how often that rule is right.
//
// # Guarantee
//
// Pure Epsilon-DP for neighbours that differ in one replaced person, record or answer or both:
// three eighths for each release, since a replaced person may leave the one and join the other, and
// one quarter for the count. Proof: learners.md.
//
// # Errors
//
// [*param.Error] (epsilon, width, attributes) from the constructor, (attributes) from Release.
//
// # Cost and accuracy
//
// Twice that of the releases. If both are within α·n for all conjunctions up to the width, the rule
// answers at most 4α·n people fewer rightly than the best. The two releases reveal far more than
// the rule, at a price: for a rule alone, [RuleLearner] is better (COMPARED.md).
//
// # Reference
//
// Gupta, Hardt, Roth, Ullman, "Privately Releasing Conjunctions and the Statistical Query Barrier",
// 2011, Theorem 5.5, in the form without division.
type ReleasedRule struct {
	yes, no Conjunctive
	count   *mechanism.Laplace
	choice  Choice
	width   int
	spend   *meter.Spend
}

var _ mechanism.Mechanism = (*ReleasedRule)(nil)

// NewReleasedRule checks the public facts, and takes the method for conjunctions that is best by
// them ([Choose]). Delta must be 0.
func NewReleasedRule(p ChoiceParams) (*ReleasedRule, error) {
	if !p.Delta.IsZero() { // H: learners.md pure
		return nil, refuse("delta", p.Delta.String(), "0: the parts are pure")
	}
	if err := checkClass(p.Size, min(p.Width, p.Size)); err != nil {
		return nil, err
	}
	whole := p.Epsilon
	if p.Epsilon.IsSet() {
		p.Epsilon = whole.Part(3, 8)
	}
	choices, err := Choose(p)
	if err != nil {
		return nil, err
	}
	l := &ReleasedRule{choice: choices[0], width: min(p.Width, p.Size)}
	if l.yes, err = l.choice.New(); err != nil {
		return nil, err
	}
	if l.no, err = l.choice.New(); err != nil {
		return nil, err
	}
	if l.count, err = mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: whole.Part(1, 4), L1Sensitivity: 1}); err != nil {
		return nil, err
	}
	l.spend, err = together("rule of two releases with its count", l.yes, l.no, l.count)
	return l, err
}

// Loss returns the loss of both releases and the count together.
func (l *ReleasedRule) Loss(d privacy.Distance) (privacy.Loss, error) {
	return l.spend.Loss.Group(d)
}

// ErrorBound returns the number of persons by which, with probability 1 − beta, the count is off at
// most.
func (l *ReleasedRule) ErrorBound(beta float64) int64 { return l.count.ErrorBound(beta) }

// TypicalExtra estimates how many more of the given number of people the rule found gets wrong than
// the best rule does: a rule of thumb. A comparison of two rules has the errors of two answers of
// each.
func (l *ReleasedRule) TypicalExtra(persons int64) float64 {
	return min(2*l.choice.Error, 1) * float64(persons)
}

// Release makes the two releases, finds the rule and counts. yes and known say what each person
// answered, and whether they did. step may be nil; its units are thirds of the work.
func (l *ReleasedRule) Release(src coin.Source, records *Records,
	yes, known func(person int) bool, step coin.Step) (PrivateRule, error) {
	src = meter.Within(src, l.spend)
	withYes, withNo, err := Conditionals(records, yes, known)
	if err != nil {
		return PrivateRule{}, err
	}
	var releases [2]*Release
	for i, part := range []struct {
		by      Conjunctive
		records *Records
	}{{l.yes, withYes}, {l.no, withNo}} {
		told := step
		if step != nil {
			told = func(done, total int64) error {
				return step(int64(i)*1000+done*1000/max(total, 1), 3000)
			}
		}
		if releases[i], err = part.by.Release(src, part.records, told); err != nil {
			return PrivateRule{}, err
		}
	}
	best, _, err := BestRule(releases[0], releases[1], l.width)
	if err != nil {
		return PrivateRule{}, err
	}
	examples := NewExamples(records, yes, known)
	noisy, err := l.count.Release(src, []int64{examples.Right(best)}, nil)
	if err != nil {
		return PrivateRule{}, err // unreachable: no step, no error
	}
	return PrivateRule{best, within(noisy[0], examples.persons), l.count.StdDev()}, nil
}
