package classify

import (
	"math"
	"strconv"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/privacy"
)

// UniversalParams are the parameters of Universal.
type UniversalParams struct {
	Class   Enumerable      // required
	Epsilon privacy.Epsilon // granted for everything together, half for either phase; required
	Delta   privacy.Delta   // spent in the first phase; required
	Persons uint64          // n; required
	Queries uint64          // of the first phase; required: see FirstPhase
	Beta    float64         // as in AnswersParams
	// Plain leaves out the relabelling of the first phase (the paper's Remark 1), as in
	// AnswersParams: fewer persons are enough, where some rule makes hardly any mistake.
	Plain bool
}

// Universal answers any number of cases: the first Queries of them as [Answers] does and then, with
// these cases as public points, by a rule that it publishes (Algorithm 4).
//
// # Guarantee
//
// (ε, δ)-DP for the answers, the rule and all that the rule says, for neighbours that differ in one
// replaced person, n and the cases public. Proof: universal.md.
//
// # Errors
//
// [*param.Error] from the constructor, as Answers and [SemiPrivate]; from Start and Rule what step
// returns.
//
// # Reference
//
// Nandi, Bassily, 2019, Algorithm 4 and Theorem 4.1. Differs: the caller gives the number of first
// cases, and if the stable answers end before it, the rule still follows.
type Universal struct {
	answers *Answers
	class   Enumerable
	half    privacy.Epsilon
	spend   *meter.Spend
	queries uint64
}

// FirstPhase returns the number of first cases that make the published rule as good as the best of
// the class except on a fraction alpha of the cases, with probability 1 − beta: the least m with
// [SemiPrivate.Cover] at most alpha.
func FirstPhase(class Enumerable, alpha, beta float64) uint64 {
	m := 1
	for float64(m)*alpha*math.Ln2 < 2*(2*class.LogGrowth(2*m)+math.Log(2/beta)) {
		m += 1 + m/64
	}
	return uint64(m)
}

// NewUniversal checks the parameters and plans the first phase.
func NewUniversal(p UniversalParams) (*Universal, error) {
	if p.Class == nil {
		return nil, refuse("class", param.NotSet, "a class of rules")
	}
	if !p.Epsilon.IsSet() {
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	}
	half := p.Epsilon.Part(1, 2)
	answers, err := NewAnswers(
		AnswersParams{Class: p.Class, Epsilon: half, Delta: p.Delta, Persons: p.Persons,
			Queries: p.Queries, Beta: p.Beta, Plain: p.Plain})
	if err != nil {
		return nil, err
	}
	if p.Class.Work(int(p.Queries)) > mostWork {
		return nil, refuse("queries", strconv.FormatUint(p.Queries, 10),
			"fewer first cases: there are too many ways to label them")
	}
	first, err := answers.Loss(1)
	if err != nil {
		return nil, err // unreachable: answers have a loss
	}
	spend := meter.Sum("votes, then a rule", meter.Once(first), meter.Once(privacy.PureLoss(half)))
	return &Universal{answers, p.Class, half, spend, p.Queries}, nil
}

// Loss is (ε, δ) for d = 1, and group privacy beyond.
func (u *Universal) Loss(d privacy.Distance) (privacy.Loss, error) { return u.spend.Loss.Group(d) }

// Answers returns the first phase.
func (u *Universal) Answers() *Answers { return u.answers }

// Lasting answers an unbounded number of cases. It holds the examples until the rule is published.
type Lasting struct {
	universal *Universal
	src       coin.Source
	examples  []Example
	ballot    *Ballot
	cases     []Point
	rule      Rule
}

// Start begins the first phase. step may be nil; it is called as in Answers.
func (u *Universal) Start(src coin.Source, examples []Example, step coin.Step) (*Lasting, error) {
	src = meter.Within(src, u.spend)
	ballot, err := u.answers.Start(src, examples, step)
	if err != nil {
		return nil, err
	}
	return &Lasting{universal: u, src: src, examples: examples, ballot: ballot}, nil
}

// Rule returns the published rule; nil before the first phase is over.
func (l *Lasting) Rule() Rule { return l.rule }

// Answer answers one case. The first answer after the first phase takes the time to find the rule;
// step, which may be nil, can end it, and then the case may be asked for again.
//
// A case without the columns of the class is refused and does not count: *param.Error (case).
func (l *Lasting) Answer(p Point, step coin.Step) (Answer, error) {
	if err := checkCase(p, len(l.universal.class.Sizes())); err != nil {
		return Answer{}, err
	}
	if l.rule == nil && uint64(len(l.cases)) < l.universal.queries {
		l.cases = append(l.cases, p)
		if a, err := l.ballot.Answer(p); err != ErrNoMore {
			return a, err
		}
		// the unstable ones are used up, the case still counts as a public point
		return Answer{Yes: l.src.Uniform(2) == 1}, nil
	}
	if l.rule == nil {
		learner, err := NewSemiPrivate(
			SemiPrivateParams{Class: l.universal.class, Anchors: l.cases,
				Epsilon: l.universal.half})
		if err != nil {
			return Answer{}, err
		}
		if l.rule, err = learner.Learn(l.src, l.examples, step); err != nil {
			return Answer{}, err
		}
		l.examples, l.ballot = nil, nil
	}
	return Answer{Yes: l.rule.Says(p), Stable: true}, nil
}
