package density

import (
	"math/big"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/threshold"
)

// QuantileTreeParams are the parameters of QuantileTree, which are the parameters of
// threshold.Quantiles.
type QuantileTreeParams struct {
	// Epsilon and Delta are the privacy loss granted for one replaced person. Delta may be 0.
	Epsilon privacy.Epsilon
	Delta   privacy.Delta

	// Size is the number of values of the domain. Required.
	Size *big.Int

	// Persons is n, the public number of persons with or without a value. From 1 to 2^40; required.
	Persons uint64

	// Depth is that of the tree, from 1 to 16; 0 stands for one chosen from the other parameters.
	Depth int

	// Beta is the probability with which the bands may miss; 0 stands for 0.05.
	Beta float64
}

// QuantileTree cuts the domain, and its parts again, at private interior points, and counts the
// persons between: [threshold.Quantiles] as a [Learner].
//
// # Guarantee
//
// (ε, δ)-DP for neighbours that differ in one replaced person, n public: that of
// threshold.Quantiles. Proof: ../threshold/quantiles.md.
//
// # Input and output
//
// As [MERR].
//
// # Errors
//
// [*param.Error] (epsilon, delta, size, persons, beta, depth) from the constructor, (codes) from
// Release; else what step returns.
//
// # Cost and accuracy
//
// 2^Depth − 1 cuts; cells have about n·2^−Depth persons each, whatever the domain is.
//
// # Reference
//
// Kaplan, Schnapp, Stemmer, "Differentially Private Approximate Quantiles", 2022.
type QuantileTree struct {
	tree    *threshold.Quantiles
	size    *big.Int
	persons float64
}

var _ Learner = (*QuantileTree)(nil)

// NewQuantileTree checks the parameters.
func NewQuantileTree(p QuantileTreeParams) (*QuantileTree, error) {
	if err := checkCommon(p.Epsilon, p.Size, p.Persons, p.Beta); err != nil {
		return nil, err
	}
	tree, err := threshold.NewQuantiles(threshold.QuantilesParams{
		Epsilon: p.Epsilon, Delta: p.Delta, Size: p.Size, Persons: p.Persons, Beta: betaOr(p.Beta),
		Depth: p.Depth,
	})
	if err != nil {
		return nil, err
	}
	return &QuantileTree{tree, new(big.Int).Set(p.Size), float64(p.Persons)}, nil
}

// Name is "quantile tree".
func (q *QuantileTree) Name() phrase.Phrase { return phrase.Of("quantile tree") }

// Loss is (ε, δ) for d = 1, and group privacy beyond.
func (q *QuantileTree) Loss(d privacy.Distance) (privacy.Loss, error) { return q.tree.Loss(d) }

// Forecast is what is known beforehand.
func (q *QuantileTree) Forecast() Forecast {
	return Forecast{Cells: 2<<q.tree.Depth() - 1, Within: q.tree.NoiseBound(),
		Anywhere: min(q.persons, q.tree.ErrorBound()),
		Typical:  q.tree.TypicalError(int64(q.persons))}
}

// Release learns the distribution.
func (q *QuantileTree) Release(src coin.Source, codes domain.Sorted,
	step coin.Step) (*Distribution, error) {
	cdf, err := q.tree.Release(src, codes, step)
	if err != nil {
		return nil, err
	}
	bounds, mass := []*big.Int{new(big.Int)}, []float64{}
	reached := 0.0
	add := func(b *big.Int, upTo float64) {
		if upTo = min(max(upTo, reached), q.persons); b.Cmp(bounds[len(bounds)-1]) > 0 {
			bounds, mass = append(bounds, b), append(mass, upTo-reached)
			reached = upTo
		}
	}
	for i, x := range cdf.Points() {
		below, upTo := cdf.At(i)
		add(x, below)
		add(new(big.Int).Add(x, oneInt), upTo)
	}
	add(q.size, cdf.Total())
	d := newDistribution(bounds, mass, q.persons, q.Name())
	d.band = bandAround(d, q.tree.NoiseBound())
	return d, nil
}
