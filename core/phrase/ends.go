package phrase

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// An interval that holds still holds as it is printed: the functions here round its low end down
// and its high end up, and nothing else in the tree writes an end (core/internal/house). A float
// stands for the shortest decimal that is read as that float.

// Ends writes the ends of an interval as a sentence has them, rounded outward to a hundredth of its
// width or less; ends that are whole numbers stay whole.
func Ends(low, high float64) (from, to string) {
	digits := Resolved(low, high)
	if low == math.Trunc(low) && high == math.Trunc(high) {
		digits = min(digits, 0)
	}
	return EndsTo(digits, low, high)
}

// Resolved returns the number of digits behind the point that an interval resolves or, below 0, the
// number of zeros before it: digits down to a hundredth to a thousandth of its width. An interval
// without a width gets as many as it takes to write its ends.
func Resolved(low, high float64) int {
	const most = 12
	if width := high - low; width > 0 && !math.IsInf(width, 0) {
		return min(2-int(math.Floor(math.Log10(width))), most)
	}
	return min(max(decimals(low), decimals(high)), most)
}

// decimals returns the number of digits behind the point of the shortest decimal of x.
func decimals(x float64) int {
	_, fraction, _ := strings.Cut(strconv.FormatFloat(x, 'f', -1, 64), ".")
	return len(fraction)
}

// EndsTo writes the ends of an interval with that many digits behind the point, rounded outward; a
// number below 0 makes them multiples of a power of ten.
func EndsTo(digits int, low, high float64) (from, to string) {
	return directed(low, digits, false), directed(high, digits, true)
}

// ExactEndsTo is EndsTo for rationals and for programs that read them: without groups, and with a
// hyphen.
func ExactEndsTo(digits int, low, high *big.Rat) (from, to string) {
	return decimal(low, digits, false), decimal(high, digits, true)
}

// AtMost writes a bound with three significant figures, rounded up, as of "at most 12 people".
func AtMost(x float64) string { return figures(x, true) }

// AtLeast writes a bound with three significant figures, rounded down.
func AtLeast(x float64) string { return figures(x, false) }

// figures writes a number with three significant figures.
func figures(x float64, up bool) string {
	text := directed(x, 2-exponent(x), up)
	if whole, fraction, point := strings.Cut(text, "."); point && plainDigits(fraction) {
		return strings.TrimSuffix(whole+"."+strings.TrimRight(fraction, "0"), ".")
	}
	return text
}

// Decimal returns the shortest decimal that is read as x, which is finite.
func Decimal(x float64) *big.Rat {
	exact, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'e', -1, 64)) // strconv wrote it
	return exact
}

// powerOfTen is 10^n.
func powerOfTen(n int) *big.Rat {
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))),
		nil))
	if n < 0 {
		power.Inv(power)
	}
	return power
}

// exponent is the power of ten of the first digit of x; 0 where there is none.
func exponent(x float64) int {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	_, power, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(power) // strconv wrote it
	return n
}

// directed writes x in groups, rounded up or down.
func directed(x float64, digits int, up bool) string {
	switch {
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "−∞"
	case math.IsNaN(x):
		return Prose(x)
	}
	exact := Decimal(x)
	if power := exponent(x); power >= 30 { // three figures and a power of ten
		text := decimal(exact.Quo(exact, powerOfTen(power)), 2, up)
		return strings.Replace(text, "-", "−", 1) + " × 10^" + strconv.Itoa(power)
	}
	return GroupedText(decimal(exact, digits, up))
}

// decimal writes x with that many digits behind the point, rounded up or down.
func decimal(x *big.Rat, digits int, up bool) string {
	scale := powerOfTen(digits)
	scaled := new(big.Rat).Mul(x, scale)
	whole := new(big.Int).Div(scaled.Num(), scaled.Denom()) // towards −∞
	if up && !scaled.IsInt() {
		whole.Add(whole, big.NewInt(1))
	}
	return scaled.Quo(scaled.SetInt(whole), scale).FloatString(max(digits, 0))
}
