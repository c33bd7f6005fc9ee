package coin

import "math/big"

// interval encloses a number x ≥ 0 between two integers times a power of two: lo·2^exp ≤ x ≤
// hi·2^exp. Every operation rounds lo down and hi up, so the number stays inside. prec is the
// number of bits that hi may have, plus one after a carry.
type interval struct {
	lo, hi *big.Int
	exp    int64
}

// tiny is the exponent below which a number is enclosed as [0, 2^tiny]. It is so small that a
// comparison with a uniform number never gets there, and so far from the end of int64 that sums of
// two exponents do not overflow.
const tiny = -1 << 61

// round shortens both ends to prec bits.
func (x interval) round(prec uint) interval {
	if x.exp+int64(x.hi.BitLen()) < tiny {
		return interval{new(big.Int), big.NewInt(1), tiny}
	}
	if extra := x.hi.BitLen() - int(prec); extra > 0 {
		return interval{new(big.Int).Rsh(x.lo, uint(extra)), shiftUp(x.hi, uint(extra)),
			x.exp + int64(extra)}
	}
	return x
}

// times returns x·y.
func (x interval) times(y interval, prec uint) interval {
	return interval{new(big.Int).Mul(x.lo, y.lo), new(big.Int).Mul(x.hi, y.hi),
		x.exp + y.exp}.round(prec)
}

// pow returns x^k by squaring. The relative error of x grows about k-fold.
func (x interval) pow(k uint64, prec uint) interval {
	result := interval{big.NewInt(1), big.NewInt(1), 0}
	for ; k > 0; k >>= 1 {
		if k&1 == 1 {
			result = result.times(x, prec)
		}
		if k > 1 {
			x = x.times(x, prec)
		}
	}
	return result
}

// fixed returns integers lo ≤ x·2^bits ≤ hi.
func (x interval) fixed(bits uint) (lo, hi *big.Int) {
	shift := x.exp + int64(bits)
	if shift >= 0 {
		return new(big.Int).Lsh(x.lo, uint(shift)), new(big.Int).Lsh(x.hi, uint(shift))
	}
	if -shift > int64(x.hi.BitLen()) {
		return new(big.Int), big.NewInt(1)
	}
	return new(big.Int).Rsh(x.lo, uint(-shift)), shiftUp(x.hi, uint(-shift))
}

// quotient encloses num/den, num ≥ 0 and den ≥ 1. Of very long numbers it reads the leading bits
// only.
func quotient(num, den *big.Int, prec uint) interval {
	n, d := leading(num, prec+2), leading(den, prec+2)
	shift := uint(max(int(prec)+1+d.hi.BitLen()-n.hi.BitLen(), 0))
	lo := new(big.Int).Lsh(n.lo, shift)
	lo.Quo(lo, d.hi)
	hi, rest := new(big.Int).Lsh(n.hi, shift), new(big.Int)
	if hi.QuoRem(hi, d.lo, rest); rest.Sign() > 0 {
		hi.Add(hi, bigOne)
	}
	return interval{lo, hi, n.exp - d.exp - int64(shift)}.round(prec)
}

// leading encloses n ≥ 0 by its leading bits.
func leading(n *big.Int, prec uint) interval {
	extra := n.BitLen() - int(prec)
	if extra <= 0 {
		return interval{n, n, 0}
	}
	lo := new(big.Int).Rsh(n, uint(extra))
	return interval{lo, new(big.Int).Add(lo, bigOne), int64(extra)}
}

// shiftUp returns ⌈n/2^shift⌉ for n ≥ 0.
func shiftUp(n *big.Int, shift uint) *big.Int {
	up := new(big.Int).Rsh(n, shift)
	if n.Sign() > 0 && n.TrailingZeroBits() < shift {
		up.Add(up, bigOne)
	}
	return up
}

var bigOne = big.NewInt(1) // never written to
