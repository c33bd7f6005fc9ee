package coin

import (
	"math/big"
	"math/bits"
)

// bitSource turns uniform bits into decisions: the machinery that the crypto and the seeded source
// share.
//
// A probability p is compared with a uniform number U = 0.b1 b2 b3 … whose bits are drawn only as
// far as needed. With the first n bits read, U lies in [u, u+1)·2^−n; with integers lo ≤ p·2^n ≤ hi
// the comparison U < p is decided true when u < lo and false when u ≥ hi, and n doubles otherwise.
// U itself is never rounded, so the law is exact: coin.md, Theorem 1.
type bitSource struct {
	entropy
	tables
	origin Origin
}

var _ Source = (*bitSource)(nil)

func (s *bitSource) Origin() Origin { return s.origin }

func (s *bitSource) Bernoulli(p Chance) bool {
	if p.complement {
		return !s.Bernoulli(p.Complement())
	}
	if p.long == nil && p.power == 0 {
		if p.num == 0 || p.num == p.den {
			return p.num > 0
		}
		return s.Uniform(p.den) < p.num
	}
	approximate := p.ratio()
	if p.power > 0 {
		approximate = approximate.times(s.of(p.base).bounds(p.power))
	}
	return s.decide(approximate, p.enclose)
}

// decide returns true with the probability p that approximate encloses, and enclose to any
// precision.
func (s *bitSource) decide(approximate bounds, enclose func(prec uint) interval) bool {
	u := s.word()
	if below, decided := compare(u, approximate); decided {
		return below
	}
	return newDraw(s, u).below(enclose)
}

// compare decides whether U < p, if it is the same for every U whose first 64 bits are u and every
// p within the bounds.
func compare(u uint64, p bounds) (below, decided bool) {
	if u < p.lo.down(-64) {
		return true, true
	}
	hi, large := p.hi.up(-64)
	return false, u >= hi && !large
}

// draw is a uniform number in [0, 1) of which the first n bits are known.
type draw struct {
	source *bitSource
	known  *big.Int
	n      uint
}

func newDraw(s *bitSource, u uint64) *draw { return &draw{s, new(big.Int).SetUint64(u), 64} }

// below reports whether the number is below p, drawing further bits until that is known.
func (d *draw) below(enclose func(prec uint) interval) bool {
	for {
		lo, hi := enclose(d.n + 16).fixed(d.n)
		if d.known.Cmp(lo) < 0 {
			return true
		}
		if d.known.Cmp(hi) >= 0 {
			return false
		}
		d.known = d.source.extend(d.known, d.n)
		d.n *= 2
	}
}

// extend appends n fresh bits to x, n a multiple of 64.
func (s *bitSource) extend(x *big.Int, n uint) *big.Int {
	fresh := new(big.Int)
	for ; n > 0; n -= 64 {
		x.Lsh(x, 64).Or(x, fresh.SetUint64(s.word()))
	}
	return x
}

func (s *bitSource) Uniform(n uint64) uint64 {
	if n == 0 { // H: coin.md some-number
		panic("coin: internal error: uniform choice among nothing")
	}
	// Lemire (2019), Algorithm 5: of the 2^64 words, each result gets exactly ⌊2^64/n⌋, the rest
	// are drawn again.
	hi, lo := bits.Mul64(s.word(), n)
	if lo < n {
		for threshold := -n % n; lo < threshold; {
			hi, lo = bits.Mul64(s.word(), n)
		}
	}
	return hi
}

func (s *bitSource) UniformBig(n *big.Int) *big.Int {
	if n.Sign() <= 0 { // H: coin.md some-number
		panic("coin: internal error: uniform choice among nothing")
	}
	// As many bits as n−1 has, drawn again until below n: at most two tries on average.
	length := uint(new(big.Int).Sub(n, bigOne).BitLen())
	excess := -length % 64
	for {
		x := s.extend(new(big.Int), length+excess)
		if x.Rsh(x, excess); x.Cmp(n) < 0 {
			return x
		}
	}
}
