package mechanism

import (
	"math"

	"hush/core/coin"
	"hush/core/privacy"
)

// LargestErrorParams are LargestError's public parameters. Exactly one of Epsilon and Base is
// given.
type LargestErrorParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon
	// Base is r itself, in place of Epsilon: the loss is then ln r.
	Base coin.Base
}

// LargestError releases how far off the worst of many released answers is: one number that
// certifies all of them, whatever drew them.
//
// # Guarantee
//
// Pure ε-DP for neighbours that replace one person, n public, for a largest error that moves by at
// most 1 then, as that of any number of ranks or counts does once the answers are public, in any
// number of groups and tables. Proof: largesterror.md. That it moves so is the caller's to show
// (H: largesterror.md moves).
//
// # Input and output
//
// The error is a whole number of people, rounded up; the result is a whole number that may be
// negative. Every answer is off by at most [LargestError.Within] of it.
//
// # Errors
//
// [*param.Error] (epsilon, base) from the constructor.
//
// # Cost and accuracy
//
// One draw. In 95 of 100 releases, given all that was released before, no answer is off by more
// than Within says, which is about 2.3/ε above the truth.
//
// # Reference
//
// The noise is that of [Laplace]. A maximum of functions that move by at most 1 moves by at most 1:
// the argument of report noisy max (Dwork, Roth, 2014, Claim 3.9).
type LargestError struct{ laplace *Laplace }

// NewLargestError checks the parameters.
func NewLargestError(p LargestErrorParams) (*LargestError, error) {
	laplace, err := NewLaplace(LaplaceParams{Epsilon: p.Epsilon, Base: p.Base, L1Sensitivity: 1})
	if err != nil {
		return nil, err
	}
	return &LargestError{laplace}, nil
}

// Loss is the loss for data sets that differ in d persons.
func (m *LargestError) Loss(d privacy.Distance) (privacy.Loss, error) { return m.laplace.Loss(d) }

// Release returns an error with noise. The answers that the error is about were released before and
// no longer change, whatever Release returns (H: largesterror.md answers-first).
func (m *LargestError) Release(src coin.Source, largest int64) int64 {
	return m.laplace.AddTo(src, largest)
}

// Margin returns the smallest h such that the noise is below −h with a chance of at most beta.
func (m *LargestError) Margin(beta float64) int64 { return m.laplace.noise.boundBelow(beta) }

// Within bounds the error of every answer after Release returned released, with a chance of at
// least 1 − beta given all that was released before.
func (m *LargestError) Within(released int64, beta float64) int64 {
	margin := m.Margin(beta)
	if released = max(released, 0); released > math.MaxInt64-margin {
		return math.MaxInt64
	}
	return released + margin
}
