package mechanism

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// StableChoiceParams are the parameters of StableChoice. Exactly one of Epsilon and Base is given.
type StableChoiceParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon

	// Base is r itself, in place of Epsilon: the loss is then 2·ln r, or ln r if OneSigned.
	Base coin.Base

	// Delta is the δ granted. Above 0; required.
	Delta privacy.Delta

	// Newcomers is k: at most this many candidates are touched in one of two neighbours and not in
	// the other, and their scores there are at most 1. At least 1; required.
	Newcomers uint64

	// OneSigned says that between neighbours the scores of the candidates touched in both all move
	// one way, or not at all.
	OneSigned bool
}

// StableChoice chooses among the candidates that the data touches, or nothing (⊥), without looking
// at the others. It does what the choosing mechanism of the literature ([Choosing]) does, and needs
// about a quarter as many persons.
//
// A candidate of score q is chosen with probability proportional to r^q, ⊥ with a weight W =
// k·r·(1−δ)/δ, which a score reaches only when a good many persons stand behind it.
//
// # Guarantee
//
// (ε, δ)-DP for neighbours between which (i) the score of a candidate touched in both changes by at
// most 1 and (ii) at most Newcomers candidates are touched in one only, with scores of at most 1
// there; apart from δ of bounded range ([privacy.Loss.Ranged]). Exact: no weight is rounded. Proof:
// stable.md. (i) and (ii) are the caller's to show (H: stable.md common-moves, newcomers), and
// another try after ⊥ is another release (H: stable.md no-retry).
//
// # Input and output
//
// The whole scores of the touched candidates, higher is better, in an order that does not depend on
// the data otherwise (by value; H: stable.md order). The result is an index and true, or −1 and
// false for ⊥.
//
// # Errors
//
// [*param.Error] (epsilon, base, delta, newcomers) from the constructor; from Release only what
// step returns.
//
// # Cost and accuracy
//
// O(touched candidates). ⊥ has at most probability β once the best score is NeededScore(β); the
// score chosen is within ErrorBound(β) of the best.
//
// # Reference
//
// Beimel, Nissim, Stemmer, "Private Learning and Sanitization", 2013 (the choosing mechanism,
// Choosing). Differs: one draw, in which ⊥ is a candidate of constant score.
type StableChoice struct {
	rate      rate
	delta     *big.Rat
	unit      *big.Int // multiplicity of a candidate: δ's numerator
	nothing   *big.Int // multiplicity of ⊥ at score 1: k·(δ's denominator − numerator)
	newcomers uint64
	spend     *meter.Spend
}

// NewStableChoice checks the parameters.
func NewStableChoice(p StableChoiceParams) (*StableChoice, error) {
	if err := checkDelta(p.Delta); err != nil {
		return nil, err
	}
	if p.Newcomers == 0 { // H: stable.md some-newcomer
		return nil, refuse("newcomers", "0", "a whole number of at least 1")
	}
	rate, err := choiceRate(p.Epsilon, p.Base, 1, p.OneSigned)
	if err != nil {
		return nil, err
	}
	rate.ranged = true
	delta := p.Delta.Rat()
	nothing := new(big.Int).Sub(delta.Denom(), delta.Num())
	nothing.Mul(nothing, new(big.Int).SetUint64(p.Newcomers))
	return &StableChoice{rate: rate, delta: delta, unit: delta.Num(), nothing: nothing,
		newcomers: p.Newcomers, spend: rate.spend("stable choice", delta,
			meter.Claim{Each: 1, OneSigned: p.OneSigned, Newcomers: p.Newcomers})}, nil
}

// Base is r: a touched candidate has weight r^score.
func (m *StableChoice) Base() coin.Base { return m.rate.base }

// Loss is (ε, δ) for d = 1, and group privacy beyond.
func (m *StableChoice) Loss(d privacy.Distance) (privacy.Loss, error) {
	return m.rate.loss(d, m.delta)
}

// Release chooses one of the touched candidates, or none. step may be nil; it receives parts of the
// whole, since the number of touched candidates is private.
func (m *StableChoice) Release(src coin.Source, scores []int64,
	step coin.Step) (index int, chosen bool, err error) {
	return choose(src, m.spend, scores, func(src coin.Source) (pick, error) {
		i, err := src.Choose(&touched{scores, m}, m.rate.base, blind(step))
		if err != nil || i == len(scores) {
			return pick{-1, false}, err
		}
		return pick{i, true}, nil
	})
}

// pick is the candidate chosen, or nothing.
type pick struct {
	index  int
	chosen bool
}

// choose draws a pick from candidates that depend on the data; see [meter.Label].
func choose(src coin.Source, s *meter.Spend, scores []int64,
	draw func(coin.Source) (pick, error)) (index int, chosen bool, err error) {
	p, err := meter.Among(src, s, values(scores), draw, movePick)
	return p.index, p.chosen, err
}

// movePick translates an index for a replay.
func movePick(p pick, place func(int) (int, bool)) (pick, bool) {
	if !p.chosen {
		return p, true
	}
	at, ok := place(p.index)
	return pick{at, true}, ok
}

// touched lists the candidates and, last, ⊥. All weights are multiplied by δ's numerator, which
// makes them whole multiples of powers of r.
type touched struct {
	scores    []int64
	mechanism *StableChoice
}

func (t *touched) Len() int { return len(t.scores) + 1 }

func (t *touched) Group(i int) (int64, uint64, *big.Int) {
	score, many := int64(1), t.mechanism.nothing
	if i < len(t.scores) {
		score, many = t.scores[i], t.mechanism.unit
	}
	if many.IsUint64() {
		return ^score, many.Uint64(), nil // the fastest case for coin
	}
	return ^score, 0, many
}

// TypicalError estimates how far the score chosen is behind the best one (MadeUpScores).
func (m *StableChoice) TypicalError(s MadeUpScores) float64 { return s.behind(m.rate.base.Log()) }

// NeededScore returns the best score from which on ⊥ has probability at most beta: the smallest
// with W ≤ beta·(W + r^score).
func (m *StableChoice) NeededScore(beta float64) int64 {
	return ceilBound(1 + (m.logOdds()+math.Log1p(-beta)-math.Log(beta))/m.rate.base.Log())
}

// logOdds is ln(k·(1−δ)/δ): ⊥ weighs as much as a candidate of score 1 + logOdds/ln r.
func (m *StableChoice) logOdds() float64 { return logInt(m.nothing) - logInt(m.unit) }

// ErrorBound returns a t such that with probability at least 1 − beta the result is ⊥ or a
// candidate whose score is at least the best minus t, when this many candidates are touched: as for
// Exponential.
func (m *StableChoice) ErrorBound(beta float64, candidates *big.Int) int64 {
	return choiceErrorBound(m.rate.base, beta, candidates)
}
