package task

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"hush/core/message"
	"hush/core/phrase"
)

var one = big.NewInt(1)

var hundred = big.NewRat(100, 1)

// Capital makes the first letter a capital: a name or a fault becomes the start of a sentence.
func Capital(s string) string { return phrase.Capital(s) }

// percentOf writes part of all as a percentage with a sensible number of digits.
func percentOf(say *message.Language, part, all int64) string {
	if all == 0 {
		return "–"
	}
	p := 100 * float64(part) / float64(all)
	switch {
	case p >= 100:
		return say.Text("more than everyone")
	case p >= 10:
		return fmt.Sprintf("%.0f %%", p)
	case p >= 0.01:
		return fmt.Sprintf("%.2g %%", p)
	}
	return say.Text("under 0.01 %")
}

// printed rounds a number as a format without a unit does, and returns the text and the number in
// it, by which it is judged.
func printed(format string, x float64) (text string, number float64) {
	text = fmt.Sprintf(format, x)
	number, _ = strconv.ParseFloat(text, 64)
	return text, number
}

// people writes a number of people where no recipe has a noun for them.
func people(say *message.Language, n int64) string {
	return say.Count(n, "1 person", "%s people", message.Grouped(n))
}

// trimDecimal writes a rational with a finite decimal expansion.
func trimDecimal(x *big.Rat) string {
	places, _ := x.FloatPrec()
	return x.FloatString(places)
}

// sortDown sorts by a key, the largest first.
func sortDown[T any, K cmp.Ordered](list []T, by func(T) K) {
	slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(by(b), by(a)) })
}

func epsilonText(epsilon float64) string { return fmt.Sprintf("ε = %.3g", epsilon) }

// points writes a difference between two percentages: "1 point", "0.3 points".
func points(say *message.Language, number string) string {
	if number == "1" {
		return say.Text("1 point")
	}
	return say.Format("%s points", number)
}
