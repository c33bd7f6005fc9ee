package basic

import (
	"math/big"

	"hush/core/coin"
	"hush/core/privacy"
)

// CountParams are a Count's public parameters. Exactly one of Epsilon and Base is given.
type CountParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon
	// Base is r itself, in place of Epsilon: the loss is then ln r (2·ln r by group).
	Base coin.Base
	// Delta, where it is above 0, allows Gaussian noise; default 0.
	Delta privacy.Delta
	// Where is the condition a code must meet, a public function; nil: having a value.
	Where func(code uint64) bool
}

// Count releases the number of persons who have a value that meets a public condition.
//
// # Guarantee
//
// Pure ε-DP, or (ε, δ)-DP where Gaussian noise has the smaller proven error, for neighbours that
// replace one person, n public: one count moves by at most 1. A person with none meets no
// condition. Proof: sums.md, Theorems 1 and 3.
//
// # Input and output
//
// A count in persons with its 95 % interval, possibly negative.
//
// # Errors
//
// [*param.Error] (epsilon, base) from the parameters alone; step's error when cancelled.
//
// # Cost and accuracy
//
// O(n). Bounds are exact for the noise used.
//
// # Reference
//
// Ghosh, Roughgarden, Sundararajan, "Universally Utility-Maximizing Privacy Mechanisms", 2009.
type Count struct{ asked[Estimate] }

// NewCount checks the parameters.
func NewCount(p CountParams) (*Count, error) {
	a, err := newAsked[Estimate](count{p.Where}, grant(p.Epsilon, p.Base, p.Delta), 0, false)
	if err != nil {
		return nil, err
	}
	return &Count{a}, nil
}

type count struct {
	where func(code uint64) bool
}

// design: any person changes one count by at most 1.
func (c count) design(_ Kind, grouped bool) (design, bool) {
	return design{weights: []uint64{1}, within: 1, absent: 1, moves: moves(grouped, 1, 1)}, true
}

func (c count) add(t *tally, code uint64, ok bool, persons uint64) {
	if ok && (c.where == nil || c.where(code)) {
		t.chosen += persons
	}
}

func (c count) sums(t *tally, _ bool) []int64 { return []int64{saturate(bigOf(t.chosen))} }

func (c count) answer(n *Noise, _ bool, beta float64, noisy []int64) Estimate {
	return around(big.NewRat(noisy[0], 1), big.NewRat(n.ErrorBound(beta), 1), big.NewRat(1, 1))
}

func (c count) forecast(n *Noise, _ bool, _ int64) Forecast {
	return Forecast{Expected: n.ExpectedError(), Typical: n.ExpectedError(),
		Bound: float64(n.ErrorBound(Beta))}
}
