package threshold

import (
	"fmt"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// RanksParams are the parameters of Ranks.
type RanksParams struct {
	// Finder finds one point: it is called once for each part. Required.
	Finder Finder

	// Size is the number of values of the domain, which is that of the Finder. Required.
	Size *big.Int

	// Parts are the parts of the persons that shall lie below, ascending, between 0 and 1: 1/2 for
	// the median. At most 100; required.
	Parts []*big.Rat
}

// Ranks finds quantiles in a domain of any size: for each part an interior point of the codes
// around its place.
//
// # Guarantee
//
// The [Finder]'s loss as often as there are parts, for neighbours that differ in one replaced
// person, n public. Proof: ranks.md.
//
// # Input and output
//
// As [TreeLog]; a value for each part, ascending.
//
// # Errors
//
// [*param.Error] (finder, size, parts) from the constructor, (codes) from Release for codes of
// another number of bits.
//
// # Cost and accuracy
//
// That of the Finder on as many codes as it needs, for each part. With the Finder's probability for
// each value, no more than ErrorBound persons are on the wrong side of it, however many share a
// value.
//
// # Reference
//
// Kaplan, Schnapp, Stemmer, "Differentially Private Approximate Quantiles", 2022, begins with one
// call for each quantile. Differs: windows of a fixed number of codes, so that interior points of
// any algorithm do. Their tree of calls saves loss, and adds up errors: it is the better one for
// more than about 90 parts.
type Ranks struct {
	finder Finder
	last   *big.Int
	bits   int
	parts  []*big.Rat
	spend  *meter.Spend
}

var _ mechanism.Mechanism = (*Ranks)(nil)

const maxParts = 100

// NewRanks checks the parameters.
func NewRanks(p RanksParams) (*Ranks, error) {
	bitLength, err := checkSize(p.Size)
	if err != nil {
		return nil, err
	}
	if p.Finder == nil {
		return nil, refuse("finder", param.NotSet, "a Finder for the domain")
	}
	if len(p.Parts) == 0 || len(p.Parts) > maxParts {
		return nil, refuse("parts", fmt.Sprint(len(p.Parts)), "1 to %d of them", maxParts)
	}
	r := &Ranks{finder: p.Finder, last: new(big.Int).Sub(p.Size, oneInt), bits: bitLength}
	for i, part := range p.Parts {
		if part.Sign() <= 0 || part.Cmp(ratOf(1)) >= 0 || i > 0 && part.Cmp(p.Parts[i-1]) <= 0 {
			return nil, refuse("parts", part.RatString(), "ascending numbers above 0 and below 1")
		}
		r.parts = append(r.parts, new(big.Rat).Set(part))
	}
	each, err := r.finder.Loss(1)
	r.spend = meter.Sum("ranks", meter.Each(each, uint64(len(r.parts))))
	return r, err
}

// Loss is the Finder's, added up.
func (r *Ranks) Loss(d privacy.Distance) (privacy.Loss, error) {
	return r.spend.Loss.Group(d)
}

// ErrorBound is a number of persons such that, but for the Finder's probability of failure for each
// value, with w persons who have a value and a part q: at least q·w − ErrorBound of them are at or
// below the value, and at least (1 − q)·w − ErrorBound at or above it.
func (r *Ranks) ErrorBound() int { return (r.finder.Needs() + 1) / 2 }

// TypicalError is about how many persons the value that is furthest off is away from its place, of
// this many: a rule of thumb.
func (r *Ranks) TypicalError(persons int64) float64 {
	return min(r.finder.TypicalError(persons)*furthest(len(r.parts)), float64(persons)/2)
}

// furthest is about how many times the mean error the largest of this many is: the mean of the
// largest of independent exponential ones.
func furthest(of int) (times float64) {
	for i := range of {
		times += 1 / float64(i+1)
	}
	return times
}

// Release finds the values.
func (r *Ranks) Release(src coin.Source, codes domain.Sorted, step coin.Step) ([]*big.Int, error) {
	if codes.Bits() != r.bits {
		return nil, refuse("codes", phrase.Of("%d bits long", codes.Bits()), "codes of %d bits",
			r.bits)
	}
	src = meter.Within(src, r.spend)
	stages := newStages(step, len(r.parts))
	found := make([]*big.Int, len(r.parts))
	for i, part := range r.parts {
		at, err := r.finder.Release(src, r.around(codes, part), stepOf(stages.pause()))
		if err != nil {
			return nil, err
		}
		if at.Cmp(r.last) > 0 {
			// unreachable: a Finder for this domain gives values of it
			at = new(big.Int).Set(r.last)
		}
		found[i] = at
		if err := stages.next(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(found, (*big.Int).Cmp)
	return found, nil
}

// around are the codes that the Finder is given for a part. The exponential mechanism scores by the
// place among all codes, so for the median it needs no window.
func (r *Ranks) around(codes domain.Sorted, part *big.Rat) domain.Sorted {
	if takesAll(r.finder) && part.Cmp(big.NewRat(1, 2)) == 0 {
		return codes
	}
	all := interval{new(big.Int), r.last, 0, codes.Len()}
	return nearby(codes, all, placeOf(part, codes.Len()), r.finder.Needs())
}

// placeOf is ⌊part·count⌋.
func placeOf(part *big.Rat, count int) int {
	place := new(big.Int).Mul(part.Num(), big.NewInt(int64(count)))
	return int(place.Div(place, part.Denom()).Int64())
}
