package query

import (
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// MarginalsParams are the parameters of Marginals.
type MarginalsParams struct {
	Epsilon privacy.Epsilon // the privacy loss granted; required
	Delta   privacy.Delta   // 0 is Laplace noise, else Gaussian

	// Width is the largest set of attributes counted, at least 1. Required.
	Width int

	// Product takes the attributes as independent: only single attributes are counted, and a
	// conjunction is the product of their shares. Width is 1.
	Product bool
}

// Marginals counts each conjunction of up to Width attributes, with noise: the standard mechanism
// to compare with. Product takes all larger ones from single counts.
//
// # Guarantee
//
// Pure Epsilon-DP, or (Epsilon, Delta)-DP, for neighbours that differ in one replaced person. The
// counts together change by at most their number in L1, and its root in L2. Proof: marginals.md.
//
// # Errors
//
// [*param.Error] (epsilon, width) from the constructor, (width) from Release for more than 2^20
// counts.
//
// # Cost and accuracy
//
// K = Σ (d choose j) counts of n/64 words each. The noise on a count has about √2·K/ε persons; with
// a δ, about √(2K·ln(1/δ))/ε.
type Marginals struct {
	noise   noise
	width   int
	product bool
	loss    privacy.Loss
}

var _ mechanism.Mechanism = (*Marginals)(nil)

const mostCounts = 1 << 20

// NewMarginals checks the parameters.
func NewMarginals(p MarginalsParams) (*Marginals, error) {
	switch {
	case !p.Epsilon.IsSet():
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	case p.Width < 1:
		return nil, refuse("width", strconv.Itoa(p.Width), "at least 1")
	case p.Product && p.Width != 1:
		return nil, refuse("width", strconv.Itoa(p.Width), "1 for a product")
	}
	noise, err := newNoise(p.Epsilon, p.Delta)
	return &Marginals{noise, p.Width, p.Product, privacy.ApproximateLoss(p.Epsilon, p.Delta)}, err
}

// Loss is that of all counts together.
func (m *Marginals) Loss(d privacy.Distance) (privacy.Loss, error) { return m.loss.Group(d) }

// Release counts. step may be nil.
func (m *Marginals) Release(src coin.Source, records *Records, step coin.Step) (*Release, error) {
	if err := checkClass(records.Size(), m.width); err != nil {
		return nil, err
	}
	sets, columns := subsets(records.Size(), m.width), newColumns(records)
	counts := make([]int64, len(sets))
	for i, s := range sets {
		if step != nil && i%1024 == 0 {
			if err := step(int64(i), int64(len(sets))); err != nil {
				return nil, err
			}
		}
		counts[i] = columns.count(s)
	}
	noisy, stdDev, err := m.noise.add(src, counts, 1, step)
	if err != nil {
		return nil, err
	}
	method := ByMarginals
	if m.product {
		method = ByProduct
	}
	return &Release{Format: format, Method: method, Kind: Conjunctions, Size: records.Size(),
		Persons: records.Persons(), Loss: m.loss, Origin: src.Origin(),
		Noise: stdDev, Width: m.width, Counts: noisy}, nil
}

// checkClass refuses a class of conjunctions that is too large to be listed.
func checkClass(size, width int) error {
	if k := countSubsets(size, width); width > size || k.Cmp(big.NewInt(mostCounts)) > 0 {
		return refuse(
			"width", phrase.Of("%d of %d attributes, %s conjunctions", width, size, k.String()),
			"a width of at most the number of attributes, and at most 2^20 conjunctions")
	}
	return nil
}
