package codebook

import (
	"math/big"
	"strconv"
	"strings"

	"hush/core/domain"
)

// number reads a bound exactly; ok is false if the text is not a number. The longest float64 in
// full has about as many digits as maxBound, and an exponent is within float64's.
func number(text string, kind domain.Kind) (x *big.Rat, ok bool) {
	if len(text) > maxBound || strings.ContainsAny(text, "/_xXpP") {
		return nil, false
	}
	if kind == domain.Float64 {
		f, err := strconv.ParseFloat(text, 64)
		if x := new(big.Rat).SetFloat64(f); err == nil && x != nil { // nil: an infinity
			return x, true
		}
		return nil, false
	}
	if strings.ContainsAny(text, "eE") {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// decimal writes a rational with a finite decimal expansion in the fewest digits.
func decimal(x *big.Rat) string {
	places, _ := x.FloatPrec()
	return x.FloatString(places)
}

// power returns 10^k.
func power(k int) *big.Rat {
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(k, -k))), nil)
	if k < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), ten)
	}
	return new(big.Rat).SetInt(ten)
}

// The exponents of round numbers: all domains of numbers lie between them.
const leastPower, mostPower = -18, 308

// rungs returns the first n numbers 1, 2, 5 × 10^k above x, which is at least 0.
func rungs(x *big.Rat, n int) (list []*big.Rat) {
	for k := leastPower; k <= mostPower && len(list) < n; k++ {
		// Most powers are far below.
		if next := power(k + 1); next.Cmp(x) <= 0 {
			continue
		}
		for _, m := range []int64{1, 2, 5} {
			r := power(k)
			if r.Mul(r, big.NewRat(m, 1)); r.Cmp(x) > 0 && len(list) < n {
				list = append(list, r)
			}
		}
	}
	return list
}

// floor returns the largest whole number of units ≤ x, and ceil the smallest ≥ x.
func floor(x, unit *big.Rat) *big.Int {
	q := new(big.Rat).Quo(x, unit)
	return new(big.Int).Div(q.Num(), q.Denom()) // Euclidean: down, for a denominator above 0
}

func ceil(x, unit *big.Rat) *big.Int {
	n := floor(new(big.Rat).Neg(x), unit)
	return n.Neg(n)
}

// times returns n units.
func times(n *big.Int, unit *big.Rat) *big.Rat {
	return new(big.Rat).Mul(new(big.Rat).SetInt(n), unit)
}
