package privacy

import (
	"math/big"
	"sync"
)

// The functions of this file enclose exp, ln and square root between rationals: X Down ≤ x ≤ X Up,
// each within a relative 2^−120 of the truth. They return dyadic rationals of at most 128
// significant bits. Proof: bounds.md.

// workBits is the precision of the fixed-point integers inside, resultBits that of the results.
const (
	workBits   = 320
	resultBits = 128
)

// largestExponent bounds |x| in ExpUp and ExpDown; e^65536 has 94,549 bits.
const largestExponent = 1 << 16

// ExpUp returns a rational at least e^x. It panics when |x| > 65536.
func ExpUp(x *big.Rat) *big.Rat {
	_, hi := exp(x)
	return hi
}

// ExpDown returns a positive rational at most e^x. It panics when |x| > 65536.
func ExpDown(x *big.Rat) *big.Rat {
	lo, _ := exp(x)
	return lo
}

// LogUp returns a rational at least ln x. It panics when x ≤ 0.
func LogUp(x *big.Rat) *big.Rat {
	_, hi := log(x)
	return hi
}

// LogDown returns a rational at most ln x. It panics when x ≤ 0.
func LogDown(x *big.Rat) *big.Rat {
	lo, _ := log(x)
	return lo
}

// SqrtUp returns a rational at least √x. It panics when x < 0.
func SqrtUp(x *big.Rat) *big.Rat {
	_, hi := sqrt(x)
	return hi
}

// SqrtDown returns a rational at most √x. It panics when x < 0.
func SqrtDown(x *big.Rat) *big.Rat {
	lo, _ := sqrt(x)
	return lo
}

// exp halves |x| until it is below 2^−8, sums the series, and squares back up.
func exp(x *big.Rat) (lo, hi *big.Rat) {
	size := new(big.Rat).Abs(x)
	if size.Cmp(big.NewRat(largestExponent, 1)) > 0 {
		panic("privacy: internal error: exponent of exp is beyond 65536")
	}
	if x.Sign() < 0 {
		lo, hi = exp(size)
		return roundDown(hi.Inv(hi)), roundUp(lo.Inv(lo))
	}
	halvings := 9
	for whole := 1; size.Cmp(big.NewRat(int64(whole), 1)) > 0; whole *= 2 {
		halvings++
	}
	y := new(big.Rat).Quo(size, new(big.Rat).SetInt(pow2(uint(halvings))))
	l, h := expSeries(fixDown(y), fixUp(y))
	for range halvings {
		l, h = mulDown(l, l), mulUp(h, h)
	}
	return roundDown(unfix(l)), roundUp(unfix(h))
}

// expSeries encloses e^y for fixed-point 0 ≤ yl ≤ y ≤ yh ≤ 2^−8. The terms left out after the last
// one, t, are below t/256 + t/256² + … < t together.
func expSeries(yl, yh *big.Int) (lo, hi *big.Int) {
	tl, th := pow2(workBits), pow2(workBits)
	lo, hi = new(big.Int), new(big.Int)
	for i := int64(1); i <= terms && tl.Sign() > 0; i++ {
		lo.Add(lo, tl)
		hi.Add(hi, th)
		tl = mulDown(tl, yl)
		tl.Quo(tl, big.NewInt(i))
		th = divUp(mulUp(th, yh), big.NewInt(i))
	}
	return lo, hi.Add(hi, th.Lsh(th, 1))
}

// terms is how many terms of a series are summed: 256^−48 and 9^−120 are both below 2^−320.
const terms = 120

// log writes x = m·2^k with 1 ≤ m < 2, so ln x = k·ln 2 + 2·artanh((m−1)/(m+1)).
func log(x *big.Rat) (lo, hi *big.Rat) {
	if x.Sign() <= 0 {
		panic("privacy: internal error: logarithm of a number that is not positive")
	}
	k := x.Num().BitLen() - x.Denom().BitLen()
	m := new(big.Rat).Quo(x, ratPow2(k))
	if m.Cmp(one) < 0 {
		k--
		m.Mul(m, ratPow2(1))
	}
	l, h := artanh(new(big.Rat).Quo(new(big.Rat).Sub(m, one), new(big.Rat).Add(m, one)))
	l2, h2 := halfLog2()
	if k < 0 {
		l2, h2 = h2, l2
	}
	l.Add(l, new(big.Int).Mul(l2, big.NewInt(int64(k))))
	h.Add(h, new(big.Int).Mul(h2, big.NewInt(int64(k))))
	return roundDown(unfix(l.Lsh(l, 1))), roundUp(unfix(h.Lsh(h, 1)))
}

// halfLog2 encloses ½·ln 2, which nobody changes.
var halfLog2 = sync.OnceValues(func() (lo, hi *big.Int) { return artanh(big.NewRat(1, 3)) })

// artanh encloses z + z³/3 + z⁵/5 + … for 0 ≤ z ≤ 1/3. The terms left out after z^(2i+1) are below
// a ninth of it and its ninths: z^(2i+1)·(1/8) together.
func artanh(z *big.Rat) (lo, hi *big.Int) {
	pl, ph := fixDown(z), fixUp(z)
	sl, sh := mulDown(pl, pl), mulUp(ph, ph)
	lo, hi = new(big.Int), new(big.Int)
	odd, part, rest := new(big.Int), new(big.Int), new(big.Int)
	for i := int64(0); i < terms; i++ {
		if pl.Sign() == 0 && ph.Cmp(oneInt) == 0 { // so they stay
			hi.Add(hi, big.NewInt(terms-i))
			break
		}
		odd.SetInt64(2*i + 1)
		lo.Add(lo, part.Quo(pl, odd))
		part.QuoRem(ph, odd, rest)
		hi.Add(hi, part)
		if rest.Sign() > 0 {
			hi.Add(hi, oneInt)
		}
		pl.Rsh(part.Mul(pl, sl), workBits)
		ph = mulUp(ph, sh)
	}
	return lo, hi.Add(hi, ph.Lsh(ph, 1))
}

// sqrt takes the whole root of x·4^shift, shift large enough for resultBits significant bits.
func sqrt(x *big.Rat) (lo, hi *big.Rat) {
	if x.Sign() < 0 {
		panic("privacy: internal error: square root of a negative number")
	}
	shift := resultBits + max(0, x.Denom().BitLen()-x.Num().BitLen())
	scaled := new(big.Rat).Mul(x, ratPow2(2*shift))
	l := new(big.Int).Sqrt(floor(scaled))
	up := ceil(scaled)
	h := new(big.Int).Sqrt(up)
	if new(big.Int).Mul(h, h).Cmp(up) < 0 {
		h.Add(h, oneInt)
	}
	unit := ratPow2(-shift)
	return roundDown(new(big.Rat).Mul(new(big.Rat).SetInt(l), unit)),
		roundUp(new(big.Rat).Mul(new(big.Rat).SetInt(h), unit))
}

// never written to
var (
	one    = big.NewRat(1, 1)
	two    = big.NewRat(2, 1)
	six    = big.NewRat(6, 1)
	oneInt = big.NewInt(1)
)

func pow2(bits uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), bits) }

func ratPow2(bits int) *big.Rat {
	if bits < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), pow2(uint(-bits)))
	}
	return new(big.Rat).SetInt(pow2(uint(bits)))
}

// Div rounds down: Denom > 0
func floor(x *big.Rat) *big.Int { return new(big.Int).Div(x.Num(), x.Denom()) }

func ceil(x *big.Rat) *big.Int {
	up := floor(x)
	if !x.IsInt() {
		up.Add(up, oneInt)
	}
	return up
}

// fixDown and fixUp turn a rational into a fixed-point integer of workBits; unfix turns it back.
func fixDown(x *big.Rat) *big.Int {
	scaled := new(big.Int).Lsh(x.Num(), workBits)
	return scaled.Quo(scaled, x.Denom()) // x is at least 0
}
func fixUp(x *big.Rat) *big.Int { return divUp(new(big.Int).Lsh(x.Num(), workBits), x.Denom()) }
func unfix(x *big.Int) *big.Rat { return new(big.Rat).SetFrac(x, pow2(workBits)) }

// mulDown and mulUp multiply two fixed-point numbers of at least 0.
func mulDown(x, y *big.Int) *big.Int {
	product := new(big.Int).Mul(x, y)
	return product.Rsh(product, workBits)
}

func mulUp(x, y *big.Int) *big.Int {
	product := new(big.Int).Mul(x, y)
	exact := product.TrailingZeroBits() >= workBits || product.Sign() == 0
	product.Rsh(product, workBits)
	if !exact {
		product.Add(product, oneInt)
	}
	return product
}

// divUp returns ⌈x/y⌉ for x ≥ 0, y > 0.
func divUp(x, y *big.Int) *big.Int {
	quotient, rest := new(big.Int).QuoRem(x, y, new(big.Int))
	if rest.Sign() > 0 {
		quotient.Add(quotient, oneInt)
	}
	return quotient
}

// roundDown and roundUp give the nearest dyadic rational of resultBits significant bits on their
// side. One that is dyadic and short already stays as it is.
func roundDown(x *big.Rat) *big.Rat { return round(x, floor) }
func roundUp(x *big.Rat) *big.Rat   { return round(x, ceil) }

func round(x *big.Rat, toInt func(*big.Rat) *big.Int) *big.Rat {
	if x.Sign() == 0 {
		return new(big.Rat)
	}
	unit := x.Num().BitLen() - x.Denom().BitLen() - resultBits
	scaled := toInt(new(big.Rat).Mul(x, ratPow2(-unit)))
	return new(big.Rat).Mul(new(big.Rat).SetInt(scaled), ratPow2(unit))
}
