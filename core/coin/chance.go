package coin

import (
	"fmt"
	"math/big"
)

// Chance is an exact probability: num/den · r^(−power), or one minus that. It holds the power as it
// is, so a chance of 2^(−2^63) is as cheap as one half. A Chance is immutable. The zero Chance is
// never.
type Chance struct {
	num, den   uint64     // when long is nil; den = 0 stands for 0/1
	long       *longRatio // otherwise
	base       Base
	power      uint64
	complement bool
}

// longRatio is num/den, beyond 64 bits, with its enclosure computed once. It is immutable.
type longRatio struct {
	num, den *big.Int
	near     bounds
}

// Ratio returns num/den. It panics unless num ≤ den and den ≥ 1: a chance above 1 is a mistake of
// the caller.
func Ratio(num, den uint64) Chance {
	if den == 0 || num > den { // H: coin.md chance-range
		panic("coin: internal error: chance outside [0, 1]")
	}
	return Chance{num: num, den: den}
}

// RatioBig is [Ratio] for numbers of any size. It keeps no reference to them.
func RatioBig(num, den *big.Int) Chance {
	if num.Sign() < 0 || den.Sign() <= 0 || num.Cmp(den) > 0 { // H: coin.md chance-range
		panic("coin: internal error: chance outside [0, 1]")
	}
	if den.IsUint64() {
		return Chance{num: num.Uint64(), den: den.Uint64()}
	}
	return Chance{
		long: &longRatio{new(big.Int).Set(num), new(big.Int).Set(den),
			quotient(num, den, 128).bounds()}}
}

// RatioTimesPower returns num/den·r^(−power), where num/den may be above 1 and the product may not
// (H: coin.md at-most-one): it panics where that is surely above 1. It keeps no reference to num
// and den.
func RatioTimesPower(num, den *big.Int, r Base, power uint64) Chance {
	if num.Sign() < 0 || den.Sign() <= 0 {
		panic("coin: internal error: chance outside [0, 1]")
	}
	c := Chance{long: &longRatio{new(big.Int).Set(num), new(big.Int).Set(den),
		quotient(num, den, 128).bounds()}}.TimesPower(r, power)
	if low, _ := c.enclose(64).fixed(32); low.Cmp(big.NewInt(1<<32)) > 0 {
		panic("coin: internal error: chance outside [0, 1]")
	}
	return c
}

// TimesPower returns the chance times r^(−power). A chance holds one base and one power: it panics
// when the chance already has a power other than of the same base, or is a complement.
func (c Chance) TimesPower(r Base, power uint64) Chance {
	if r.IsOne() || power == 0 {
		return c
	}
	// H: coin.md one-power
	if c.complement || c.power > 0 && !c.base.same(r) || c.power+power < power {
		panic("coin: internal error: this chance holds no further power")
	}
	c.base, c.power = r, c.power+power
	return c
}

// Complement returns one minus the chance.
func (c Chance) Complement() Chance {
	c.complement = !c.complement
	return c
}

// Rat returns the chance in full: for the enumerating source and for tests.
func (c Chance) Rat() *big.Rat {
	p := new(big.Rat).SetFrac(c.fraction())
	if c.power > 0 {
		p.Quo(p, c.base.Pow(c.power).Rat())
	}
	if c.complement {
		p.Sub(one, p)
	}
	return p
}

// fraction returns num and den as integers not to be written to.
func (c Chance) fraction() (num, den *big.Int) {
	if c.long != nil {
		return c.long.num, c.long.den
	}
	return new(big.Int).SetUint64(c.num), new(big.Int).SetUint64(max(c.den, 1))
}

// enclose encloses the chance before it is complemented.
func (c Chance) enclose(prec uint) interval {
	num, den := c.fraction()
	p := quotient(num, den, prec)
	if c.power > 0 {
		// The error of 1/r grows with the powers taken of it, by 64 bits each at most.
		p = p.times(c.base.inverse(c.power, prec+128), prec)
	}
	return p
}

// ratio encloses num/den to 64 bits.
func (c Chance) ratio() bounds {
	if c.long != nil {
		return c.long.near
	}
	return whole(c.num).over(whole(max(c.den, 1)))
}

// String prints the chance as it is held: "2/7", "1 − 1/2·(3/2)^−4".
func (c Chance) String() string {
	text := "0"
	switch {
	case c.long != nil:
		text = c.long.num.String() + "/" + c.long.den.String()
	case c.den > 0:
		text = fmt.Sprintf("%d/%d", c.num, c.den)
	}
	if c.power > 0 {
		text += fmt.Sprintf("·(%v)^−%d", c.base, c.power)
	}
	if c.complement {
		return "1 − " + text
	}
	return text
}
