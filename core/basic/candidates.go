package basic

import (
	"math/big"

	"hush/core/coin"
)

// candidates are the points at which a node may split, in groups. A gap is one group of equal
// scores. On a run every point has its own score; points with nearly the same score form one group
// with the least of their scores, or a bound below it, and a point drawn from it is kept with the
// probability that corrects for its own score. Repeating until a point is kept gives every point
// the probability of its own score: quantiles.md, Lemma 4.
//
// Groups 0 … hi.piece − lo.piece are the pieces; then come the stretches of runs that were cut up,
// whose own groups are empty.
type candidates struct {
	s         *splitter
	node      *node
	lo, hi    cut
	from      int64 // mass before lo
	wanted    int64 // p·(mass from lo to hi): where q·(mass from lo to z) shall be
	half      int64 // a difference of scores that halves a weight
	flat      int64 // the largest slope of a whole run that is one group
	stretches []stretch
}

// stretch is a part of a run: points from … to−1 of a piece, with scores of at least least.
type stretch struct {
	piece    int
	from, to int64
	least    int64
}

// run says which points of piece i, a run, lie from lo to before hi.
func (c *candidates) run(i int) (from, to int64) {
	to = c.s.parts
	if i == c.lo.piece {
		from = c.lo.offset.Int64()
	}
	if i == c.hi.piece {
		to = c.hi.offset.Int64()
	}
	return from, max(from, to)
}

// slope returns how much the signed score grows from one point of a run to the next.
func (c *candidates) slope(i int) int64 { return c.node.q * c.s.persons(i/2) }

// signed returns q·(mass from lo to the point) − wanted; its absolute value is the score.
func (c *candidates) signed(i int, offset int64) int64 {
	k := i / 2
	mass := c.s.parts * c.s.before(k)
	if i%2 == 1 {
		mass += c.s.persons(k) * offset
	}
	return c.node.q*(mass-c.from) - c.wanted
}

// steep reports whether the points of a run are too different for one group.
func (c *candidates) steep(i int, from, to int64) bool {
	if to-from == c.s.parts {
		return to-from > 1 && c.slope(i) > c.flat
	}
	return to-from > 1 && c.slope(i) > c.half/(to-from-1)
}

// cutUp splits the points from … to−1 of run i into stretches. From the point with the least score
// they double in length to both sides: within the first, weights differ by a factor of two at most,
// and later ones hardly weigh anything, so the groups together weigh less than three times what the
// points do.
func (c *candidates) cutUp(i int, from, to int64) {
	first := max(1, c.half/c.slope(i))
	// middle is the first point with a signed score of at least 0.
	middle := from
	if below := -c.signed(i, from); below > 0 {
		middle = min(to, from+(below-1)/c.slope(i)+1)
	}
	for at, length := middle, first; at < to; length *= 2 {
		next := at + min(length, to-at)
		c.stretches = append(c.stretches, stretch{i, at, next, c.signed(i, at)})
		at = next
	}
	for at, length := middle, first; at > from; length *= 2 {
		next := at - min(length, at-from)
		c.stretches = append(c.stretches, stretch{i, next, at, -c.signed(i, at-1)})
		at = next
	}
}

func (c *candidates) Len() int { return c.hi.piece - c.lo.piece + 1 + len(c.stretches) }

func (c *candidates) Group(g int) (score int64, m uint64, many *big.Int) {
	i := c.lo.piece + g
	switch {
	case i > c.hi.piece:
		s := c.stretches[i-c.hi.piece-1]
		return s.least, uint64(s.to - s.from), nil
	case i%2 == 0:
		m, many = c.gap(i)
		return abs(c.signed(i, 0)), m, many
	}
	from, to := c.run(i)
	if from == to || c.steep(i, from, to) {
		return 0, 0, nil
	}
	return c.least(i, from, to), uint64(to - from), nil
}

// least returns a lower bound on all scores of a stretch: the least of them where they do not
// change sign.
func (c *candidates) least(i int, from, to int64) int64 {
	first := c.signed(i, from)
	return max(0, first, -(first + c.slope(i)*(to-1-from)))
}

// gap returns the number of points of piece i that lie from lo to before hi.
func (c *candidates) gap(i int) (uint64, *big.Int) {
	wide := &c.s.wide
	if i != c.lo.piece && i != c.hi.piece {
		m, many := c.s.line.Gap(i / 2)
		if many == nil && m < 1<<32 && c.s.parts < 1<<32 {
			return m * uint64(c.s.parts), nil
		}
		if many == nil {
			many = wide.SetUint64(m)
		}
		return 0, wide.Mul(many, big.NewInt(c.s.parts))
	}
	if i == c.hi.piece {
		wide.Set(c.hi.offset)
	} else {
		wide.Set(c.s.points(i))
	}
	if i == c.lo.piece {
		wide.Sub(wide, c.lo.offset)
	}
	return 0, wide
}

// round draws a group and a point in it, and reports whether it is kept.
func (c *candidates) round(src coin.Source, step coin.Step) (cut, bool, error) {
	g, err := src.Choose(c, c.node.base, step)
	if err != nil {
		return cut{}, false, err
	}
	i := c.lo.piece + g
	if i <= c.hi.piece && i%2 == 0 {
		return c.inGap(src, i), true, nil
	}
	var s stretch
	if i > c.hi.piece {
		s = c.stretches[i-c.hi.piece-1]
	} else {
		from, to := c.run(i)
		s = stretch{i, from, to, c.least(i, from, to)}
	}
	at := s.from
	if s.to-s.from > 1 {
		at += int64(src.Uniform(uint64(s.to - s.from)))
	}
	more := abs(c.signed(s.piece, at)) - s.least
	kept := more == 0 || src.Bernoulli(coin.Ratio(1, 1).TimesPower(c.node.base, uint64(more)))
	return cut{s.piece, big.NewInt(at)}, kept, nil
}

// inGap returns a uniform point of a gap, whose points all have the same score.
func (c *candidates) inGap(src coin.Source, i int) cut {
	m, many := c.gap(i)
	if many == nil {
		many = bigOf(m)
	}
	offset := src.UniformBig(many)
	if i == c.lo.piece {
		offset.Add(offset, c.lo.offset)
	}
	return cut{i, offset}
}

func abs(x int64) int64 { return max(x, -x) }
