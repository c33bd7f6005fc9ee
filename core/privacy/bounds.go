package privacy

import (
	"math/big"
	"sync"
)

// The functions of this file enclose exp, ln and square root between rationals: X Down ≤ x ≤ X Up,
// each within a relative 2^−120 of the truth. They return dyadic rationals of at most 128
// significant bits. Proof: bounds.md.

// workBits is the precision of the fixed-point integers used inside, resultBits the precision of
// the results.
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

// Log returns LogDown and LogUp in the time of one of them.
func Log(x *big.Rat) (down, up *big.Rat) { return log(x) }

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
	if size.Cmp(big.NewRat(largestExponent, 1)) > 0 { // H: bounds.md exponent
		panic("privacy: internal error: exponent of exp is beyond 65536")
	}
	if x.Sign() < 0 {
		lo, hi = exp(size)
		return roundDown(hi.Inv(hi)), roundUp(lo.Inv(lo))
	}
	if x.Sign() == 0 {
		return big.NewRat(1, 1), big.NewRat(1, 1)
	}
	l, h := expFixed(size)
	return shorten(l, workBits, false), shorten(h, workBits, true)
}

// expFixed encloses e^size in units of 2^−workBits.
func expFixed(size *big.Rat) (l, h *big.Int) {
	halvings := uint(9)
	for whole := 1; size.Cmp(big.NewRat(int64(whole), 1)) > 0; whole *= 2 {
		halvings++
	}
	y := new(big.Int).Lsh(size.Num(), workBits)
	l, h = expSeries(y.Quo(y, new(big.Int).Lsh(size.Denom(), halvings)))
	for range halvings {
		l, h = mulDown(l, l), mulUp(h, h)
	}
	return l, h
}

// expSeries encloses e^y for 0 ≤ y ≤ 2^−8, given y's fixed-point number rounded down. Each term is
// at most 2 units too small; the terms after the last one, t, are below t/256 + t/256² + … < t
// together.
func expSeries(y *big.Int) (lo, hi *big.Int) {
	term, product := pow2(workBits), new(big.Int)
	lo, i := new(big.Int), int64(1)
	for ; i <= terms && term.Sign() > 0; i++ {
		lo.Add(lo, term)
		product.Rsh(product.Mul(term, y), workBits)
		term.Quo(product, big.NewInt(i))
	}
	rest := term.Lsh(term, 1)
	return lo, rest.Add(rest, lo).Add(rest, big.NewInt(2*i+4))
}

// terms is the number of terms summed in a series: 256^−48 and 25^−70 are both below 2^−320.
const terms = 120

// log writes x = m·2^k with 3/4 ≤ m < 3/2, so ln x = k·ln 2 + 2·artanh((m−1)/(m+1)).
func log(x *big.Rat) (lo, hi *big.Rat) {
	if x.Sign() <= 0 { // H: bounds.md logarithm
		panic("privacy: internal error: logarithm of a number that is not positive")
	}
	l, h := logFixed(x)
	return shorten(l, workBits-1, false), shorten(h, workBits-1, true)
}

// logFixed encloses ln x in units of 2^(1−workBits).
func logFixed(x *big.Rat) (l, h *big.Int) {
	k := x.Num().BitLen() - x.Denom().BitLen() - 1
	n := new(big.Int).Lsh(x.Num(), uint(max(-k, 0)))
	d := new(big.Int).Lsh(x.Denom(), uint(max(k, 0))) // n/d is above 1, and below 4
	double := new(big.Int).Lsh(n, 1)
	for three := big.NewInt(3); double.Cmp(new(big.Int).Mul(d, three)) >= 0; k++ {
		d.Lsh(d, 1)
	}
	below := n.Cmp(d) < 0
	l, h = artanh(new(big.Int).Sub(n, d), new(big.Int).Add(n, d))
	if below {
		l, h = h.Neg(h), l.Neg(l)
	}
	l2, h2 := halfLog2()
	if k < 0 {
		l2, h2 = h2, l2
	}
	l.Add(l, new(big.Int).Mul(l2, big.NewInt(int64(k))))
	h.Add(h, new(big.Int).Mul(h2, big.NewInt(int64(k))))
	return l, h
}

// halfLog2 encloses ½·ln 2; it is never written to.
var halfLog2 = sync.OnceValues(func() (lo, hi *big.Int) {
	return artanh(big.NewInt(1), big.NewInt(3))
})

// artanh encloses z + z³/3 + z⁵/5 + … for z = |n|/d ≤ 1/3. Each power is at most 2 units too small,
// each term 3. The terms left out after z^(2i+1) are below a ninth of it and its ninths: z^(2i+1)/8
// together.
func artanh(n, d *big.Int) (lo, hi *big.Int) {
	lo = new(big.Int)
	if n.Sign() == 0 {
		return lo, new(big.Int)
	}
	power := new(big.Int).Lsh(new(big.Int).Abs(n), workBits)
	power.Quo(power, d)
	square := mulDown(power, power)
	odd, part, i := new(big.Int), new(big.Int), int64(0)
	for ; i < terms && power.Sign() > 0; i++ {
		lo.Add(lo, part.Quo(power, odd.SetInt64(2*i+1)))
		power.Rsh(part.Mul(power, square), workBits)
	}
	rest := power.Lsh(power, 1)
	return lo, rest.Add(rest, lo).Add(rest, big.NewInt(3*i+4))
}

// sqrt takes the whole root of x·4^shift, shift large enough for resultBits significant bits.
func sqrt(x *big.Rat) (lo, hi *big.Rat) {
	if x.Sign() < 0 { // H: bounds.md root
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
	return shorten(l, shift, false), shorten(h, shift, true)
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

// fixDown and fixUp convert a rational to a fixed-point integer of workBits; unfix converts it
// back.
func fixDown(x *big.Rat) *big.Int {
	scaled := new(big.Int).Lsh(x.Num(), workBits)
	return scaled.Quo(scaled, x.Denom()) // x is at least 0
}
func fixUp(x *big.Rat) *big.Int { return divUp(new(big.Int).Lsh(x.Num(), workBits), x.Denom()) }
func unfix(x *big.Int) *big.Rat { return dyadic(x, -workBits) }

// mulDown and mulUp multiply two non-negative fixed-point numbers.
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

// roundDown and roundUp return the nearest dyadic rational of resultBits significant bits on their
// side. A number that is already dyadic and short stays as it is.
func roundDown(x *big.Rat) *big.Rat { return round(x, false) }
func roundUp(x *big.Rat) *big.Rat   { return round(x, true) }

func round(x *big.Rat, up bool) *big.Rat {
	n, d := x.Num(), x.Denom()
	if bits := d.TrailingZeroBits(); d.BitLen() == int(bits)+1 {
		return shorten(n, int(bits), up)
	}
	unit := n.BitLen() - d.BitLen() - resultBits
	scaled := new(big.Int).Lsh(n, uint(max(-unit, 0)))
	scaled.Div(scaled, new(big.Int).Lsh(d, uint(max(unit, 0)))) // down: d > 0, with a remainder
	if up {
		scaled.Add(scaled, oneInt)
	}
	return dyadic(scaled, unit)
}

// shorten rounds x/2^bits.
func shorten(x *big.Int, bits int, up bool) *big.Rat {
	drop := x.BitLen() - resultBits - 1
	if drop <= 0 {
		return dyadic(x, -bits)
	}
	short := new(big.Int).Rsh(x, uint(drop)) // down
	if up && x.TrailingZeroBits() < uint(drop) {
		short.Add(short, oneInt)
	}
	return dyadic(short, drop-bits)
}

// dyadic returns x·2^exponent.
func dyadic(x *big.Int, exponent int) *big.Rat {
	zeros := x.TrailingZeroBits() // leaves little to reduce
	odd := new(big.Int).Rsh(x, zeros)
	if exponent += int(zeros); exponent >= 0 {
		return new(big.Rat).SetInt(odd.Lsh(odd, uint(exponent)))
	}
	return new(big.Rat).SetFrac(odd, pow2(uint(-exponent)))
}
