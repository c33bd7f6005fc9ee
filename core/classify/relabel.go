package classify

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Relabelling gives each of n persons the label that one rule of a class gives them. The rule is
// wrong about hardly more of the old labels than the best rule of the class (LabelBoost). The
// result is a set that only a private algorithm may see.
//
// # Guarantee
//
// None of its own: the new labels are not private, and only a private algorithm may see them and
// the rule (H: relabel.md secret-labels). An (ε, δ)-DP algorithm on them is (ε +
// 2·ln(1+r), δ)-DP on the old, for neighbours that differ in one replaced person, n public; r is
// the base of the choice. Proof: relabel.md, Theorem 1, where the literature has (ε + 3, 4eδ) for r
// = e^(1/2).
//
// # Input and output
//
// Examples; the same points, each with the label of the rule drawn with probability proportional to
// r^−mistakes, of one rule for each labelling of the points that occur. Persons without a point, or
// with one that does not fit the class, stay without.
//
// # Errors
//
// [*param.Error] (class, base) from the constructor; from the draw what step returns.
//
// # Cost and accuracy
//
// Twice Class.Work(n). With probability 1 − β the rule makes at most ErrorBound(β) more mistakes
// than the best.
//
// # Reference
//
// Beimel, Nissim, Stemmer, "Learning Privately with Labeled and Unlabeled Examples", 2015, Section
// 4; Nandi, Bassily, "Privately Answering Classification Queries in the Agnostic PAC Model", 2019,
// Algorithm 2. Differs: our own, tight, bound on the loss, δ unchanged.
type Relabelling struct {
	class Enumerable
	base  coin.Base
	spend *meter.Spend
}

// NewRelabelling takes a class whose labellings can be listed, and a base above 1 and at most 2^10.
func NewRelabelling(class Class, base coin.Base) (*Relabelling, error) {
	enumerable, ok := class.(Enumerable) // H: relabel.md listed
	if !ok {
		return nil, refuse("class", class, "a class whose labellings can be listed: thresholds, "+
			"stumps, boxes, halfspaces in the plane, or others made Listed by an oracle")
	}
	if base.IsOne() || base.Log() > 10.001*math.Ln2 { // H: relabel.md base
		return nil, refuse("base", base.String(), "a fraction above 1 and at most 1024")
	}
	m := &Relabelling{class: enumerable, base: base}
	alone, err := privacy.LossFromOdds(oneRat, nil) // exact, so that the sum with others is
	if err != nil {
		return nil, err // unreachable: 1 is no less than 1
	}
	loss, err := m.LossOf(alone)
	m.spend = &meter.Spend{Name: "relabelling", Loss: loss, Claim: meter.Claim{People: 1}}
	return m, err
}

// LossOf returns the loss, for one replaced person, of a mechanism that has the given loss on the
// new labels: its ε plus 2·ln(1+r), and its δ. It is privacy.ErrNoBound for a loss without an ε.
func (m *Relabelling) LossOf(onLabels privacy.Loss) (privacy.Loss, error) {
	epsilon, ok := onLabels.Epsilon()
	if !ok {
		return privacy.Loss{}, privacy.ErrNoBound
	}
	factor := m.base.Rat()
	factor.Add(factor, oneRat)
	factor.Mul(factor, factor)
	if odds, exact := onLabels.Odds(); exact {
		return privacy.LossFromOdds(odds.Mul(odds, factor), onLabels.Delta())
	}
	return privacy.NewLoss(epsilon.Add(epsilon, privacy.LogUp(factor)), onLabels.Delta())
}

// Relabel returns the examples with new labels, which are as secret as the old: only a private
// algorithm may see them, at the loss that LossOf returns. step may be nil; it can end the work but
// learns no progress.
func (m *Relabelling) Relabel(src coin.Source, examples []Example,
	step coin.Step) ([]Example, error) {
	return m.relabel(src, examples, &pace{step: step})
}

// relabel returns the examples with new labels. They and the rule are secret.
func (m *Relabelling) relabel(src coin.Source, examples []Example, p *pace) ([]Example, error) {
	sizes := m.class.Sizes()
	sample := votes(examples, sizes, p)
	rule, err := meter.Draw(src, m.spend,
		func() meter.Input { return meter.Input{People: asPeople(examples)} },
		func(src coin.Source) (Rule, error) {
			return chooseRule(src, m.class, distinct(sample), sample, m.base, p)
		})
	if err != nil {
		return nil, err
	}
	renamed := make([]Example, len(examples))
	for i, e := range examples {
		if fits(e.Point, sizes) {
			renamed[i] = Example{e.Point, rule.Says(e.Point)}
		}
	}
	return renamed, nil
}

func (m *Relabelling) String() string { return m.Phrase().String() }

// Phrase is String in any language.
func (m *Relabelling) Phrase() phrase.Phrase {
	return phrase.Of("relabelling by %v, base %v", m.class, m.base)
}

var oneRat = big.NewRat(1, 1) // never written to
