package mechanism

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// ChoosingParams are the parameters of Choosing. Exactly one of Epsilon and Base is given.
type ChoosingParams struct {
	// Epsilon is the privacy loss granted for one replaced person, at most 2.
	Epsilon privacy.Epsilon

	// Base is r itself, in place of Epsilon: the loss is then 4·ln r, at most 2.
	Base coin.Base

	// Delta is the δ granted, at most 1/2. Above 0; required.
	Delta privacy.Delta

	// Newcomers is k, as in StableChoice: one person raises at most this many scores. At least 1;
	// required.
	Newcomers uint64

	// Beta is the failure probability, 0 < Beta < 1. It is part of the threshold and so of the
	// guarantee. Required.
	Beta *big.Rat
}

// Choosing is the choosing mechanism with the constants of the literature: a noisy test whether any
// score is high, then the exponential mechanism on the candidates touched. [StableChoice] does the
// same for about a quarter of the persons; this one stands beside it for comparison.
//
// # Guarantee
//
// (ε, δ)-DP for neighbours as in StableChoice, G being the candidates of score 1 or more. Proof:
// choosing.md. That neighbours are so is the caller's to show (H: choosing.md touched).
//
// # Input and output
//
// As StableChoice; only scores of at least 1 count as touched.
//
// # Errors
//
// [*param.Error] (epsilon, base, delta, newcomers, beta) from the constructor; from Release only
// what step returns.
//
// # Cost and accuracy
//
// O(touched candidates). With probability at least 1 − Beta the score chosen is at least the best
// minus ErrorBound, when the best is that high.
//
// # Reference
//
// Beimel, Nissim, Stemmer, "Private Learning and Sanitization", 2013; Bun, Nissim, Stemmer, Vadhan,
// "Differentially Private Release and Learning of Threshold Functions", 2015. Differs: discrete
// noise, the test is one coin, whole threshold rounded up.
type Choosing struct {
	rate      rate // of base e^(ε/4), moves 4
	noise     LaplaceNoise
	threshold int64
	delta     *big.Rat
	height    float64 // ln(4k/(β·ε·δ))
	spend     *meter.Spend
}

// NewChoosing checks the parameters. The threshold is (8/ε)·ln(4k/(β·ε·δ)), rounded up.
func NewChoosing(p ChoosingParams) (*Choosing, error) {
	if err := checkDelta(p.Delta); err != nil {
		return nil, err
	}
	rate, err := newRate(p.Epsilon, p.Base, 4)
	switch {
	case err != nil:
		return nil, err
	case rate.epsilon.Cmp(big.NewRat(2, 1)) > 0: // H: choosing.md loss-size
		return nil, refuse("epsilon", rate.epsilon.FloatString(6),
			"at most 2: the mechanism is proven up to there")
	case p.Delta.Rat().Cmp(big.NewRat(1, 2)) > 0: // H: choosing.md delta-size
		return nil, refuse("delta", p.Delta.String(), "at most 1/2")
	case p.Newcomers == 0: // H: choosing.md some-newcomer
		return nil, refuse("newcomers", "0", "a whole number of at least 1")
	case p.Beta == nil || p.Beta.Sign() <= 0 || p.Beta.Cmp(ratOf(1)) >= 0: // H: choosing.md beta
		return nil, refuse("beta", ratText(p.Beta), "a number above 0 and below 1")
	}
	noise, err := NewLaplaceNoise(rate.base)
	if err != nil {
		return nil, err // unreachable: r > 1
	}
	inside := new(big.Rat).Quo(ratOf(4), new(big.Rat).Mul(p.Beta, rate.epsilon))
	inside.Quo(inside, p.Delta.Rat()).Mul(inside, ratOf(p.Newcomers))
	height := privacy.LogUp(inside)
	threshold := new(big.Rat).Quo(height, privacy.LogDown(rate.base.Rat())) // 2/ln r is 8/ε
	threshold.Mul(threshold, ratOf(2))
	whole := new(big.Int).Add(new(big.Int).Div(threshold.Num(), threshold.Denom()), oneInt)
	if whole.BitLen() > 61 { // H: choosing.md height
		return nil, noThreshold(p.Delta)
	}
	display, _ := height.Float64()
	return &Choosing{rate: rate, noise: noise, threshold: whole.Int64(), delta: p.Delta.Rat(),
		height: display, spend: rate.spend("choosing mechanism", p.Delta.Rat(),
			meter.Claim{Each: 1, Newcomers: p.Newcomers})}, nil
}

// Loss is (ε, δ) for d = 1, and group privacy beyond.
func (m *Choosing) Loss(d privacy.Distance) (privacy.Loss, error) { return m.rate.loss(d, m.delta) }

// Release chooses one of the touched candidates, or none. step may be nil; it receives parts of the
// whole, since the number of touched candidates is private.
func (m *Choosing) Release(src coin.Source, scores []int64,
	step coin.Step) (index int, chosen bool, err error) {
	return choose(src, m.spend, scores, func(src coin.Source) (pick, error) {
		return m.release(src, scores, step)
	})
}

func (m *Choosing) release(src coin.Source, scores []int64, step coin.Step) (pick, error) {
	best := int64(0)
	for _, score := range scores {
		best = max(best, score)
	}
	if !src.Bernoulli(m.noise.AtLeast(m.threshold-best)) || best == 0 {
		return pick{-1, false}, nil
	}
	index, err := src.Choose(positive(scores), m.rate.base, blind(step))
	return pick{index, err == nil}, err
}

// positive lists the candidates with a score of 1 or more.
type positive []int64

func (p positive) Len() int { return len(p) }

func (p positive) Group(i int) (int64, uint64, *big.Int) {
	if p[i] < 1 {
		return 0, 0, nil
	}
	return ^p[i], 1, nil
}

// ErrorBound is the t of the literature: with probability at least 1 − Beta the score chosen is at
// least the best minus t = (16/ε)·ln(4kn/(β·ε·δ)), when the best is that high, for n persons.
func (m *Choosing) ErrorBound(n uint64) int64 {
	return ceilBound(4 * (m.height + math.Log(float64(max(n, 1)))) / m.rate.base.Log())
}
