package coin

import (
	"fmt"
	"math"
	"math/big"

	"hush/core/param"
)

// Base is an exact rational number r ≥ 1, held as (num/den)^power and never expanded unless asked.
// A mechanism draws with probabilities that are multiples of r^(−score), and its privacy loss is a
// multiple of ln r. The zero Base is 1. A Base is immutable; copy it freely. Keep one Base for many
// draws: a source recognises a Base it has met and reuses the powers it has computed.
type Base struct {
	fraction *fraction // nil for r = 1
	power    uint64
}

// fraction is num/den > 1 in lowest terms, immutable.
type fraction struct{ num, den *big.Int }

// NewBase returns num/den. It refuses den < 1 and num < den.
func NewBase(num, den int64) (Base, error) {
	if den < 1 || num < den { // H: coin.md base-range
		return Base{}, param.Refuse("coin", "base", fmt.Sprintf("%d/%d", num, den),
			"a fraction of at least 1 with a positive denominator")
	}
	return BaseFromRat(big.NewRat(num, den))
}

// BaseFromRat returns r itself. It refuses nil and r < 1.
func BaseFromRat(r *big.Rat) (Base, error) {
	if r == nil || r.Cmp(one) < 0 {
		return Base{}, param.Refuse("coin", "base", ratText(r),
			"a rational number of at least 1")
	}
	if r.Cmp(one) == 0 {
		return Base{}, nil
	}
	return Base{&fraction{new(big.Int).Set(r.Num()), new(big.Int).Set(r.Denom())}, 1}, nil
}

// The range of exponents ExpBelow accepts, as powers of two.
const (
	minExponentBits = -60
	maxExponentBits = 20
)

// ExpBelow returns a dyadic base r > 1 with exponent·(1 − 2^−90) ≤ ln r ≤ exponent: e^exponent
// rounded towards more privacy. It refuses exponents below 2^−60 and above 2^20.
//
// With x = exponent/p and p = ⌈exponent⌉ it sums the series of e^x, every division rounded down,
// and returns the sum to the power p. fine bits are kept, 96 more than x has leading zeros, and
// guard bits beyond them while summing. The at most 50 terms are each low by less than 4 units,
// which the guard bits hold; cutting those costs one unit of 2^−fine. So the sum is below e^x by
// less than 2^−94·x, and ln r is below p·x by less than 2^−90 of it.
func ExpBelow(exponent *big.Rat) (Base, error) {
	if exponent == nil || exponent.Cmp(powerOfTwo(minExponentBits)) < 0 ||
		exponent.Cmp(powerOfTwo(maxExponentBits)) > 0 {
		return Base{}, param.Refuse("coin", "exponent", ratText(exponent),
			"a number from 2^%d to 2^%d", minExponentBits, maxExponentBits)
	}
	pieces := ceil(exponent)
	x := new(big.Rat).Quo(exponent, new(big.Rat).SetInt(pieces))
	leading := uint(x.Denom().BitLen() - x.Num().BitLen() + 1) // x ≥ 2^−leading
	fine, guard := 96+leading, uint(16)
	width := fine + guard

	fixed := new(big.Int).Lsh(x.Num(), width)
	fixed.Quo(fixed, x.Denom())
	term := new(big.Int).Lsh(big.NewInt(1), width)
	sum := new(big.Int)
	for i := int64(1); term.Sign() > 0; i++ {
		sum.Add(sum, term)
		term.Mul(term, fixed).Rsh(term, width).Quo(term, big.NewInt(i))
	}
	sum.Rsh(sum, guard)
	base, err := BaseFromRat(new(big.Rat).SetFrac(sum, new(big.Int).Lsh(big.NewInt(1), fine)))
	if err != nil {
		return Base{}, err // unreachable: the first term of the sum is 1
	}
	return base.Pow(pieces.Uint64()), nil
}

// Pow returns r^k. It panics when the power held reaches 2^64: powers are public parameters.
func (r Base) Pow(k uint64) Base {
	if r.fraction == nil || k == 0 {
		return Base{}
	}
	if k > math.MaxUint64/r.power {
		panic("coin: internal error: power of a base leaves 64 bits")
	}
	return Base{r.fraction, r.power * k}
}

// Rat returns r in full, which has power times the digits of num/den: for small bases and tests.
func (r Base) Rat() *big.Rat {
	if r.fraction == nil {
		return big.NewRat(1, 1)
	}
	power := new(big.Int).SetUint64(r.power)
	return new(big.Rat).SetFrac(
		new(big.Int).Exp(r.fraction.num, power, nil),
		new(big.Int).Exp(r.fraction.den, power, nil))
}

// IsOne reports whether r = 1, with which every score counts the same.
func (r Base) IsOne() bool { return r.fraction == nil }

// Log returns ln r to about 15 digits, for display and for forecasts; no draw depends on it.
func (r Base) Log() float64 {
	if r.fraction == nil {
		return 0
	}
	num, den := r.fraction.num, r.fraction.den
	excess, _ := new(big.Rat).SetFrac(new(big.Int).Sub(num, den), den).Float64()
	if excess < 1 {
		return float64(r.power) * math.Log1p(excess)
	}
	return float64(r.power) * (logInt(num) - logInt(den))
}

// String prints the base as it is held: "3/2", "(3/2)^7".
func (r Base) String() string {
	switch {
	case r.fraction == nil:
		return "1"
	case r.power == 1:
		return r.fraction.num.String() + "/" + r.fraction.den.String()
	}
	return fmt.Sprintf("(%v/%v)^%d", r.fraction.num, r.fraction.den, r.power)
}

// same reports whether two bases are held alike; equal numbers held differently may give false.
func (r Base) same(other Base) bool {
	if r.power != other.power {
		return false
	}
	a, b := r.fraction, other.fraction
	return a == b || a != nil && b != nil && a.num.Cmp(b.num) == 0 && a.den.Cmp(b.den) == 0
}

var one = big.NewRat(1, 1) // never written to

func powerOfTwo(bits int) *big.Rat {
	if bits < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(-bits)))
	}
	return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(bits)))
}

func ceil(x *big.Rat) *big.Int {
	up := new(big.Int).Add(x.Num(), x.Denom())
	return up.Sub(up, big.NewInt(1)).Quo(up, x.Denom())
}

// logInt returns ln n for n ≥ 1 of any size.
func logInt(n *big.Int) float64 {
	shift := max(n.BitLen()-64, 0)
	top, _ := new(big.Float).SetInt(new(big.Int).Rsh(n, uint(shift))).Float64()
	return math.Log(top) + float64(shift)*math.Ln2
}

func ratText(r *big.Rat) string {
	if r == nil {
		return "nothing"
	}
	return r.RatString()
}
