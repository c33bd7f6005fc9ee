package basic

import (
	"math/big"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// MedianParams are a Median's public parameters.
type MedianParams struct {
	Epsilon privacy.Epsilon
	Size    *big.Int // the domain's number of values, at least 1
}

// Median releases a value with about as many rows below as above it.
//
// # Guarantee
//
// Pure ε-DP for neighbours that replace one person, n public: that of [mechanism.InteriorPoint],
// which draws a value of the whole public domain by the score min(#{persons ≤ x}, #{persons ≥ x}).
// Persons with none count on neither side. Proof: ../mechanism/interior.md.
//
// # Input and output
//
// One code of the domain; it need not occur in the data.
//
// # Errors
//
// [*param.Error] from the parameters alone; step's error when cancelled.
//
// # Cost and accuracy
//
// O(n), for a radix sort, or a table of counts where the domain is small, and for the groups. With
// probability 1 − β at least half the persons who have a value, less its ErrorBound(β), lie on
// either side of it.
//
// # Reference
//
// McSherry, Talwar, "Mechanism design via differential privacy", 2007, on grouped values.
type Median struct {
	choice *mechanism.InteriorPoint
	last   uint64 // of the domain
}

// NewMedian checks the parameters.
func NewMedian(p MedianParams) (*Median, error) {
	choice, err := mechanism.NewInteriorPoint(
		mechanism.InteriorPointParams{Epsilon: p.Epsilon, DomainSize: p.Size})
	if err != nil {
		return nil, err
	}
	return &Median{choice, new(big.Int).Sub(p.Size, oneInt).Uint64()}, nil
}

// Choice is the mechanism that draws the value: it states the loss and the error.
func (m *Median) Choice() *mechanism.InteriorPoint { return m.choice }

// Release sorts the codes and draws the value. A code beyond the domain counts as its last. It
// panics when the domain is larger than 2^64.
func (m *Median) Release(src coin.Source, values Values, step coin.Step) (uint64, error) {
	sets, err := gather(values, nil, 1, m.last, part(step, 0, 600))
	if err != nil {
		return 0, err
	}
	return m.choice.ReleaseCounted(src, sets[0].codes, sets[0].upTo, part(step, 600, progress))
}
