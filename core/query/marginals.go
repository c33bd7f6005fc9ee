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

	// Columns are those of the attributes; none: any person may have any attributes.
	Columns []Column

	// Width is the largest set of attributes counted, at least 1. Required. It is public, as the
	// number of attributes is (H: marginals.md public-class).
	Width int

	// Product takes the attributes as independent: only single attributes are counted, and a
	// conjunction is the product of their shares. Width is 1.
	Product bool
}

// Marginals counts each conjunction of up to Width attributes, with noise: the standard mechanism
// to compare with. Product derives all larger conjunctions from the single counts.
//
// # Guarantee
//
// Pure Epsilon-DP, or (Epsilon, Delta)-DP, for neighbours that differ in one replaced person, who
// changes each count by at most 1. Without Columns all may change; with them as many as two persons
// can have, whatever the records hold. Proof: marginals.md.
//
// # Errors
//
// [*param.Error] (epsilon, columns, width) from the constructor, (columns, width) from Release
// where the columns do not fit the records; width for more than 2^20 counts.
//
// # Cost and accuracy
//
// K = Σ (d choose j) counts of n/64 words each, of which M change, M = K without Columns. The noise
// on a count has about √2·M/ε persons; with a δ, about √(2M·ln(1/δ))/ε.
type Marginals struct {
	noise   noise
	columns []Column
	width   int
	product bool
}

var _ mechanism.Mechanism = (*Marginals)(nil)

const mostCounts = 1 << 20

// NewMarginals checks the parameters.
func NewMarginals(p MarginalsParams) (*Marginals, error) {
	switch {
	case !p.Epsilon.IsSet(): // H: marginals.md some-epsilon
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	case p.Width < 1: // H: marginals.md width
		return nil, refuse("width", strconv.Itoa(p.Width), "at least 1")
	case p.Product && p.Width != 1: // H: marginals.md width
		return nil, refuse("width", strconv.Itoa(p.Width), "1 for a product")
	}
	noise, err := newNoise(p.Epsilon, p.Delta)
	m := &Marginals{noise, p.Columns, p.Width, p.Product}
	if err != nil || p.Columns == nil {
		return m, err
	}
	size := sizeOf(p.Columns)
	columns, err := newPartition(size, p.Columns)
	if err != nil {
		return nil, err
	}
	if err := checkClass(size, p.Width); err != nil {
		return nil, err
	}
	m.noise, err = noise.priced(columns.moves(p.Width))
	return m, err
}

// Loss returns the loss of all counts together.
func (m *Marginals) Loss(d privacy.Distance) (privacy.Loss, error) {
	return m.noise.spend.Loss.Group(d)
}

// Release counts. step may be nil.
func (m *Marginals) Release(src coin.Source, records *Records, step coin.Step) (*Release, error) {
	if err := checkClass(records.Size(), m.width); err != nil {
		return nil, err
	}
	columns, err := newPartition(records.Size(), m.columns)
	if err != nil {
		return nil, err
	}
	if m.columns != nil {
		records = columns.fitted(records)
	}
	sets, having := subsets(records.Size(), m.width), newBitmaps(records)
	counts := make([]int64, len(sets))
	for i, s := range sets {
		if step != nil && i%1024 == 0 {
			if err := step(int64(i), int64(len(sets))); err != nil {
				return nil, err
			}
		}
		counts[i] = having.count(s)
	}
	noisy, stdDev, err := m.noise.add(src, counts, columns.moves(m.width), 1, step)
	if err != nil {
		return nil, err
	}
	method := ByMarginals
	if m.product {
		method = ByProduct
	}
	return &Release{Format: format, Method: method, Kind: Conjunctions, Size: records.Size(),
		Persons: records.Persons(), Loss: m.noise.spend.Loss, Origin: src.Origin(),
		Noise: stdDev, Width: m.width, Counts: noisy}, nil
}

// checkClass refuses a class of conjunctions that is too large to be listed.
func checkClass(size, width int) error {
	// H: marginals.md width
	if k := countSubsets(size, width); width > size || k.Cmp(big.NewInt(mostCounts)) > 0 {
		return refuse(
			"width", phrase.Of("%d of %d attributes, %s conjunctions", width, size, k.String()),
			"a width of at most the number of attributes, and at most 2^20 conjunctions")
	}
	return nil
}
