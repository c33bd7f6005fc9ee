package coin

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
)

// blockLen is the number of groups that share one partial sum, and after which step is called:
// often enough for a page that must not freeze for 50 ms, even when a group takes 10 µs to compute.
const blockLen = 1 << 12

// Choose draws from upper bounds and corrects by one exact coin (coin.md, Theorem 4). With d =
// score − lowest score, group i has the weight w = m·r^(−d) and the integer h = ⌈upper bound of w
// in units of 2^exp⌉. A position below the sum of all h picks a group, which is kept with
// probability w/(h·2^exp), else the draw is repeated. Kept groups have law w/Σw exactly, however
// coarse the h are. They are 64 bits fine, so a repeat happens with a probability below n·2^−61 +
// 2^−56, and the coin is nearly always decided by its first 64 bits.
//
// The first pass calls every Group, the second those of blocks that weigh anything, a third one
// block; the work is independent of the multiplicities' length beyond reading their leading bits.
// Memory: one sum per block.
func (s *bitSource) Choose(g Groups, r Base, step Step) (int, error) {
	c := chooser{groups: g, powers: s.of(r), step: step}
	if err := c.findLowest(); err != nil {
		return -1, err
	}
	if err := c.sumBlocks(); err != nil {
		return -1, err
	}
	for {
		position := s.uniform128(c.total)
		if i, h, ok := c.at(position); ok && s.keep(&c, i, h) {
			return i, nil
		}
	}
}

// chooser is the state of one Choose.
type chooser struct {
	groups Groups
	powers *powers
	step   Step
	lowest int64   // the lowest score of a group that can be chosen
	blocks []block // partial sums of h
	exp    int64   // the unit of h in total and at is 2^exp
	total  u128
	top    big.Int // scratch
}

// block bounds the weights of up to blockLen consecutive groups by sum·2^exp.
type block struct {
	sum   u128
	count uint64 // groups that can be chosen
	exp   int64

	lowest  int64 // score of theirs
	longest int   // multiplicity, in bits
}

// eachBlock calls f for consecutive ranges of groups and step between them. pass counts the ranges'
// groups from pass·Len to (pass+1)·Len of 2·Len.
func (c *chooser) eachBlock(pass int64, f func(from, to int)) error {
	n := c.groups.Len()
	for from := 0; from < n; from += blockLen {
		to := min(from+blockLen, n)
		f(from, to)
		if c.step != nil {
			if err := c.step(pass*int64(n)+int64(to), 2*int64(n)); err != nil {
				return err
			}
		}
	}
	return nil
}

// findLowest finds the lowest score, of all groups and in each block.
func (c *chooser) findLowest() error {
	c.blocks = make([]block, 0, (c.groups.Len()+blockLen-1)/blockLen)
	c.lowest = math.MaxInt64
	err := c.eachBlock(0, func(from, to int) {
		b := block{exp: 2 * tiny, lowest: math.MaxInt64}
		for i := from; i < to; i++ {
			score, m, many := c.groups.Group(i)
			length := bits.Len64(m)
			if many != nil {
				length = many.BitLen()
			}
			if length > 0 {
				b.count++
				b.lowest, b.longest = min(b.lowest, score), max(b.longest, length)
			}
		}
		c.lowest = min(c.lowest, b.lowest)
		c.blocks = append(c.blocks, b)
	})
	// H: coin.md some-group
	if err == nil && !slices.ContainsFunc(c.blocks, func(b block) bool { return b.count > 0 }) {
		panic("coin: internal error: choice among groups of which none has a positive multiplicity")
	}
	return err
}

func (c *chooser) sumBlocks() error {
	err := c.eachBlock(1, func(from, to int) {
		b := &c.blocks[from/blockLen]
		if c.negligible(b) {
			return
		}
		b.count = 0
		for i := from; i < to; i++ {
			if w := c.upper(i); w.m > 0 {
				b.raise(w.exp)
				h, _ := w.up(b.exp)
				b.sum = b.sum.plus(u128{lo: h})
				b.count++
			}
		}
	})
	if err != nil {
		return err
	}
	c.exp = 2 * tiny
	for _, b := range c.blocks {
		c.exp = max(c.exp, b.exp)
	}
	for i := range c.blocks {
		c.blocks[i].raise(c.exp)
		c.total = c.total.plus(c.blocks[i].sum)
	}
	return nil
}

// negligible reports whether the h of every group in a block is 1: then the block's sum in the
// final unit is the number of its groups, whatever their exact weights. A group of the lowest score
// weighs 1 or more, so that unit is at least 2^−63. With every weight of the block below 2^−145,
// its sum in a unit of its own is below 2^80, and nothing of that is left in the final one but the
// rounding up.
func (c *chooser) negligible(b *block) bool {
	if b.count == 0 {
		return true
	}
	power := c.powers.upper(uint64(b.lowest) - uint64(c.lowest))
	const slack = 2 // upper ends of larger powers are above those of smaller ones but for rounding
	return int64(b.longest)+64+power.exp+slack < -145
}

// raise makes the unit of a block at least 2^exp. Each group's h, rounded up in the coarser unit,
// is at most one more than its shifted value, hence the count.
func (b *block) raise(exp int64) {
	if exp > b.exp {
		b.sum = b.sum.shifted(uint64(exp - b.exp)).plus(u128{lo: b.count})
		b.exp = exp
	}
}

// at finds the group whose h covers the position. No group does where a block's sum exceeds the sum
// of its groups' h.
func (c *chooser) at(position u128) (i int, h uint64, ok bool) {
	for k, b := range c.blocks {
		if !position.less(b.sum) {
			position = position.minus(b.sum)
			continue
		}
		for i := k * blockLen; i < min((k+1)*blockLen, c.groups.Len()); i++ {
			w := c.upper(i)
			if w.m == 0 {
				continue
			}
			h, _ := w.up(c.exp)
			if position.less(u128{lo: h}) {
				return i, h, true
			}
			position = position.minus(u128{lo: h})
		}
		return 0, 0, false
	}
	return 0, 0, false // unreachable: the position is below the sum of all blocks
}

// upper returns an upper bound of group i's weight; zero says that it cannot be chosen. It is the
// same at every call.
func (c *chooser) upper(i int) dyadic {
	score, m, many := c.groups.Group(i)
	power := c.powers.upper(uint64(score) - uint64(c.lowest))
	switch {
	case many != nil:
		return mulUp(multiple(many, &c.top).hi, power)
	case m == 1:
		return power
	}
	return mulUp(whole(m).hi, power)
}

// keep returns true with probability w/(h·2^exp) for the weight w of group i.
func (s *bitSource) keep(c *chooser, i int, h uint64) bool {
	score, m, many := c.groups.Group(i)
	power := uint64(score) - uint64(c.lowest)
	var size bounds
	if many != nil {
		size = multiple(many, &c.top)
	} else {
		size = whole(m)
	}
	height := whole(h)
	height.lo.exp += c.exp
	height.hi.exp += c.exp
	return s.decide(size.times(c.powers.bounds(power)).over(height), func(prec uint) interval {
		if many == nil {
			many = new(big.Int).SetUint64(m)
		}
		weight := quotient(many, new(big.Int).SetUint64(h), prec)
		weight.exp -= c.exp
		return weight.times(c.powers.base.inverse(power, prec+128), prec)
	})
}

// multiple encloses n ≥ 0 by its leading 64 bits.
func multiple(n, scratch *big.Int) bounds {
	extra := n.BitLen() - 64
	if extra <= 0 {
		return whole(n.Uint64())
	}
	lo := dyadic{scratch.Rsh(n, uint(extra)).Uint64(), int64(extra)}
	hi := dyadic{lo.m + 1, lo.exp}
	if hi.m == 0 {
		hi = dyadic{1 << 63, lo.exp + 1}
	}
	return bounds{lo, hi}
}

// u128 is an unsigned integer of 128 bits: sums of h stay below 2^64 times the number of groups.
type u128 struct{ hi, lo uint64 }

func (x u128) plus(y u128) u128 {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	return u128{x.hi + y.hi + carry, lo}
}

func (x u128) minus(y u128) u128 {
	lo, borrow := bits.Sub64(x.lo, y.lo, 0)
	return u128{x.hi - y.hi - borrow, lo}
}

func (x u128) less(y u128) bool { return x.hi < y.hi || x.hi == y.hi && x.lo < y.lo }

func (x u128) shifted(by uint64) u128 {
	// shifts by 64 and more give 0 in Go
	return u128{x.hi >> by, x.lo>>by | x.hi<<(64-by) | x.hi>>(by-64)}
}

// uniform128 returns a whole number below n ≥ 1, all equally likely: as many bits as n has, drawn
// again until below n.
func (s *bitSource) uniform128(n u128) u128 {
	excess := uint64(bits.LeadingZeros64(n.hi))
	if n.hi == 0 {
		excess = 64 + uint64(bits.LeadingZeros64(n.lo))
	}
	for {
		if draw := (u128{s.word(), s.word()}).shifted(excess); draw.less(n) {
			return draw
		}
	}
}
