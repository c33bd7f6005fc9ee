package density

import (
	"math/big"

	"hush/core/coin"
	"hush/core/domain"
)

// place is a boundary b of the domain, before code b, and the number of codes below it.
type place struct {
	b     *big.Int
	below int
}

// places are the boundaries from lo to hi as candidates of the score |#{codes < b} − A(b)|. Both
// functions rise, which bounds the difference. Proof: merr.md, Theorem 1, Prefix; lazy.md, Parts.
type places struct {
	codes    domain.Sorted
	a        *approximation
	lo, hi   place
	aLo, aHi int64
	many     *big.Int
	halves   []part[place] // when it was split before: places do not change, A does
}

// newPlaces returns all boundaries but 0, where there is nothing to learn.
func newPlaces(codes domain.Sorted, a *approximation) part[place] {
	if short, ok := codes.(domain.Short); ok && a.short != nil {
		return newShortPlaces(short, a)
	}
	return newWidePlaces(codes, a)
}

func newWidePlaces(codes domain.Sorted, a *approximation) *places {
	first, last := oneInt, a.at[len(a.at)-1]
	belowFirst, _ := codes.Rank(first)
	belowLast, _ := codes.Rank(last) // a code beyond the domain counts as none
	return between(codes, a, place{first, belowFirst}, place{last, belowLast})
}

func between(codes domain.Sorted, a *approximation, lo, hi place) *places {
	many := new(big.Int).Sub(hi.b, lo.b)
	return &places{codes: codes, a: a, lo: lo, hi: hi, aLo: a.before(lo.b), aHi: a.before(hi.b),
		many: many.Add(many, oneInt)}
}

// again reads A again.
func (p *places) again() { p.aLo, p.aHi = p.a.before(p.lo.b), p.a.before(p.hi.b) }

func (p *places) bounds() (upper, least, best int64) {
	return boundsOf(int64(p.lo.below), int64(p.hi.below), p.aLo, p.aHi)
}

// boundsOf bounds the difference of two rising functions by their values at both ends.
func boundsOf(lo, hi, aLo, aHi int64) (upper, least, best int64) {
	upper = max(hi-aLo, aHi-lo)
	return upper, max(upper-(hi-lo+aHi-aLo), 0), max(absolute(lo-aLo), absolute(hi-aHi))
}

func (p *places) tickets() *big.Int   { return p.many }
func (p *places) logTickets() float64 { return logInt(p.many) }

func (p *places) pick(src coin.Source) (place, int64, uint64) {
	b := src.UniformBig(p.many)
	b.Add(b, p.lo.b)
	below, _ := p.codes.Rank(b)
	return place{b, below}, absolute(int64(below) - p.a.before(b)), 1
}

// split halves whichever of the two functions rises more.
func (p *places) split() []part[place] {
	if p.lo.b.Cmp(p.hi.b) == 0 {
		return nil
	}
	if p.halves != nil {
		reread(p.halves)
		return p.halves
	}
	var left, right place // left ends at a code, right starts behind it
	if rise := p.hi.below - p.lo.below; int64(rise) > p.aHi-p.aLo {
		left.b = p.codes.Number(p.lo.below + rise/2) // at least lo, and below hi
	} else {
		left.b = new(big.Int).Add(p.lo.b, p.hi.b)
		left.b.Rsh(left.b, 1)
	}
	left.below, right.below = p.codes.Rank(left.b)
	right.b = new(big.Int).Add(left.b, oneInt)
	p.halves = []part[place]{between(p.codes, p.a, p.lo, left), between(p.codes, p.a, right, p.hi)}
	return p.halves
}

func absolute(x int64) int64 { return max(x, -x) }

var oneInt = big.NewInt(1) // never written to
