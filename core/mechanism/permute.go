package mechanism

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// PermuteAndFlipParams are the parameters of PermuteAndFlip, the same as Exponential's.
type PermuteAndFlipParams struct {
	Epsilon privacy.Epsilon // the loss granted for one replaced person; this or Base
	// r itself: the loss is then 2·Sensitivity·ln r, or half of it if OneSigned
	Base coin.Base
	// how much any one score can change between neighbours; at least 1, required
	Sensitivity uint64
	OneSigned   bool // between neighbours either no score falls or no score rises
}

// PermuteAndFlip chooses one of finitely many candidates by score, never with a larger expected
// error than [Exponential].
//
// It visits the candidates in random order and takes the first whose coin of chance r^(score −
// best) shows heads.
//
// # Guarantee
//
// Pure ε-DP for neighbours between which no score changes by more than Sensitivity, the candidates
// being public. Proof: permute.md. Both are the caller's to show, and one way for all where
// OneSigned says it (H: exponential.md moves, one-way, public-candidates).
//
// # Input and output
//
// Whole scores, higher is better, in the order of the candidates; the result is the index chosen.
//
// # Errors
//
// [*param.Error] (epsilon, base, sensitivity) from the constructor, (candidates) from Release when
// there is none; else what step returns.
//
// # Cost and accuracy
//
// At most one coin per candidate, and memory for a permutation. ErrorBound is that of Exponential,
// and often half.
//
// # Reference
//
// McKenna, Sheldon, "Permute-and-Flip: A new mechanism for differentially private selection", 2020;
// Ding et al., "The permute-and-flip mechanism is identical to report-noisy-max with exponential
// noise", 2021. Differs: rational base.
type PermuteAndFlip struct {
	rate  rate
	spend *meter.Spend
}

// NewPermuteAndFlip checks the parameters.
func NewPermuteAndFlip(p PermuteAndFlipParams) (*PermuteAndFlip, error) {
	rate, err := choiceRate(p.Epsilon, p.Base, p.Sensitivity, p.OneSigned)
	if err != nil {
		return nil, err
	}
	return &PermuteAndFlip{rate, rate.spend("permute and flip", nil,
		meter.Claim{Each: p.Sensitivity, OneSigned: p.OneSigned})}, nil
}

// Loss is the loss for data sets that differ in d persons: d·ε.
func (m *PermuteAndFlip) Loss(d privacy.Distance) (privacy.Loss, error) {
	return m.rate.loss(d, nil)
}

// Release chooses one of len(scores) candidates. step may be nil; it can end the work but receives
// no progress, since the number of candidates visited is private.
func (m *PermuteAndFlip) Release(src coin.Source, scores []int64, step coin.Step) (int, error) {
	if len(scores) == 0 { // H: exponential.md some-candidate
		return -1, refuse("candidates", "none", "at least one")
	}
	return meter.Draw(src, m.spend, values(scores), func(src coin.Source) (int, error) {
		return m.release(src, scores, step)
	})
}

func (m *PermuteAndFlip) release(src coin.Source, scores []int64, step coin.Step) (int, error) {
	best := int64(math.MinInt64)
	order := make([]int, len(scores))
	for i, score := range scores {
		order[i], best = i, max(best, score)
	}
	for left := len(order); ; left-- {
		// the best candidate's coin always shows heads, so one is found
		if err := pauseBlind(step, len(order)-left); err != nil {
			return -1, err
		}
		at := src.Uniform(uint64(left))
		i := order[at]
		order[at] = order[left-1]
		// at most 2^64 − 1, also where int64 would overflow
		behind := uint64(best) - uint64(scores[i])
		if src.Bernoulli(coin.Ratio(1, 1).TimesPower(m.rate.base, behind)) {
			return i, nil
		}
	}
}

// TypicalError estimates how far the score chosen is behind the best one (MadeUpScores).
func (m *PermuteAndFlip) TypicalError(s MadeUpScores) float64 { return s.behind(m.rate.base.Log()) }

// ErrorBound returns a t such that with probability at least 1 − beta the score chosen is at least
// the best score minus t, for that many candidates: the bound of Exponential, which holds here too.
func (m *PermuteAndFlip) ErrorBound(beta float64, candidates *big.Int) int64 {
	return choiceErrorBound(m.rate.base, beta, candidates)
}
