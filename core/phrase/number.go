package phrase

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// space stands between groups of three digits, and a line does not break at it.
const space = "\u00a0"

// Grouped writes a whole number in groups of three digits, from 1 000 on: 1 234 567.
func Grouped(n int64) string { return GroupedText(strconv.FormatInt(n, 10)) }

// GroupedText writes a decimal number, given as text, in groups of three digits before its point;
// any other text stays as it is.
func GroupedText(text string) string {
	sign, digits := "", text
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, digits = "−", rest
	}
	whole, fraction, point := strings.Cut(digits, ".")
	if !plainDigits(whole) || point && !plainDigits(fraction) {
		return text
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + space + whole[i:]
	}
	if point {
		whole += "." + fraction
	}
	return sign + whole
}

func plainDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// Prose writes a number as a sentence has it, and every other place that shows one: three
// significant figures, in groups of three digits, with a true minus sign. What would take more than
// thirty digits is written with a power of ten.
func Prose(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return strings.Replace(strconv.FormatFloat(x, 'g', -1, 64), "Inf", "∞", 1)
	}
	text := strconv.FormatFloat(x, 'e', 2, 64)
	three, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		panic("phrase: internal error: " + err.Error()) // unreachable: it was just written
	}
	if size := math.Abs(three); size != 0 && (size < 1e-30 || size >= 1e30) {
		digits, exponent, _ := strings.Cut(text, "e")
		if strings.Contains(digits, ".") {
			digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
		}
		power, _ := strconv.Atoi(exponent)
		return strings.ReplaceAll(fmt.Sprintf("%s × 10^%d", digits, power), "-", "−")
	}
	return GroupedText(strconv.FormatFloat(three, 'f', -1, 64))
}

// Chance writes a small probability as "1 in 10 million", never understating it.
func Chance(p *big.Rat) Phrase {
	if p.Sign() <= 0 {
		return Plain("0")
	}
	inverse := new(big.Int).Quo(p.Denom(), p.Num())
	n, _ := new(big.Float).SetInt(inverse).Float64()
	if n < 1000 || n >= 1e15 {
		if n >= 1e15 {
			return Of("1 in 10^%d", len(inverse.String())-1)
		}
		return Of("1 in %s", inverse.String())
	}
	// three figures, rounded down: the chance is rather said to be larger
	drop := len(inverse.String()) - 3
	unit := math.Pow10(drop)
	n = math.Floor(n/unit) * unit
	for _, large := range []struct {
		of   float64
		text Key
	}{{1e12, "1 in %s trillion"}, {1e9, "1 in %s billion"}, {1e6, "1 in %s million"}} {
		if n >= large.of {
			return Of(large.text, Prose(n/large.of))
		}
	}
	return Of("1 in %s", Prose(n))
}
