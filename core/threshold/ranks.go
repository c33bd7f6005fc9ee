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

	// Size is the number of values of the domain, which is that of the Finder (H: ranks.md
	// finder-of-size). Required.
	Size *big.Int

	// Parts are the parts of the persons that shall lie below, ascending, between 0 and 1: 1/2 for
	// the median. At most 100; required.
	Parts []*big.Rat

	// Around, where it is above 0, finds two more values for each part: this many persons below its
	// place and above it. Three times the parts are at most 100.
	Around int64
}

// Ranks finds quantiles in a domain of any size: for each part an interior point of the codes
// around its position.
//
// # Guarantee
//
// The [Finder]'s loss as often as there are parts, or three times as often with values around them,
// for neighbours that differ in one replaced person, n public. Proof: ranks.md.
//
// # Input and output
//
// As [TreeLog]; a value for each part, ascending. With Around three for each part: below it, at it
// and above it, in order.
//
// # Errors
//
// [*param.Error] (finder, size, parts, around) from the constructor, (codes) from Release for codes
// of another number of bits.
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
	around int64
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
	if p.Finder == nil { // H: ranks.md some-finder
		return nil, refuse("finder", param.NotSet, "a Finder for the domain")
	}
	if len(p.Parts) == 0 || len(p.Parts) > maxParts { // H: ranks.md parts
		return nil, refuse("parts", fmt.Sprint(len(p.Parts)), "1 to %d of them", maxParts)
	}
	r := &Ranks{finder: p.Finder, last: new(big.Int).Sub(p.Size, oneInt), bits: bitLength}
	for i, part := range p.Parts {
		// H: ranks.md parts
		if part.Sign() <= 0 || part.Cmp(ratOf(1)) >= 0 || i > 0 && part.Cmp(p.Parts[i-1]) <= 0 {
			return nil, refuse("parts", part.RatString(), "ascending numbers above 0 and below 1")
		}
		r.parts = append(r.parts, new(big.Rat).Set(part))
	}
	// H: ranks.md around
	if r.around = p.Around; p.Around < 0 || p.Around > 1<<40 || r.values() > maxParts {
		return nil, refuse("around", fmt.Sprint(p.Around),
			"0 to 2^40, with at most %d values in all", maxParts)
	}
	each, err := r.finder.Loss(1)
	r.spend = meter.Sum("ranks", meter.Each(each, uint64(r.values())))
	return r, err
}

// values returns the number of values that are found.
func (r *Ranks) values() int {
	if r.around > 0 {
		return 3 * len(r.parts)
	}
	return len(r.parts)
}

// Loss returns the Finder's loss, added up.
func (r *Ranks) Loss(d privacy.Distance) (privacy.Loss, error) {
	return r.spend.Loss.Group(d)
}

// ErrorBound returns a number of persons such that, except with the Finder's probability of failure
// for each value, with w persons who have a value and a part q: at least q·w − ErrorBound of them
// are at or below the value, and at least (1 − q)·w − ErrorBound at or above it.
func (r *Ranks) ErrorBound() int { return (r.finder.Needs() + 1) / 2 }

// TypicalError returns about how many persons, of this many, the value that is furthest off is away
// from its position: a rule of thumb.
func (r *Ranks) TypicalError(persons int64) float64 {
	return min(r.finder.TypicalError(persons)*furthest(r.values()), float64(persons)/2)
}

// furthest returns about how many times the mean error the largest of this many errors is: the mean
// of the largest of independent exponential variables.
func furthest(of int) (times float64) {
	for i := range of {
		times += 1 / float64(i+1)
	}
	return times
}

// Release finds the values.
func (r *Ranks) Release(src coin.Source, codes domain.Sorted, step coin.Step) ([]*big.Int, error) {
	if codes.Bits() != r.bits { // H: ranks.md bits
		return nil, refuse("codes", phrase.Of("%d bits long", codes.Bits()), "codes of %d bits",
			r.bits)
	}
	src = meter.Within(src, r.spend)
	stages := newStages(step, r.values())
	found := make([]*big.Int, r.values())
	for i := range found {
		at, err := r.finder.Release(src, r.window(codes, i), stepOf(stages.pause()))
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
	r.order(found)
	return found, nil
}

// order sorts the values of parts, and puts those around a part on their sides of its value.
func (r *Ranks) order(found []*big.Int) {
	if r.around == 0 {
		slices.SortFunc(found, (*big.Int).Cmp)
		return
	}
	for side := range 3 {
		var one []*big.Int
		for i := side; i < len(found); i += 3 {
			one = append(one, found[i])
		}
		slices.SortFunc(one, (*big.Int).Cmp)
		for i, at := range one {
			found[3*i+side] = at
		}
	}
	for i := 0; i < len(found); i += 3 {
		if found[i].Cmp(found[i+1]) > 0 {
			found[i] = found[i+1]
		}
		if found[i+2].Cmp(found[i+1]) < 0 {
			found[i+2] = found[i+1]
		}
	}
}

// window returns the codes that the Finder is given for a value. The exponential mechanism scores
// by the position among all codes, so for the median it needs no window.
func (r *Ranks) window(codes domain.Sorted, value int) domain.Sorted {
	part, beyond := r.parts[value*len(r.parts)/r.values()], int64(0)
	if r.around > 0 {
		beyond = r.around * int64(value%3-1)
	}
	if takesAll(r.finder) && beyond == 0 && part.Cmp(big.NewRat(1, 2)) == 0 {
		return codes
	}
	all := interval{new(big.Int), r.last, 0, codes.Len()}
	place := min(max(int64(placeOf(part, codes.Len()))+beyond, 0), int64(codes.Len()))
	return nearby(codes, all, int(place), r.finder.Needs())
}

// placeOf returns ⌊part·count⌋.
func placeOf(part *big.Rat, count int) int {
	place := new(big.Int).Mul(part.Num(), big.NewInt(int64(count)))
	return int(place.Div(place, part.Denom()).Int64())
}
