package classify

import (
	"fmt"
	"math"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// SemiPrivateParams are the parameters of SemiPrivate. Exactly one of Epsilon and Base is given.
type SemiPrivateParams struct {
	// Class is what the rule is taken from. Required.
	Class Enumerable

	// Anchors are public points, chosen without a look at the examples (H: semiprivate.md
	// public-anchors): cases without labels, or a grid. Those that do not fit the class are left
	// out; one must be left.
	Anchors []Point

	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon

	// Base is r itself, in place of Epsilon: the loss is then 2·ln r.
	Base coin.Base
}

// SemiPrivate learns a rule that may be published, from private labels and public points: from one
// rule for each way in which the class labels the public points, it chooses by the number of
// mistakes on the private labels (Algorithm A_SSPP). With a grid of public points it is the
// exponential mechanism over a finite part of the class that no data decide.
//
// # Guarantee
//
// Pure ε-DP for neighbours that differ in one replaced person, n public, the anchors public. Proof:
// semiprivate.md.
//
// # Input and output
//
// Examples; a rule, chosen with probability proportional to r^−mistakes.
//
// # Errors
//
// [*param.Error] (class, anchors, epsilon, base) from the constructor; from Learn what step
// returns.
//
// # Cost and accuracy
//
// Twice the Work of the class on anchors and persons. With probability 1 − β the rule makes at most
// ErrorBound(β) more mistakes than the best of those chosen from, which is as good as the best of
// the class but for the part of persons on which rules that agree on all anchors differ: Cover.
//
// # Reference
//
// Alon, Bassily, Moran, "Limits of Private Learning with Access to Public Data", 2019; Beimel,
// Nissim, Stemmer, 2013; as Algorithm 7 of Nandi, Bassily, 2019. Differs: exact weights of a
// rational base.
type SemiPrivate struct {
	class   Enumerable
	anchors []Point
	choice  *mechanism.Exponential
	spend   *meter.Spend
}

// NewSemiPrivate checks the parameters.
func NewSemiPrivate(p SemiPrivateParams) (*SemiPrivate, error) {
	if p.Class == nil {
		return nil, refuse("class", param.NotSet, "a class of rules")
	}
	m := &SemiPrivate{class: p.Class, anchors: distinctPoints(p.Anchors, p.Class.Sizes())}
	if len(m.anchors) == 0 { // H: semiprivate.md some-anchor
		return nil, refuse("anchors", phrase.Key("no public points with the columns of the class"),
			"at least one")
	}
	if p.Class.Work(len(m.anchors)) > mostWork {
		return nil, refuse("anchors", phrase.Key("too many public points for this class"), "fewer")
	}
	var err error
	if m.choice,
		err = mechanism.NewExponential(
		mechanism.ExponentialParams{Epsilon: p.Epsilon, Base: p.Base, Sensitivity: 1}); err != nil {
		return nil, err
	}
	loss, err := m.choice.Loss(1)
	m.spend = &meter.Spend{Name: "choice of a rule", Loss: loss, Claim: meter.Claim{People: 1}}
	return m, err
}

// Loss is ε for d = 1, and d·ε.
func (m *SemiPrivate) Loss(d privacy.Distance) (privacy.Loss, error) { return m.choice.Loss(d) }

// ErrorBound returns a t such that with probability at least 1 − beta the rule makes at most t more
// mistakes than the best of those chosen from.
func (m *SemiPrivate) ErrorBound(beta float64) float64 {
	return m.ErrorBoundOf(m.class, len(m.anchors), beta)
}

// TypicalError returns about how many more mistakes the rule makes than the best of those chosen
// from, on this many persons: a rule of thumb (mechanism.MadeUpScores).
func (m *SemiPrivate) TypicalError(persons int64) float64 {
	return m.choice.TypicalError(mechanism.AnswersOf(m.class.LogGrowth(len(m.anchors)), persons))
}

// ErrorBoundOf returns what ErrorBound would be for another class, or another number of anchors.
func (m *SemiPrivate) ErrorBoundOf(class Class, anchors int, beta float64) float64 {
	return max(0, (class.LogGrowth(anchors)-math.Log(beta))/m.choice.Base().Log())
}

// Cover returns an α such that, except with probability beta, any two rules that agree on all
// anchors differ on at most a part α of the population from which the anchors are drawn:
// 2/n·log2(2·labellings of 2n points by pairs of rules/β), n anchors.
func (m *SemiPrivate) Cover(beta float64) float64 { return CoverOf(m.class, len(m.anchors), beta) }

// CoverOf returns Cover for rules of a class that this many anchors distinguish.
func CoverOf(class Class, anchors int, beta float64) float64 {
	return min(1, 2/float64(anchors)*(2*class.LogGrowth(2*anchors)+math.Log(2/beta))/math.Ln2)
}

// Learn finds a rule. step may be nil; it can end the work but learns no progress.
func (m *SemiPrivate) Learn(src coin.Source, examples []Example, step coin.Step) (Rule, error) {
	p := &pace{step: step}
	return meter.Draw(src, m.spend,
		func() meter.Input { return meter.Input{People: asPeople(examples)} },
		func(src coin.Source) (Rule, error) {
			return chooseRule(src, m.class, m.anchors, votes(examples, m.class.Sizes(), p),
				m.choice.Base(), p)
		})
}

// asPeople lists the examples.
func asPeople(examples []Example) []string {
	list := make([]string, len(examples))
	for i, e := range examples {
		list[i] = fmt.Sprint(e)
	}
	return list
}
