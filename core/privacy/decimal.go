package privacy

import (
	"math/big"
	"strconv"
	"strings"
)

// Numbers that a person types have at most longestNumber characters; rationals that travel as JSON
// may be longer. Together with largestPower this keeps any text from asking for a rational of
// unreasonable size.
const (
	longestNumber = 64
	longestExact  = 1 << 16
	largestPower  = 200
)

// parseNumber reads a decimal ("0.1", "1e-6") or a fraction of whole numbers ("1/3") as the exact
// rational it says: "0.1" is 1/10. No sign is accepted, and no space inside. ok is false for any
// other text and for one longer than longest.
func parseNumber(text string, longest int) (r *big.Rat, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) > longest {
		return nil, false
	}
	if num, den, isFraction := strings.Cut(text, "/"); isFraction {
		if !isDigits(num) || !isDigits(den) {
			return nil, false
		}
		return new(big.Rat).SetString(num + "/" + den) // fails for a zero denominator
	}
	mantissa, power := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		exponent := text[i+1:]
		digits := strings.TrimPrefix(strings.TrimPrefix(exponent, "+"), "-")
		if !isDigits(digits) || len(exponent)-len(digits) > 1 {
			return nil, false
		}
		p, err := strconv.Atoi(exponent)
		if err != nil || p > largestPower || p < -largestPower {
			return nil, false
		}
		mantissa, power = text[:i], p
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if !isDigits(whole + fraction) {
		return nil, false
	}
	n, _ := new(big.Int).SetString(whole+fraction, 10)
	r = new(big.Rat).SetInt(n)
	power -= len(fraction)
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(power, -power))), nil)
	if power >= 0 {
		return r.Mul(r, new(big.Rat).SetInt(ten)), true
	}
	return r.Quo(r, new(big.Rat).SetInt(ten)), true
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// printNumber writes r exactly: as a decimal when it has one of at most 40 places ("0.1"), else as
// a fraction ("1/3"). parseNumber reads either back unless it is longer than longestNumber.
func printNumber(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	places, exact := r.FloatPrec()
	if !exact || places > 40 {
		return r.RatString()
	}
	return r.FloatString(places)
}

// NumberDown writes r ≥ 0 as a decimal that [ParseNumber] reads: exactly where that is short, else
// rounded down to 12 digits, and to 0 below 10^-27.
func NumberDown(r *big.Rat) string {
	const short, digits, least = 24, 12, -27
	if text := printNumber(r); len(text) <= short && !strings.Contains(text, "/") {
		return text
	}
	if r.Sign() <= 0 || decimalPlace(r) < least {
		return "0"
	}
	return printNumber(digitsDown(r, digits))
}

// BriefDown writes r ≥ 0 for readers: exactly where 4 digits do, else rounded down to these and
// marked "…".
func BriefDown(r *big.Rat) string {
	if r.Sign() <= 0 {
		return "0"
	}
	down := digitsDown(r, 4)
	if down.Cmp(r) < 0 {
		return printNumber(down) + "…"
	}
	return printNumber(down)
}

// ParseNumber reads a decimal or a fraction of whole numbers of at most 64 characters, without a
// sign.
func ParseNumber(text string) (*big.Rat, bool) { return parseNumber(text, longestNumber) }
