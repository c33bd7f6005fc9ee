package basic

import (
	"math/big"
	"math/bits"
)

// weight is the number m·2^exp with 2^63 ≤ m < 2^64, or zero when m = 0. Results are rounded down,
// each by less than 2^−62 of itself: good for proposals, which an exact coin corrects.
type weight struct {
	m   uint64
	exp int64
}

func (x weight) times(y weight) weight {
	if x.m == 0 || y.m == 0 {
		return weight{}
	}
	hi, lo := bits.Mul64(x.m, y.m)
	exp := x.exp + y.exp + 64
	if hi>>63 == 0 {
		hi, exp = hi<<1|lo>>63, exp-1
	}
	return weight{hi, exp}
}

func (x weight) plus(y weight) weight {
	if x.m == 0 || y.m > 0 && x.exp < y.exp {
		x, y = y, x
	}
	// shifts by 64 and more give 0 in Go
	sum, carry := bits.Add64(x.m, y.m>>uint64(x.exp-y.exp), 0)
	switch {
	case y.m == 0:
		return x
	case carry > 0:
		return weight{sum>>1 | 1<<63, x.exp + 1}
	}
	return weight{sum, x.exp}
}

var one = whole(1) // never written to

// whole returns n ≥ 1 as a weight.
func whole(n uint64) weight {
	shift := bits.LeadingZeros64(n)
	return weight{n << shift, -int64(shift)}
}

// over returns x/n, n ≥ 1.
func (x weight) over(n uint64) weight {
	y := whole(n)
	if x.m == 0 {
		return weight{}
	}
	if x.m < y.m {
		m, _ := bits.Div64(x.m, 0, y.m)
		return weight{m, x.exp - y.exp - 64}
	}
	m, _ := bits.Div64(x.m>>1, x.m<<63, y.m)
	return weight{m, x.exp - y.exp - 63}
}

// weightOf returns n ≥ 0 as a weight.
func weightOf(n *big.Int) weight {
	if n.Sign() == 0 {
		return weight{}
	}
	extra := n.BitLen() - 64
	if extra <= 0 {
		return whole(n.Uint64())
	}
	return weight{new(big.Int).Rsh(n, uint(extra)).Uint64(), int64(extra)}
}

// powersBelow holds r^(−2^j), r > 1: products of these are r^(−d) for all d below 2^38. Those
// beyond 2^−2^31 are 0; no distance has one, since ε·n stays below 2^24.
func powersBelow(r *big.Rat) (squares [38]weight) {
	const precision = 256 // a square doubles the relative error
	x := new(big.Float).SetPrec(precision).SetInt(r.Denom())
	x.Quo(x, new(big.Float).SetPrec(precision).SetInt(r.Num()))
	for j := range squares {
		mantissa := new(big.Float)
		exp := x.MantExp(mantissa) // x = mantissa·2^exp, ½ ≤ mantissa < 1
		m, _ := mantissa.SetMantExp(mantissa, 64).Uint64()
		squares[j] = weight{m, int64(exp) - 64}
		x.Mul(x, x)
	}
	return squares
}

// proposal holds whole numbers in proportion to weights, one more where they would be rounded down:
// for a positive weight they are positive.
type proposal struct {
	parts []uint64
	sum   uint64
}

// proposalBits is the number of bits of the largest part. At most 2^18 parts add up to less than
// 2^62.
const proposalBits = 43

func propose(weights []weight) proposal {
	var largest weight
	for _, w := range weights {
		if w.m > 0 && (largest.m == 0 || w.exp > largest.exp) {
			largest = w
		}
	}
	p := proposal{parts: make([]uint64, len(weights))}
	for i, w := range weights {
		if w.m > 0 {
			p.parts[i] = w.m>>uint64(largest.exp-w.exp+64-proposalBits) + 1
			p.sum += p.parts[i]
		}
	}
	return p
}

// Len and Group are the methods for Choose.
func (p proposal) Len() int                              { return len(p.parts) }
func (p proposal) Group(i int) (int64, uint64, *big.Int) { return 0, p.parts[i], nil }
