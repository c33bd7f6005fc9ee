package selection

import (
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// AmplifyParams are the parameters of Amplify.
type AmplifyParams struct {
	// Loss covers one run of each candidate. Required, with an ε.
	Loss privacy.Loss

	// Dummies is the weight c of choosing nothing, 2 to 2^30; a result of the best possible score
	// has weight 1. Required.
	Dummies uint64

	// Base is r ≥ 1: a result that falls short of Best by s has weight r^(−s). With 1 all results
	// weigh the same.
	Base coin.Base

	// Best is the largest possible score; higher scores count as Best. Public.
	Best int64

	// Candidates is the number of candidates, from 1 to 2^20. Required, public.
	Candidates uint64
}

// Amplify runs each candidate once and chooses one of the results, or none, by the exponential
// mechanism.
//
// # Guarantee
//
// (ε*, (1+e^ε*)/(1+e^ε)·Candidates·δ)-DP, ε* = ε + max(ε, ln(c/(c−1))), for candidates that are (ε,
// δ)-DP per run: twice the loss of one run as soon as c ≥ e^ε/(e^ε − 1), whatever Base is.
// Neighbours replace one person. Proof: amplify.md.
//
// # Input and output
//
// A result with weight r^(−shortfall) is returned with probability weight/(c + sum of weights),
// nothing with c/(c + sum).
//
// # Errors
//
// [*param.Error] from the constructor for each field; (candidates) from [OnceEach] for another
// number of them; what a candidate or step returns.
//
// # Cost and accuracy
//
// One run of each candidate, a public number. Nothing is returned with probability at most c/(c − 1
// + expected sum of weights).
//
// # Reference
//
// Liu, Talwar, 2019, Appendix C, after Gupta, Ligett, McSherry, Roth, Talwar, 2010. Differs:
// c/(c−1) in place of (c+1)/(c−1).
type Amplify struct {
	spend      *meter.Spend
	run        *meter.Spend
	dummies    uint64
	base       coin.Base
	best       int64
	candidates uint64
}

// NewAmplify checks the parameters.
func NewAmplify(p AmplifyParams) (*Amplify, error) {
	one, err := oddsOf(p.Loss)
	switch {
	case err != nil:
		return nil, err
	case p.Dummies < 2 || p.Dummies > 1<<30: // H: amplify.md dummies
		return nil, refuse("dummies", countText(p.Dummies), "a whole number from 2 to 2^30")
	case p.Candidates == 0 || p.Candidates > 1<<20: // H: amplify.md as-announced
		return nil, refuse("candidates", countText(p.Candidates), "a whole number from 1 to 2^20")
	}
	total := one.times(ratOf(2))
	if against := big.NewRat(int64(p.Dummies), int64(p.Dummies-1)); one.up().Cmp(against) < 0 {
		total = one.plus(against)
	}
	loss, err := whole(one, total, p.Loss.Delta(), ratOf(int64(p.Candidates)))
	if err != nil {
		return nil, err // unreachable: ε and δ are not negative
	}
	run := runOf(p.Loss)
	spend := meter.Proved("each run once, of which one is chosen", "selection/amplify.md", loss,
		meter.Each(run.Loss, p.Candidates))
	return &Amplify{spend, run, p.Dummies, p.Base, p.Best, p.Candidates}, nil
}

// Loss is the loss of one selection for data sets that differ in d persons.
func (m *Amplify) Loss(d privacy.Distance) (privacy.Loss, error) { return m.spend.Loss.Group(d) }

// OnceEach runs each candidate once and chooses one of the results; found is false where it chose
// none. step may be nil; its units are candidates.
func OnceEach[T any](src coin.Source, m *Amplify, candidates []Candidate[T],
	step coin.Step) (result Scored[T], found bool, err error) {
	if uint64(len(candidates)) != m.candidates { // H: amplify.md as-announced
		return Scored[T]{}, false,
			refuse("candidates", countText(uint64(len(candidates))),
				"as many as were announced: %s", countText(m.candidates))
	}
	src = meter.Within(src, m.spend)
	results := make([]Scored[T], len(candidates))
	weights := shortfalls{dummies: m.dummies, each: make([]int64, len(candidates))}
	for i, candidate := range candidates {
		if step != nil {
			if err := step(int64(i), int64(len(candidates))); err != nil {
				return Scored[T]{}, false, err
			}
		}
		if results[i], err = once(src, m.run, candidate); err != nil {
			return Scored[T]{}, false, err
		}
		weights.each[i] = shortfall(m.best, results[i].Score)
	}
	chosen, err := src.Choose(weights, m.base, nil)
	if err != nil || chosen == len(candidates) {
		return Scored[T]{}, false, err
	}
	return results[chosen], true, nil
}

// shortfall returns best − score, from 0 to 2^61.
func shortfall(best, score int64) int64 {
	if score >= best {
		return 0
	}
	return int64(min(uint64(best)-uint64(score), 1<<61))
}

// shortfalls are the groups of results, with the dummies as the last group.
type shortfalls struct {
	dummies uint64
	each    []int64
}

func (s shortfalls) Len() int { return len(s.each) + 1 }

func (s shortfalls) Group(i int) (int64, uint64, *big.Int) {
	if i == len(s.each) {
		return 0, s.dummies, nil
	}
	return s.each[i], 1, nil
}
