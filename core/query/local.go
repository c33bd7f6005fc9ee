package query

import (
	"fmt"
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/privacy"
)

// LocalParams are the parameters of Local.
type LocalParams struct {
	Epsilon privacy.Epsilon // of each person's answer; required
	Base    coin.Base       // for audits, in place of Epsilon: the odds of a true answer
}

// Local counts attributes by randomised response: each person is asked about one attribute, drawn
// at random, and lies with a chance that gives an exact e^ε. Nobody has to be trusted with the
// answers, and all statistical queries can be learned from them (the local model). The error grows
// with √n, where noise that is added centrally stays the same.
//
// # Guarantee
//
// Pure Epsilon-DP for neighbours that differ in one replaced person, for the answers themselves and
// so for the counts made of them. Proof: local.md.
//
// # Input and output
//
// Records; a release by the product of single attributes (ByProduct).
//
// # Errors
//
// [*param.Error] (epsilon) from the constructor; else that of step.
//
// # Cost and accuracy
//
// One pass. Of d attributes and n persons a count is off by a standard deviation of about
// √(d·n)·√(e^ε)/(e^ε − 1), and more where the persons asked are few.
//
// # Reference
//
// Warner, "Randomized Response", 1965; Kasiviswanathan, Lee, Nissim, Raskhodnikova, Smith, "What
// Can We Learn Privately?", 2011 (statistical queries and the local model).
type Local struct {
	// H: local.md exact
	truth coin.Chance // of a true answer
	lie   float64     // the chance of the opposite
	spend *meter.Spend
}

var _ Conjunctive = (*Local)(nil)

// NewLocal checks the parameters.
func NewLocal(p LocalParams) (*Local, error) {
	base := p.Base
	if p.Epsilon.IsSet() {
		var err error
		if base, err = coin.ExpBelow(p.Epsilon.Rat()); err != nil {
			return nil, refuse("epsilon", p.Epsilon.String(), "a number above 2^-60")
		}
	} else if base.IsOne() { // H: local.md some-odds
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	}
	odds := base.Rat()
	loss, err := privacy.LossFromOdds(odds, nil)
	if err != nil {
		return nil, err
	}
	m := &Local{truth: coin.RatioBig(odds.Num(), new(big.Int).Add(odds.Num(), odds.Denom())),
		spend: &meter.Spend{Name: "randomised response", Loss: loss,
			Claim: meter.Claim{People: 1}}}
	m.lie, _ = m.truth.Complement().Rat().Float64()
	return m, nil
}

// Loss returns the loss of one person's answer.
func (m *Local) Loss(d privacy.Distance) (privacy.Loss, error) { return m.spend.Loss.Group(d) }

// Release asks everybody once. step may be nil.
func (m *Local) Release(src coin.Source, records *Records, step coin.Step) (*Release, error) {
	people := func() meter.Input {
		var list []string
		for i := range records.Persons() {
			list = append(list, records.Row(i).key())
		}
		return meter.Input{People: list}
	}
	d, n := records.Size(), records.Persons()
	counts, err := meter.Draw(src, m.spend, people, func(src coin.Source) ([]int64, error) {
		asked, yes := make([]float64, d), make([]float64, d)
		for i := range n {
			if step != nil && i%4096 == 0 {
				if err := step(int64(i), int64(n)); err != nil {
					return nil, err
				}
			}
			x := int(src.Uniform(uint64(d)))
			asked[x]++
			if m.flip(src, records.Row(i).Has(x)) {
				yes[x]++
			}
		}
		counts := make([]int64, d)
		for x := range counts {
			if asked[x] > 0 { // yes is on average asked·(share·(1 − lie) + (1 − share)·lie)
				share := (yes[x]/asked[x] - m.lie) / (1 - 2*m.lie)
				counts[x] = int64(math.Round(share * float64(n)))
			}
		}
		return counts, nil
	})
	if err != nil {
		return nil, err
	}
	return &Release{Format: format, Method: ByProduct, Kind: Conjunctions, Size: d, Persons: n,
		Loss: m.spend.Loss, Origin: src.Origin(), Noise: m.deviation(n, d), Width: 1,
		Counts: counts}, nil
}

// flip is a person's answer: the truth with the chance of a true answer, else the opposite.
func (m *Local) flip(src coin.Source, yes bool) bool { return yes == src.Bernoulli(m.truth) }

// Answer asks one person one question of yes or no, drawn alone: a release of one person and one
// attribute, before it is counted.
func (m *Local) Answer(src coin.Source, yes bool) (bool, error) {
	person := func() meter.Input { return meter.Input{People: []string{fmt.Sprint(yes)}} }
	return meter.Draw(src, m.spend, person, func(src coin.Source) (bool, error) {
		return m.flip(src, yes), nil
	})
}

// Lie returns the chance of the opposite of the truth, for a caller that counts with the answers.
func (m *Local) Lie() float64 { return m.lie }

// deviation returns the standard deviation of a count of half of n persons, with d attributes.
func (m *Local) deviation(n, d int) float64 {
	return math.Sqrt(float64(n)*float64(d)) / 2 / (1 - 2*m.lie)
}
