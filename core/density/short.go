package density

import (
	"math"
	"math/big"
	"sort"

	"hush/core/coin"
	"hush/core/domain"
)

// shortPlaces is what [places] is, with the same splits and bounds and so the same draws, for a
// domain of fewer than 2^64 values: with machine words, rounds on 10^5 persons take less than half
// the time. Proof: that of places; lazy.md, Parts.
type shortPlaces struct {
	*shortLine
	lo, hi           uint64
	belowLo, belowHi int // codes
	aLo, aHi         int64
	many             big.Int
	log              float64      // ln many
	halves           *shortHalves // when they were split before: places do not change, A does
}

// shortLine is what all shortPlaces of one search share.
type shortLine struct {
	codes domain.Short
	a     *approximation
}

func newShortPlaces(codes domain.Short, a *approximation) *shortPlaces {
	s := &shortLine{codes, a}
	last, p := a.short[len(a.short)-1], new(shortPlaces)
	p.become(s, 1, last, s.below(1, 0, codes.Len()), s.below(last, 0, codes.Len()))
	p.again()
	return p
}

// become sets every field except A at the ends.
func (p *shortPlaces) become(s *shortLine, lo, hi uint64, belowLo, belowHi int) {
	p.shortLine, p.lo, p.hi, p.belowLo, p.belowHi = s, lo, hi, belowLo, belowHi
	p.many.SetUint64(hi - lo + 1)
	p.log = math.Log(float64(hi - lo + 1))
}

// below returns the number of codes below b, which is known to lie between two numbers.
func (s *shortLine) below(b uint64, from, to int) int {
	return from + sort.Search(to-from, func(i int) bool { return s.codes.Code(from+i) >= b })
}

// again reads A again.
func (p *shortPlaces) again() {
	p.aLo, p.aHi = p.a.beforeShort(p.lo), p.a.beforeShort(p.hi)
}

func (p *shortPlaces) bounds() (upper, least, best int64) {
	return boundsOf(int64(p.belowLo), int64(p.belowHi), p.aLo, p.aHi)
}

func (p *shortPlaces) tickets() *big.Int   { return &p.many }
func (p *shortPlaces) logTickets() float64 { return p.log }

func (p *shortPlaces) pick(src coin.Source) (place, int64, uint64) {
	b := src.UniformBig(&p.many)
	at := p.lo + b.Uint64()
	below := p.below(at, p.belowLo, p.belowHi)
	return place{b.SetUint64(at), below}, absolute(int64(below) - p.a.beforeShort(at)), 1
}

// split halves whichever of the two functions rises more.
func (p *shortPlaces) split() []part[place] {
	if p.lo == p.hi {
		return nil
	}
	if p.halves == nil {
		p.halve()
	}
	h := p.halves
	h.left.aLo, h.left.aHi = p.aLo, p.a.beforeShort(h.left.hi)
	h.right.aLo, h.right.aHi = p.a.beforeShort(h.right.lo), p.aHi
	return h.list[:]
}

// shortHalves holds the parts that shortPlaces were split into, in one piece of memory.
type shortHalves struct {
	left, right shortPlaces
	list        [2]part[place]
}

func (p *shortPlaces) halve() {
	middle := p.lo + (p.hi-p.lo)/2
	if rise := p.belowHi - p.belowLo; int64(rise) > p.aHi-p.aLo {
		middle = p.codes.Code(p.belowLo + rise/2) // at least lo, and below hi
	}
	below := p.below(middle, p.belowLo, p.belowHi)
	notAbove := p.below(middle+1, below, p.belowHi)
	h := new(shortHalves)
	h.left.become(p.shortLine, p.lo, middle, p.belowLo, below)
	h.right.become(p.shortLine, middle+1, p.hi, notAbove, p.belowHi)
	h.list = [2]part[place]{&h.left, &h.right}
	p.halves = h
}
