package coin

import (
	"math"
	"math/big"
	"math/bits"
)

// dyadic is the number m·2^exp with 2^63 ≤ m < 2^64, or zero when m = 0: the 64-bit form in which
// almost every draw is decided.
type dyadic struct {
	m   uint64
	exp int64
}

// bounds encloses a number between two dyadics; it is the fast form of interval.
type bounds struct{ lo, hi dyadic }

var unit = bounds{dyadic{1 << 63, -63}, dyadic{1 << 63, -63}} // exactly 1; never written to

// times returns x·y, lo rounded down and hi rounded up.
func (x bounds) times(y bounds) bounds {
	return bounds{mulDown(x.lo, y.lo), mulUp(x.hi, y.hi)}
}

func mulDown(x, y dyadic) dyadic {
	exp := x.exp + y.exp + 64
	if x.m == 0 || y.m == 0 || exp < tiny {
		return dyadic{}
	}
	hi, lo := bits.Mul64(x.m, y.m)
	if hi>>63 == 0 {
		hi, exp = hi<<1|lo>>63, exp-1
	}
	return dyadic{hi, exp}
}

func mulUp(x, y dyadic) dyadic {
	exp := x.exp + y.exp + 64
	if x.m == 0 || y.m == 0 {
		return dyadic{}
	}
	if exp < tiny {
		return dyadic{1 << 63, tiny}
	}
	hi, lo := bits.Mul64(x.m, y.m)
	if hi>>63 == 0 {
		hi, lo, exp = hi<<1|lo>>63, lo<<1, exp-1
	}
	if lo > 0 {
		if hi++; hi == 0 {
			return dyadic{1 << 63, exp + 1}
		}
	}
	return dyadic{hi, exp}
}

// over returns x/y for y > 0.
func (x bounds) over(y bounds) bounds {
	lo, _ := divide(x.lo, y.hi)
	hi, exact := divide(x.hi, y.lo)
	if !exact {
		if hi.m++; hi.m == 0 {
			hi = dyadic{1 << 63, hi.exp + 1}
		}
	}
	return bounds{lo, hi}
}

// divide returns x/y rounded down, and whether nothing was lost.
func divide(x, y dyadic) (q dyadic, exact bool) {
	switch {
	case x.m == 0:
		return dyadic{}, true
	case x.m < y.m:
		m, rest := bits.Div64(x.m, 0, y.m)
		return dyadic{m, x.exp - y.exp - 64}, rest == 0
	default:
		m, rest := bits.Div64(x.m>>1, x.m<<63, y.m)
		return dyadic{m, x.exp - y.exp - 63}, rest == 0
	}
}

// down returns ⌊x·2^−exp⌋, or a lower bound of it where it leaves 64 bits.
func (x dyadic) down(exp int64) uint64 {
	switch shift := exp - x.exp; {
	case x.m == 0 || shift >= 64:
		return 0
	case shift < 0:
		return math.MaxUint64
	default:
		return x.m >> shift
	}
}

// up returns ⌈x·2^−exp⌉; large reports that this exceeds 64 bits.
func (x dyadic) up(exp int64) (n uint64, large bool) {
	switch shift := exp - x.exp; {
	case x.m == 0:
		return 0, false
	case shift >= 64:
		return 1, false
	case shift < 0:
		return 0, true
	default:
		if n = x.m >> shift; n<<shift != x.m {
			n++
		}
		return n, false
	}
}

// bounds shortens an interval to 64 bits on either side.
func (x interval) bounds() bounds {
	return bounds{topDown(x.lo, x.exp), topUp(x.hi, x.exp)}
}

func topDown(n *big.Int, exp int64) dyadic {
	if n.Sign() == 0 {
		return dyadic{}
	}
	m, shift := top(n)
	return dyadic{m, exp + shift}
}

func topUp(n *big.Int, exp int64) dyadic {
	if n.Sign() == 0 {
		return dyadic{}
	}
	m, shift := top(n)
	if shift > 0 && n.TrailingZeroBits() < uint(shift) {
		if m++; m == 0 {
			return dyadic{1 << 63, exp + shift + 1}
		}
	}
	return dyadic{m, exp + shift}
}

// top returns the leading 64 bits of n ≥ 1 and the shift with m·2^shift ≤ n < (m+1)·2^shift.
func top(n *big.Int) (m uint64, shift int64) {
	extra := n.BitLen() - 64
	if extra <= 0 {
		m = n.Uint64()
		return m << uint(-extra), int64(extra)
	}
	return new(big.Int).Rsh(n, uint(extra)).Uint64(), int64(extra)
}

// whole encloses the integer n exactly.
func whole(n uint64) bounds {
	if n == 0 {
		return bounds{}
	}
	shift := bits.LeadingZeros64(n)
	x := dyadic{n << shift, -int64(shift)}
	return bounds{x, x}
}
