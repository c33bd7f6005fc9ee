package basic

import (
	"math"
	"math/big"

	"hush/core/coin"
)

// line is a data set on an ordered domain: distinct codes, ascending, and the number of persons who
// have each.
type line interface {
	// Len is how many distinct codes there are.
	Len() int
	// UpTo is how many persons have codes 0 … k together.
	UpTo(k int) int64
	// Gap is how many values of the domain lie between code k−1 and code k: before the first for k
	// = 0, after the last for k = Len. It is big where it is not nil, to be read before the next
	// call.
	Gap(k int) (uint64, *big.Int)
	// Number returns code k as a new integer.
	Number(k int) *big.Int
}

// A splitter draws the splits of one data set.
//
// Each value of the domain is a run of parts points, so the domain is a line of size·parts points.
// The persons who have a code lie evenly on its run: each is the mass 1 on every point of it, parts
// in all. A split is a point z; left of it is all mass on points before z. It may divide a run and
// so the persons on it, each in the same proportion: a split can put any share of people who have
// the same value on each side.
//
// The line consists of pieces without end points in common: piece 2k is the gap before code k (the
// last: after all codes), piece 2k+1 the run of code k. On a gap the mass to the left is constant,
// on a run it grows evenly.
type splitter struct {
	src   coin.Source
	line  line
	upTo  []int64 // the line's, where it has them in a slice: no call for each group
	parts int64
	step  coin.Step
	done  int64 // splits drawn
	total int64
	cuts  []cut // by target

	wide big.Int // scratch
}

// cut is a point of the line: this many points after the start of a piece.
type cut struct {
	piece  int
	offset *big.Int // never written to
}

// split draws the node's split from the points from lo to before hi, and then its children's
// splits.
func (s *splitter) split(n *node, lo, hi cut) error {
	if n == nil {
		return nil
	}
	if s.empty(lo, hi) {
		// No point is left between two splits drawn before: that is public, and so is the answer.
		n.visit(0, func(below *node, _ int) { s.cuts[below.target] = lo })
		return nil
	}
	c := s.candidates(n, lo, hi)
	var z cut
	for accepted := false; !accepted; {
		var err error
		if z, accepted, err = c.round(s.src, s.blind()); err != nil {
			return err
		}
	}
	s.cuts[n.target] = z
	s.done++
	if err := s.split(n.left, lo, z); err != nil {
		return err
	}
	return s.split(n.right, z, hi)
}

// blind is a step that can end work but learns only how many splits are done: the rest is private.
func (s *splitter) blind() coin.Step {
	if s.step == nil {
		return nil
	}
	return func(int64, int64) error { return s.step(s.done, s.total) }
}

// end returns the point after the last.
func (s *splitter) end() cut {
	last := 2 * s.line.Len()
	return cut{last, s.points(last)}
}

// points returns the number of points of piece i, as a new integer.
func (s *splitter) points(i int) *big.Int {
	if i%2 == 1 {
		return big.NewInt(s.parts)
	}
	values, many := s.line.Gap(i / 2)
	if many == nil {
		many = bigOf(values)
	}
	return new(big.Int).Mul(many, big.NewInt(s.parts))
}

// empty reports whether no point lies from lo to before hi.
func (s *splitter) empty(lo, hi cut) bool {
	for lo.piece < hi.piece {
		if lo.offset.Cmp(s.points(lo.piece)) < 0 {
			return false
		}
		lo = cut{lo.piece + 1, new(big.Int)}
	}
	return lo.piece > hi.piece || lo.offset.Cmp(hi.offset) >= 0
}

// persons returns the number of persons with code k, and before the number with a smaller code.
func (s *splitter) persons(k int) int64 { return s.before(k+1) - s.before(k) }

func (s *splitter) before(k int) int64 {
	switch {
	case k == 0:
		return 0
	case s.upTo != nil:
		return s.upTo[k-1]
	}
	return s.line.UpTo(k - 1)
}

// mass returns the mass before a point.
func (s *splitter) mass(z cut) int64 {
	k := z.piece / 2
	if z.piece%2 == 0 {
		return s.parts * s.before(k)
	}
	return s.parts*s.before(k) + s.persons(k)*z.offset.Int64()
}

// code returns the value of the domain on whose run the point lies, as a new integer.
func (s *splitter) code(z cut) *big.Int {
	k := z.piece / 2
	if z.piece%2 == 1 {
		return s.line.Number(k)
	}
	steps := new(big.Int).Quo(z.offset, big.NewInt(s.parts))
	if k == 0 {
		return steps
	}
	steps.Add(steps, bigOf(1))
	return steps.Add(steps, s.line.Number(k-1))
}

// candidates groups the points from lo to before hi for Choose.
func (s *splitter) candidates(n *node, lo, hi cut) *candidates {
	c := &candidates{s: s, node: n, lo: lo, hi: hi, from: s.mass(lo)}
	c.wanted = n.p * (s.mass(hi) - c.from)
	// A stretch of points whose scores differ by half of half does no harm as one group.
	c.half = int64(min(math.MaxInt64/4, max(1, math.Ln2/n.base.Log())))
	c.flat = c.half / max(1, s.parts-1)
	for i := lo.piece | 1; i <= hi.piece; i += 2 {
		if from, to := c.run(i); c.steep(i, from, to) {
			c.cutUp(i, from, to)
		}
	}
	return c
}
