package mechanism

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// ExponentialParams are the parameters of Exponential. Exactly one of Epsilon and Base is given.
type ExponentialParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon

	// Base is r itself, in place of Epsilon: the loss is then 2·Sensitivity·ln r, or Sensitivity·ln
	// r if OneSigned.
	Base coin.Base

	// Sensitivity is how much any one score can change between neighbours, in units of the score.
	// At least 1; required.
	Sensitivity uint64

	// OneSigned says that between neighbours either no score falls or no score rises. Half the loss
	// then suffices for the same choice. This holds for counts when neighbours add or remove one
	// person, hardly ever when they replace one: Loss is for the neighbours for which it holds.
	OneSigned bool
}

// Exponential chooses one of finitely many candidates by score: candidate f with probability
// proportional to r^score(f).
//
// # Guarantee
//
// Pure ε-DP for neighbours between which no score changes by more than Sensitivity, the candidates
// being public, and of bounded range: [privacy.Loss.Ranged]. Proof: exponential.md. That scores
// move so, and one way where OneSigned says it, and that candidates are public, is the caller's to
// show (H: exponential.md moves, one-way, public-candidates).
//
// # Input and output
//
// Whole scores, higher is better, in the order of the candidates; the result is the index chosen.
// Scores that are not whole are floored first, on a scale where Sensitivity is whole: flooring
// keeps it.
//
// # Errors
//
// [*param.Error] (epsilon, base, sensitivity) from the constructor, (candidates) from Release when
// there is none; else what step returns.
//
// # Cost and accuracy
//
// O(number of candidates). With probability at least 1 − β the score is within ErrorBound(β) of the
// best.
//
// # Reference
//
// McSherry, Talwar, "Mechanism Design via Differential Privacy", 2007. Differs: exact weights of a
// rational base.
type Exponential struct {
	rate  rate
	spend *meter.Spend
}

// NewExponential checks the parameters.
func NewExponential(p ExponentialParams) (*Exponential, error) {
	rate, err := choiceRate(p.Epsilon, p.Base, p.Sensitivity, p.OneSigned)
	if err != nil {
		return nil, err
	}
	rate.ranged = true
	return &Exponential{rate, rate.spend("exponential mechanism", nil,
		meter.Claim{Each: p.Sensitivity, OneSigned: p.OneSigned})}, nil
}

// choiceRate returns the rate of a choice with weights r^score.
func choiceRate(epsilon privacy.Epsilon, base coin.Base, sensitivity uint64,
	oneSigned bool) (rate, error) {
	return choiceRateFor("", epsilon, base, sensitivity, oneSigned)
}

// choiceRateFor is choiceRate for fields with a suffix, as in newRateFor.
func choiceRateFor(suffix string, epsilon privacy.Epsilon, base coin.Base, sensitivity uint64,
	oneSigned bool) (rate, error) {
	// H: exponential.md some-move; above.md some-move
	if sensitivity == 0 || sensitivity > math.MaxInt64 {
		return rate{},
			refuse("sensitivity", new(big.Int).SetUint64(sensitivity).String(),
				"a whole number from 1 to 2^63 − 1")
	}
	if oneSigned {
		return newRateFor(suffix, epsilon, base, sensitivity)
	}
	return newRateFor(suffix, epsilon, base, 2*sensitivity)
}

// Base is r: a candidate has weight r^score.
func (m *Exponential) Base() coin.Base { return m.rate.base }

// Loss is the loss for data sets that differ in d persons: d·ε.
func (m *Exponential) Loss(d privacy.Distance) (privacy.Loss, error) { return m.rate.loss(d, nil) }

// Release chooses one of len(scores) candidates. step may be nil.
func (m *Exponential) Release(src coin.Source, scores []int64, step coin.Step) (int, error) {
	return m.ReleaseGroups(src, candidates(scores), step)
}

// ReleaseGroups chooses a group of candidates of equal score: Group returns the score (here higher
// is better) and the number of candidates in the group. The caller draws one of them uniformly.
func (m *Exponential) ReleaseGroups(src coin.Source, groups coin.Groups,
	step coin.Step) (int, error) {
	if groups.Len() == 0 { // H: exponential.md some-candidate
		return -1, refuse("candidates", "none", "at least one")
	}
	in := func() meter.Input {
		scores, many := scoresOf(groups)
		return meter.Input{Values: scores, Public: many}
	}
	return meter.Draw(src, m.spend, in, func(src coin.Source) (int, error) {
		return src.Choose(higherIsBetter{groups}, m.rate.base, step)
	})
}

// ErrorBound returns a t such that with probability at least 1 − beta the score chosen is at least
// the best score minus t, for that many candidates: t = ⌈ln(candidates/beta)/ln r⌉ − 1, in units of
// the score.
func (m *Exponential) ErrorBound(beta float64, candidates *big.Int) int64 {
	return choiceErrorBound(m.rate.base, beta, candidates)
}

// TypicalError estimates how far the score chosen is behind the best one (MadeUpScores).
func (m *Exponential) TypicalError(s MadeUpScores) float64 { return s.behind(m.rate.base.Log()) }

// choiceErrorBound is ErrorBound for the base r: the candidates with a score below best − t, at
// most all, weigh at most r^(−t−1) each, against 1 for the best.
func choiceErrorBound(r coin.Base, beta float64, candidates *big.Int) int64 {
	if candidates.Cmp(oneInt) <= 0 {
		return 0
	}
	return ceilBound((logInt(candidates)-math.Log(beta))/r.Log() - 1)
}

// candidates are scores of one candidate each.
type candidates []int64

func (c candidates) Len() int                              { return len(c) }
func (c candidates) Group(i int) (int64, uint64, *big.Int) { return c[i], 1, nil }

// scoresOf lists the scores of groups and, unless each has one candidate, the numbers of
// candidates.
func scoresOf(groups coin.Groups) (scores []int64, many string) {
	if list, ok := groups.(candidates); ok {
		return list, ""
	}
	var text strings.Builder
	for i := range groups.Len() {
		score, m, large := groups.Group(i)
		scores = append(scores, score)
		fmt.Fprint(&text, m, large, " ")
	}
	return scores, text.String()
}

// higherIsBetter inverts scores for coin, where lower is better. The complement −1 − score does so
// without overflow, and only differences count.
type higherIsBetter struct{ coin.Groups }

func (h higherIsBetter) Group(i int) (int64, uint64, *big.Int) {
	score, m, many := h.Groups.Group(i)
	return ^score, m, many
}
