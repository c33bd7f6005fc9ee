package basic

import (
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// MaxBounds is the size of the largest domain from which UpperBound chooses.
const MaxBounds = 1 << 16

// UpperBoundParams are the public parameters of UpperBound. Exactly one of Epsilon and Base is
// given.
type UpperBoundParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon
	// Base is r itself, in place of Epsilon: the loss is then ln r.
	Base coin.Base
	// Size is the domain's number of values, 1 to MaxBounds.
	Size uint64
}

// UpperBound releases a small value that hardly anybody exceeds: a bound for other questions where
// none is publicly known, such as the most rows of a person that count.
//
// # Guarantee
//
// Pure ε-DP, and of bounded range ([privacy.Loss.Ranged]), for neighbours that replace one person,
// n public. The code v is chosen with a chance proportional to w(v)·r^−(persons beyond v), w(v)
// about 1/(v+1)³ and public. A replaced person moves the numbers of persons beyond all codes one
// way, so that the whole ε weighs a person. Proof: upperbound.md.
//
// # Input and output
//
// One code of the domain. Persons with none exceed nothing. A code beyond the last counts as the
// last.
//
// # Errors
//
// [*param.Error] (epsilon, base, size) from the parameters alone; step's error when cancelled.
//
// # Cost and accuracy
//
// O(n + Size). Compared with any code v, the chosen one is exceeded by more than t persons more
// with a chance below 1.21·(v+1)³·r^(−t−1); ErrorBound is that for the last code, which nobody
// exceeds. Codes beyond what anybody has are seldom chosen, however many there are: one twice as
// high is eight times less likely.
//
// # Reference
//
// McSherry, Talwar, "Mechanism Design via Differential Privacy", 2007, with a base measure over the
// candidates.
type UpperBound struct {
	choice *mechanism.Exponential
	size   uint64
}

// NewUpperBound checks the parameters.
func NewUpperBound(p UpperBoundParams) (*UpperBound, error) {
	if p.Size < 1 || p.Size > MaxBounds { // H: upperbound.md domain
		return nil, refuse("size", strconv.FormatUint(p.Size, 10), "1 to %d values", MaxBounds)
	}
	if err := oneOf(p.Epsilon, p.Base); err != nil { // H: upperbound.md one-loss
		return nil, err
	}
	choice, err := mechanism.NewExponential(mechanism.ExponentialParams{Epsilon: p.Epsilon,
		Base: p.Base, Sensitivity: 1, OneSigned: true})
	if err != nil {
		return nil, err
	}
	return &UpperBound{choice, p.Size}, nil
}

// Loss returns the loss for data sets that differ in d persons.
func (b *UpperBound) Loss(d privacy.Distance) (privacy.Loss, error) { return b.choice.Loss(d) }

// Release chooses a code.
func (b *UpperBound) Release(src coin.Source, values Values, step coin.Step) (uint64, error) {
	// H: upperbound.md in-codes
	sets, err := gather(values, nil, 1, b.size-1, part(step, 0, progress/2))
	if err != nil {
		return 0, err
	}
	code, err := b.choice.ReleaseGroups(src, b.beyond(sets[0]), part(step, progress/2, progress))
	return uint64(code), err
}

// beyond returns, for each code, minus the number of persons beyond it.
func (b *UpperBound) beyond(line *codeLine) bounds {
	scores, k, n := make(bounds, b.size), 0, int64(0)
	if len(line.upTo) > 0 {
		n = line.upTo[len(line.upTo)-1]
	}
	for v := range scores {
		for k < len(line.codes) && line.codes[k] <= uint64(v) {
			k++
		}
		if scores[v] = -n; k > 0 {
			scores[v] += line.upTo[k-1]
		}
	}
	return scores
}

// bounds returns the scores of all codes.
type bounds []int64

func (s bounds) Len() int                              { return len(s) }
func (s bounds) Group(v int) (int64, uint64, *big.Int) { return s[v], boundWeight(uint64(v)), nil }

// boundWeight returns w of a code: ⌊2^60/(v+1)³⌋, at least 2^12.
func boundWeight(v uint64) uint64 { return 1 << 60 / ((v + 1) * (v + 1) * (v + 1)) }

// ErrorBound returns a number of persons that, with a chance of at least 1 − beta, at most exceed
// the chosen code, whatever the data are.
func (b *UpperBound) ErrorBound(beta float64) int64 {
	all := new(big.Int)
	for v := range b.size {
		all.Add(all, bigOf(boundWeight(v)))
	}
	last := bigOf(boundWeight(b.size - 1))
	return b.choice.ErrorBound(beta, all.Add(all, last).Quo(all, last)) // rounded up, or one more
}

// TypicalError returns about how many persons exceed the chosen code: an eighth of the bound that
// holds in 95 of 100 cases, as measured (upperbound.md).
func (b *UpperBound) TypicalError() float64 { return float64(b.ErrorBound(Beta)) / 8 }
