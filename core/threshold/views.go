package threshold

import (
	"math/big"
	"math/bits"
	"slices"
	"sort"

	"hush/core/domain"
)

// The types of this file are data sets made from another without copying codes.

// picked is some of the codes, by ascending indices, each as often as its index occurs.
type picked struct {
	codes   domain.Sorted
	indices []int
}

func (p *picked) Len() int              { return len(p.indices) }
func (p *picked) Bits() int             { return p.codes.Bits() }
func (p *picked) Lcp(i, j int) int      { return p.codes.Lcp(p.indices[i], p.indices[j]) }
func (p *picked) Bit(i, depth int) int  { return p.codes.Bit(p.indices[i], depth) }
func (p *picked) Number(i int) *big.Int { return p.codes.Number(p.indices[i]) }
func (p *picked) Rank(n *big.Int) (below, notAbove int) {
	below, notAbove = p.codes.Rank(n)
	return sort.SearchInts(p.indices, below), sort.SearchInts(p.indices, notAbove)
}

// ranged is the codes from index from to before index to.
type ranged struct {
	codes    domain.Sorted
	from, to int
}

func (r *ranged) Len() int              { return r.to - r.from }
func (r *ranged) Bits() int             { return r.codes.Bits() }
func (r *ranged) Lcp(i, j int) int      { return r.codes.Lcp(r.from+i, r.from+j) }
func (r *ranged) Bit(i, depth int) int  { return r.codes.Bit(r.from+i, depth) }
func (r *ranged) Number(i int) *big.Int { return r.codes.Number(r.from + i) }
func (r *ranged) Rank(n *big.Int) (below, notAbove int) {
	below, notAbove = r.codes.Rank(n)
	return min(max(below, r.from), r.to) - r.from, min(max(notAbove, r.from), r.to) - r.from
}

// Counted views codes each of which stands for several persons: upTo[i] is the number of persons
// with codes 0 … i together. The codes are in ascending order, each once, and may have no person.
// It is not safe for concurrent use.
func Counted(codes domain.Sorted, upTo []int) domain.Sorted {
	return &counted{codes: codes, upTo: upTo}
}

type counted struct {
	codes domain.Sorted
	upTo  []int
	found [2]int // where codes were found lately: scans ask for neighbours
}

// index finds the code of person i. A scan asks for the same or the next code each time, so these
// are tried first.
func (c *counted) index(i, finger int) int {
	at := c.found[finger]
	for range 2 {
		if at < len(c.upTo) && i < c.upTo[at] && (at == 0 || i >= c.upTo[at-1]) {
			c.found[finger] = at
			return at
		}
		at++
	}
	at = sort.SearchInts(c.upTo, i+1)
	c.found[finger] = at
	return at
}

func (c *counted) Len() int {
	if len(c.upTo) == 0 {
		return 0
	}
	return c.upTo[len(c.upTo)-1]
}

func (c *counted) Bits() int             { return c.codes.Bits() }
func (c *counted) Lcp(i, j int) int      { return c.codes.Lcp(c.index(i, 0), c.index(j, 1)) }
func (c *counted) Bit(i, depth int) int  { return c.codes.Bit(c.index(i, 0), depth) }
func (c *counted) Number(i int) *big.Int { return c.codes.Number(c.index(i, 0)) }

func (c *counted) Rank(n *big.Int) (below, notAbove int) {
	persons := func(codes int) int {
		if codes == 0 {
			return 0
		}
		return c.upTo[codes-1]
	}
	below, notAbove = c.codes.Rank(n)
	return persons(below), persons(notAbove)
}

// appended is codes with further bits appended: code·2^more + low. Equal codes are ordered by these
// bits.
type appended struct {
	codes domain.Sorted
	more  int // at most 64
	low   []uint64
}

// withBits appends low[i], a number below 2^more, to code i. Among equal codes low is sorted in
// place.
func withBits(codes domain.Sorted, low []uint64, more int) *appended {
	for from := 0; from < len(low); {
		to := endOfRun(codes, from)
		slices.Sort(low[from:to])
		from = to
	}
	return &appended{codes, more, low}
}

// endOfRun returns the end of the codes that are equal to the one at from.
func endOfRun(codes domain.Sorted, from int) int {
	return domain.NodeEnd(codes, from, codes.Len(), codes.Bits())
}

func (a *appended) Len() int  { return len(a.low) }
func (a *appended) Bits() int { return a.codes.Bits() + a.more }

func (a *appended) Lcp(i, j int) int {
	l := a.codes.Lcp(i, j)
	if l == a.codes.Bits() {
		l += a.more - bits.Len64(a.low[i]^a.low[j])
	}
	return l
}

func (a *appended) Bit(i, depth int) int {
	if above := depth - a.codes.Bits(); above >= 0 {
		return int(a.low[i] >> (a.more - 1 - above) & 1)
	}
	return a.codes.Bit(i, depth)
}

func (a *appended) Number(i int) *big.Int {
	n := a.codes.Number(i)
	return n.Lsh(n, uint(a.more)).Or(n, new(big.Int).SetUint64(a.low[i]))
}

func (a *appended) Rank(n *big.Int) (below, notAbove int) {
	high := new(big.Int).Rsh(n, uint(a.more)) // rounds down, below 0 too
	low := new(big.Int).Sub(n, new(big.Int).Lsh(high, uint(a.more))).Uint64()
	first, end := a.codes.Rank(high)
	run := a.low[first:end]
	return first + sort.Search(len(run), func(i int) bool { return run[i] >= low }),
		first + sort.Search(len(run), func(i int) bool { return run[i] > low })
}

// padded is codes with copies of a number not above them in front, and of one not below them at the
// end.
type padded struct {
	codes         domain.Sorted
	before, after int
	low, high     *big.Int
	fromLow       int // leading bits that low shares with the first code
	toHigh        int // leading bits that the last code shares with high
	across        int // leading bits that low shares with high
}

func pad(codes domain.Sorted, low *big.Int, before int, high *big.Int, after int) *padded {
	p := &padded{codes: codes, before: before, after: after, low: low, high: high}
	p.across = p.shared(low, high)
	if n := codes.Len(); n > 0 {
		p.fromLow, p.toHigh = p.shared(low, codes.Number(0)), p.shared(codes.Number(n-1), high)
	}
	return p
}

func (p *padded) shared(x, y *big.Int) int { return p.Bits() - new(big.Int).Xor(x, y).BitLen() }

func (p *padded) Len() int  { return p.before + p.codes.Len() + p.after }
func (p *padded) Bits() int { return p.codes.Bits() }

// Lcp uses a fact about sorted codes x ≤ y ≤ z: the leading bits that x and z share are the fewer
// of those that x and y, and y and z, share.
func (p *padded) Lcp(i, j int) int {
	i, j = min(i, j)-p.before, max(i, j)-p.before
	n := p.codes.Len()
	switch {
	case j < 0 || i >= n:
		return p.Bits()
	case i < 0 && j >= n:
		return p.across
	case i < 0:
		return min(p.fromLow, p.codes.Lcp(0, j))
	case j >= n:
		return min(p.codes.Lcp(i, n-1), p.toHigh)
	}
	return p.codes.Lcp(i, j)
}

func (p *padded) Bit(i, depth int) int {
	switch i -= p.before; {
	case i < 0:
		return int(p.low.Bit(p.Bits() - 1 - depth))
	case i >= p.codes.Len():
		return int(p.high.Bit(p.Bits() - 1 - depth))
	}
	return p.codes.Bit(i, depth)
}

func (p *padded) Number(i int) *big.Int {
	switch i -= p.before; {
	case i < 0:
		return new(big.Int).Set(p.low)
	case i >= p.codes.Len():
		return new(big.Int).Set(p.high)
	}
	return p.codes.Number(i)
}

func (p *padded) Rank(n *big.Int) (below, notAbove int) {
	below, notAbove = p.codes.Rank(n)
	if order := n.Cmp(p.low); order >= 0 {
		notAbove += p.before
		if order > 0 {
			below += p.before
		}
	}
	if order := n.Cmp(p.high); order >= 0 {
		notAbove += p.after
		if order > 0 {
			below += p.after
		}
	}
	return below, notAbove
}
