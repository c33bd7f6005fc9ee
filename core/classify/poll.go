package classify

import (
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// Noise is what a [Poll] adds to the number of yeses.
type Noise string

const (
	LaplaceNoise  Noise = "laplace"  // pure ε
	GaussianNoise Noise = "gaussian" // (ε, δ); less for many cases
)

// PollParams are the parameters of Poll.
type PollParams struct {
	Class   Class           // what the rules are learned from, on the labels as they are; required
	Epsilon privacy.Epsilon // granted for all answers together; required
	Delta   privacy.Delta   // for GaussianNoise; required there, and 0 else
	Persons uint64          // n; required
	Queries uint64          // how many cases may be asked for; required
	Rules   uint64          // odd; required
	Noise   Noise           // "" stands for LaplaceNoise
}

// Poll labels cases by a noisy majority of rules learned from different persons (PATE): each answer
// costs its part, whether the rules agree or not. It stands beside [Answers] for comparison.
//
// # Guarantee
//
// (ε, δ)-DP for all answers together, for neighbours that differ in one replaced person, n and the
// cases public: the number of yeses of a case moves by at most one. Queries such numbers have
// ε/Queries each (Laplace), or together the ρ that gives (ε, δ) (Gaussian). Proof: poll.md.
//
// # Errors
//
// [*param.Error] from the constructor, and (case) from Answer; ErrNoMore from Answer; from Start as
// Answers.
//
// # Reference
//
// Papernot et al., "Semi-supervised Knowledge Transfer for Deep Learning from Private Training
// Data", 2017, and "Scalable Private Learning with PATE", 2018. Differs: two labels, so one count;
// discrete noise, and no data-dependent loss, which would itself be private.
type Poll struct {
	answers  Answers // deals out the persons
	laplace  mechanism.LaplaceNoise
	gaussian *mechanism.Gaussian // nil for Laplace
	queries  uint64
	vote     *meter.Spend // with Laplace noise
	spend    *meter.Spend
}

// NewPoll checks the parameters.
func NewPoll(p PollParams) (*Poll, error) {
	check := AnswersParams{Class: p.Class, Epsilon: p.Epsilon, Delta: p.Delta, Persons: p.Persons,
		Queries: p.Queries, Plain: true}
	if p.Noise == "" {
		p.Noise = LaplaceNoise
	}
	if p.Noise == LaplaceNoise {
		if !p.Delta.IsZero() {
			return nil, refuse("delta", p.Delta.String(), "0: Laplace noise needs none")
		}
	}
	switch {
	case p.Noise != LaplaceNoise && p.Noise != GaussianNoise:
		return nil, refuse("noise", strconv.Quote(string(p.Noise)), "laplace or gaussian")
	case p.Rules%2 == 0 || p.Rules > p.Persons:
		return nil, refuse("rules", strconv.FormatUint(p.Rules, 10),
			"an odd number, at most that of persons")
	}
	if err := check.checkAll(p.Noise == GaussianNoise); err != nil {
		return nil, err
	}
	m := &Poll{queries: p.Queries,
		answers: Answers{class: p.Class, persons: p.Persons, method: Partition,
			plan: Plan{Rows: p.Persons, Rules: p.Rules}}}
	parts := new(big.Rat).SetFrac(oneInt, new(big.Int).SetUint64(p.Queries))
	if p.Noise == LaplaceNoise {
		base, err := coin.ExpBelow(parts.Mul(parts, p.Epsilon.Rat()))
		if err != nil {
			return nil, refuse("epsilon", p.Epsilon.String(), "at least 2^-60 for each case")
		}
		if m.laplace, err = mechanism.NewLaplaceNoise(base); err != nil {
			return nil, err // unreachable: the base is above 1
		}
		each, err := privacy.NewLoss(parts, nil) // which base is below
		m.vote = &meter.Spend{Name: "noisy vote", Loss: each, Claim: meter.Claim{Each: 1}}
		m.spend = meter.Sum("noisy votes", meter.Each(each, p.Queries))
		return m, err
	}
	rho, err := privacy.RhoFor(p.Epsilon, p.Delta)
	if err != nil {
		return nil, err
	}
	each, err := privacy.NewRho(parts.Mul(parts, rho.Rat()))
	if err != nil {
		return nil, err // unreachable: a part of a ρ is one
	}
	if m.gaussian,
		err = mechanism.NewGaussian(
		mechanism.GaussianParams{Rho: each, L2SensitivitySquared: 1}); err != nil {
		return nil, err
	}
	m.spend, err = meter.Composed("noisy votes", p.Delta,
		meter.Each(privacy.ConcentratedLoss(each), p.Queries))
	return m, err
}

// Loss is ε or (ε, δ) for d = 1, and group privacy beyond.
func (m *Poll) Loss(d privacy.Distance) (privacy.Loss, error) { return m.spend.Loss.Group(d) }

// Start learns the rules. step may be nil; it learns how many are learned, which is public.
func (m *Poll) Start(src coin.Source, examples []Example, step coin.Step) (*PollBallot, error) {
	rules, err := m.answers.learn(src, examples, step)
	if err != nil {
		return nil, err
	}
	return &PollBallot{mechanism: m, src: meter.Within(src, m.spend), rules: rules}, nil
}

// PollBallot answers cases. It holds the rules, which are secret.
type PollBallot struct {
	mechanism *Poll
	src       coin.Source
	rules     []Rule
	asked     uint64
}

// Answer is the noisy majority's label. A case without the columns of the class is refused and does
// not count: *param.Error (case).
func (b *PollBallot) Answer(p Point) (bool, error) {
	if err := checkCase(p, len(b.mechanism.answers.class.Sizes())); err != nil {
		return false, err
	}
	if b.asked == b.mechanism.queries {
		return false, ErrNoMore
	}
	b.asked++
	yes := 0
	for _, r := range b.rules {
		if r.Says(p) {
			yes++
		}
	}
	return b.vote(yes)
}

// vote says whether yeses and noise make more than half.
func (b *PollBallot) vote(yes int) (bool, error) {
	needed := int64(len(b.rules)/2 + 1)
	if b.mechanism.gaussian == nil {
		return meter.Draw(b.src, b.mechanism.vote,
			func() meter.Input { return meter.Input{Values: []int64{int64(yes)}} },
			func(src coin.Source) (bool, error) {
				return src.Bernoulli(b.mechanism.laplace.AtLeast(needed - int64(yes))), nil
			})
	}
	noisy, err := b.mechanism.gaussian.Release(b.src, []int64{int64(yes)}, nil)
	return err == nil && noisy[0] >= needed, err
}
