package density

import (
	"math/big"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// PrivTreeParams are the parameters of PrivTree.
type PrivTreeParams struct {
	// Epsilon is the privacy loss granted for one replaced person. At least 2^-50.
	Epsilon privacy.Epsilon

	// Size is the number of values of the domain. Required.
	Size *big.Int

	// Persons is n, the public number of persons with or without a value. From 1 to 2^40; required.
	Persons uint64

	// Beta is the probability with which the bands may miss; 0 stands for 0.05.
	Beta float64
}

// PrivTree halves the domain, and its parts again, where there are many persons, and counts the
// persons in the cells that remain: fine where the data are dense, however large the domain is.
//
// # Guarantee
//
// Pure ε-DP for neighbours that differ in one replaced person, n public. 3/8 of ε is for the shape
// of the tree, whatever its depth, and the rest for the counts. Proof: privtree.md.
//
// # Input and output
//
// As [MERR].
//
// # Errors
//
// [*param.Error] (epsilon, size, persons, beta) from the constructor, (codes) from Release; else
// what step returns.
//
// # Cost and accuracy
//
// A coin for each node, and a tree of counts over the cells. A cell holds about n/1024 persons, or
// its depth times the decay, whichever is more; ErrorAnywhere bounds what a count inside of one is
// off by. Nodes deeper than 128 levels are not split.
//
// # Reference
//
// Zhang, Xiao, Xie, "PrivTree: A Differentially Private Algorithm for Hierarchical Decompositions",
// 2016. Differs: discrete noise and replaced persons, for which the shape costs less than by
// doubling; a decay in whole persons, which may be smaller; the cells are counted by a [Hierarchy].
type PrivTree struct {
	size    *big.Int
	bits    int
	persons int64
	beta    float64
	shape   *growth
	epsilon privacy.Epsilon
	counts  privacy.Epsilon
	levels  int     // of the counts of as many cells as there may be
	within  float64 // for them
	loss    privacy.Loss
	spend   *meter.Spend
}

var _ Everywhere = (*PrivTree)(nil)

const (
	deepest   = 128     // levels of a shape
	mostGrown = 1 << 20 // cells
	ofShape   = 6       // sixteenths of ε
)

// NewPrivTree checks the parameters and divides the budget.
func NewPrivTree(p PrivTreeParams) (*PrivTree, error) {
	if err := checkCommon(p.Epsilon, p.Size, p.Persons, p.Beta); err != nil {
		return nil, err
	}
	if p.Epsilon.Rat().Cmp(big.NewRat(1, 1<<50)) < 0 { // H: privtree.md fine
		return nil, refuse("epsilon", p.Epsilon.String(), "at least 2^-50")
	}
	t := &PrivTree{size: new(big.Int).Set(p.Size), bits: bitsOf(p.Size), persons: int64(p.Persons),
		beta: betaOr(p.Beta), counts: p.Epsilon.Part(sixteenths-ofShape, sixteenths)}
	t.epsilon = p.Epsilon
	depth := min(t.bits, deepest)
	r, decay := suited(p.Epsilon.Part(ofShape, sixteenths), depth)
	var err error
	threshold := max(min(t.persons>>10, 48*decay), t.persons>>13)
	if t.shape, err = newGrowth(r, decay, threshold, depth, mostGrown); err != nil {
		return nil, err
	}
	t.shape.most = int(min(t.shape.grows(t.persons, t.beta/4), mostGrown))
	widest := t.over(make([]*big.Int, t.shape.most+1))
	if err := widest.plant(t.counts); err != nil {
		return nil, err
	}
	t.levels, t.within = widest.levels, widest.within()
	return t, t.price(p.Epsilon)
}

// price adds the prices of the shape and the counts. The counts are priced as one level: with more
// levels their noise is larger, so that they cost no more.
func (t *PrivTree) price(epsilon privacy.Epsilon) error {
	counts, err := mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: t.counts, L1Sensitivity: 2, LargestMove: 1})
	if err != nil {
		return err
	}
	loss, err := counts.Loss(1)
	if err != nil {
		return err
	}
	t.spend = meter.Sum("PrivTree", meter.Once(t.shape.spend.Loss), meter.Once(loss))
	t.loss = t.spend.Loss.Raised(epsilon, privacy.Delta{})
	return nil
}

// over is the tree of counts over cells, not yet planted.
func (t *PrivTree) over(bounds []*big.Int) *Hierarchy {
	return &Hierarchy{bounds: bounds, bits: t.bits, persons: t.persons, beta: t.beta / 2}
}

// Name is "PrivTree".
func (t *PrivTree) Name() phrase.Phrase { return phrase.Of("PrivTree") }

// Loss is ε for d = 1, and group privacy beyond.
func (t *PrivTree) Loss(d privacy.Distance) (privacy.Loss, error) { return t.loss.Group(d) }

// Forecast is what is known beforehand.
func (t *PrivTree) Forecast() Forecast {
	return Forecast{Cells: t.shape.most, Within: t.within, Anywhere: t.ErrorAnywhere(),
		Typical: typicalSparse(t.epsilon.Float64(), float64(t.persons))}
}

// Persons returns n.
func (t *PrivTree) Persons() int64 { return t.persons }

// ErrorAnywhere adds the number of persons that a cell may hold, where all may be split down to
// single values.
func (t *PrivTree) ErrorAnywhere() float64 {
	n := float64(t.persons)
	if t.shape.depth < t.bits || t.shape.most == mostGrown {
		return n
	}
	return min(n, t.within+t.shape.holds(t.persons, t.beta/4))
}

// Release learns the distribution.
func (t *PrivTree) Release(src coin.Source, codes domain.Sorted,
	step coin.Step) (*Distribution, error) {
	if err := checkCodes(codes, t.bits); err != nil {
		return nil, err
	}
	src = meter.Within(src, t.spend)
	bounds, err := t.shape.cells(src, codes, t.size, step)
	if err != nil {
		return nil, err
	}
	counts := t.over(bounds)
	if err := counts.plant(t.counts); err != nil {
		return nil, err
	}
	if counts.within() > t.within {
		// with fewer cells the depth for most cells is off by no more than for them
		counts.levels = t.levels
		if err := counts.plant(t.counts); err != nil {
			return nil, err // unreachable: such a tree was planted before
		}
	}
	d, err := counts.Release(src, codes, step)
	if err != nil {
		return nil, err
	}
	d.method = t.Name()
	return d, nil
}

// Everywhere is a [Learner] that bounds its error between the ends of its cells, too.
type Everywhere interface {
	Learner

	// ErrorAnywhere is a number of persons by which, with probability 1 − Beta, no count at any
	// value is off.
	ErrorAnywhere() float64

	// Persons is n.
	Persons() int64
}
