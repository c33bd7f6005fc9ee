package mechanism

import (
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// NoisyMaxParams are the parameters of NoisyMax. Exactly one of Epsilon and Base is given.
type NoisyMaxParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon

	// Base is r itself, in place of Epsilon: the loss is then 2·ln r.
	Base coin.Base

	// Delta is the δ granted. Above 0; required.
	Delta privacy.Delta

	// Newcomers is k, as in StableChoice. At least 1; required.
	Newcomers uint64
}

// NoisyMax chooses among the candidates that the data touches, or nothing (⊥): each gets its score
// plus noise, ⊥ gets a threshold plus noise, and the largest wins, ties going to ⊥ and then to the
// earlier candidate.
//
// # Guarantee
//
// (ε, δ)-DP for neighbours as in [StableChoice]. The threshold is the smallest for which the δ
// proven is at most Delta; Loss gives the δ proven. Proof: noisymax.md.
//
// # Input and output
//
// The whole scores of the touched candidates, higher is better, from −2^61 to 2^61, in an order
// that does not depend on the data otherwise (by value). The result is an index and true, or −1 and
// false for ⊥.
//
// # Errors
//
// [*param.Error] (epsilon, base, delta, newcomers) from the constructor; from Release only what
// step returns.
//
// # Cost and accuracy
//
// O(touched candidates): one coin each, and a draw for each that takes the lead. With probability
// at least 1 − β the score chosen is within ErrorBound(β, candidates) of the best or of Threshold.
//
// # Reference
//
// Dwork, Roth, "The Algorithmic Foundations of Differential Privacy", 2014, Section 3.3 (report
// noisy max). Differs: a noisy threshold in place of untouched candidates, discrete noise with its
// own tails, strict comparison with the leader.
type NoisyMax struct {
	rate      rate
	noise     LaplaceNoise
	threshold int64
	delta     *big.Rat
	spend     *meter.Spend
}

// NewNoisyMax checks the parameters and finds the threshold.
func NewNoisyMax(p NoisyMaxParams) (*NoisyMax, error) {
	if err := checkDelta(p.Delta); err != nil {
		return nil, err
	}
	if p.Newcomers == 0 {
		return nil, refuse("newcomers", "0", "a whole number of at least 1")
	}
	rate, err := newRate(p.Epsilon, p.Base, 2)
	if err != nil {
		return nil, err
	}
	if err := rate.checkScale(); err != nil {
		return nil, err
	}
	noise, err := NewLaplaceNoise(rate.base)
	if err != nil {
		return nil, err // unreachable: r > 1
	}
	m := &NoisyMax{rate: rate, noise: noise}
	// A newcomer of score 1 leads ⊥ when Z1 − Z2 ≥ threshold; k newcomers on either side, one side
	// at e^ε.
	q := new(big.Rat).Inv(rate.base.Rat())
	odds := rate.base.Pow(2).Rat()
	factor := odds.Add(odds, ratOf(1)).Mul(odds, ratOf(p.Newcomers))
	deltaAt := func(threshold int64) *big.Rat {
		return new(big.Rat).Mul(factor, equalDifferenceUp(rate.base, q, threshold))
	}
	m.threshold = smallest(func(s int64) bool { return deltaAt(s).Cmp(p.Delta.Rat()) <= 0 })
	if m.threshold > 1<<60 {
		return nil, noThreshold(p.Delta)
	}
	m.delta = deltaAt(m.threshold)
	m.spend = rate.spend("noisy maximum", m.delta,
		meter.Claim{Each: 1, Newcomers: p.Newcomers})
	return m, nil
}

// Loss is (ε, δ) for d = 1, with the δ of the threshold, and group privacy beyond.
func (m *NoisyMax) Loss(d privacy.Distance) (privacy.Loss, error) { return m.rate.loss(d, m.delta) }

// Threshold is the score of ⊥.
func (m *NoisyMax) Threshold() int64 { return m.threshold }

// leader is the noisy maximum so far: its noisy score and index, −1 for ⊥.
type leader struct {
	height int64
	index  int
}

// Release chooses one of the touched candidates, or none. step may be nil. It can end the work but
// learns no progress, since how many candidates are touched is private.
func (m *NoisyMax) Release(src coin.Source, scores []int64,
	step coin.Step) (index int, chosen bool, err error) {
	return choose(src, m.spend, scores, func(src coin.Source) (pick, error) {
		return m.release(src, scores, step)
	})
}

func (m *NoisyMax) release(src coin.Source, scores []int64, step coin.Step) (pick, error) {
	lead := m.start(src)
	for i, score := range scores {
		if err := pauseBlind(step, i); err != nil {
			return pick{-1, false}, err
		}
		lead = m.challenge(src, lead, i, score)
	}
	return pick{lead.index, lead.index >= 0}, nil
}

// start is ⊥ with its own noise.
func (m *NoisyMax) start(src coin.Source) leader {
	return leader{within(m.noise.AddTo(src, m.threshold)), -1}
}

// challenge lets candidate i take the lead if its noisy score is above the leader's.
//
// Where it is behind, one coin decides whether its noise makes up for it, and only then how far it
// gets: given that the noise is at least s ≥ 0, it is s + Geometric(r).
func (m *NoisyMax) challenge(src coin.Source, lead leader, i int, score int64) leader {
	score = within(score)
	needed := lead.height + 1
	height := int64(0)
	switch behind := needed - score; {
	case behind < 0:
		if height = m.noise.AddTo(src, score); height < needed {
			return lead
		}
	case !src.Bernoulli(m.noise.AtLeast(behind)):
		return lead
	default:
		height = addSaturating(needed, src.Geometric(m.rate.base))
	}
	return leader{within(height), i}
}

// within keeps a score where no difference overflows.
func within(score int64) int64 { return min(max(score, -1<<61), 1<<61) }
