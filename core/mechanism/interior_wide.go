package mechanism

import (
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
)

// SortedCodes are distinct codes of any number of bits, in ascending order, and how many persons
// have them.
type SortedCodes interface {
	// Len is how many distinct codes there are.
	Len() int
	// Code returns code i. It is not written to, and read before the next call only, so it may be
	// built anew in one place.
	Code(i int) *big.Int
	// UpTo is how many persons have codes 0 … i together.
	UpTo(i int) int64
}

// BigCodes are codes held as big integers: Codes and Counts have the same length.
type BigCodes struct {
	Codes  []*big.Int
	Counts []int64 // running counts: persons with codes 0 … i
}

func (c BigCodes) Len() int            { return len(c.Codes) }
func (c BigCodes) Code(i int) *big.Int { return c.Codes[i] }
func (c BigCodes) UpTo(i int) int64    { return c.Counts[i] }

// ReleaseWide is ReleaseCounted for codes and domains of any size: texts of 2^20 bits as well as
// bytes. The result is a new integer. A code beyond the domain counts as M−1. Each pass over the
// codes subtracts neighbouring ones. Proof: interior.md.
func (m *InteriorPoint) ReleaseWide(src coin.Source, sorted SortedCodes,
	step coin.Step) (*big.Int, error) {
	return meter.Draw(src, m.spend,
		func() meter.Input { return meter.Input{People: people(sorted)} },
		func(src coin.Source) (*big.Int, error) { return m.drawWide(src, sorted, step) })
}

// people lists the codes of all persons.
func people(sorted SortedCodes) (list []string) {
	before := int64(0)
	for i := range sorted.Len() {
		for ; before < sorted.UpTo(i); before++ {
			list = append(list, sorted.Code(i).Text(36))
		}
	}
	return list
}

func (m *InteriorPoint) drawWide(src coin.Source, sorted SortedCodes,
	step coin.Step) (*big.Int, error) {
	g := &wideGaps{codes: sorted, size: m.size, last: m.last}
	i, err := src.Choose(g, m.rate.base, blind(step))
	if err != nil {
		return nil, err
	}
	if i%2 == 1 {
		return new(big.Int).Set(g.at(i / 2)), nil
	}
	_, _, width := g.Group(i)
	low := new(big.Int)
	return g.low(low, i/2).Add(low, src.UniformBig(width)), nil
}

// wideGaps are the groups of gaps for wide codes: group 2k is the gap before code k, group 2k+1 is
// code k.
type wideGaps struct {
	codes      SortedCodes
	size       *big.Int
	last       *big.Int
	start, gap big.Int // scratch
}

func (g *wideGaps) Len() int { return 2*g.codes.Len() + 1 }

func (g *wideGaps) Group(i int) (score int64, m uint64, wide *big.Int) {
	n, k := g.codes.Len(), i/2
	total := g.below(n)
	start := g.low(&g.start, k)
	if i%2 == 1 {
		if start.Cmp(g.at(k)) > 0 {
			return 0, 0, nil // beyond the domain, as the one before: it was counted there
		}
		return -min(g.below(g.run(k)), total-g.below(k)), 1, nil
	}
	end := g.size
	if k < n {
		end = g.at(k)
	}
	if g.gap.Sub(end, start).Sign() < 0 {
		g.gap.SetInt64(0)
	}
	return -min(g.below(k), total-g.below(k)), 0, &g.gap
}

// run is the index after the last code that counts as code k does: k + 1, but for codes beyond the
// domain.
func (g *wideGaps) run(k int) int {
	if g.codes.Code(k).Cmp(g.last) < 0 {
		return k + 1
	}
	return g.codes.Len()
}

// below is how many persons have one of the first k codes.
func (g *wideGaps) below(k int) int64 {
	if k == 0 {
		return 0
	}
	return g.codes.UpTo(k - 1)
}

func (g *wideGaps) at(k int) *big.Int {
	if code := g.codes.Code(k); code.Cmp(g.last) <= 0 {
		return code
	}
	return g.last
}

// low sets z to the first point of the gap before code k.
func (g *wideGaps) low(z *big.Int, k int) *big.Int {
	if k == 0 {
		return z.SetInt64(0)
	}
	return z.Add(g.at(k-1), oneInt)
}

var oneInt = big.NewInt(1) // never written to
