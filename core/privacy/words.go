package privacy

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"hush/core/phrase"
)

// String states the guarantee in the field's notation: "ε = 0.1", "(ε, δ) = (1, 0.000001)", "ρ =
// 0.05". Numbers of up to 12 significant digits are exact; a longer one is rounded up, a δ to three
// digits, and marked "≤". Exact gives every digit.
func (l Loss) String() string { return l.Phrase().String() }

// Phrase is String in any language.
func (l Loss) Phrase() phrase.Phrase { return l.inDigits(12) }

// Brief is Phrase with numbers of four digits, rounded up: "ε ≤ 0.9680, δ ≤ 1e-7".
func (l Loss) Brief() phrase.Phrase { return l.inDigits(4) }

func (l Loss) inDigits(digits int) phrase.Phrase {
	if !l.Protects() {
		return phrase.Of("no guarantee (δ = 1)")
	}
	name, value := "ε", copyRat(l.epsilon)
	if l.noEpsilon {
		name, value = "ρ", l.Rho()
	}
	first, second := upText(value, digits), upText(l.Delta(), 12)
	if !second.exact {
		second = upText(l.Delta(), 3)
	}
	if l.Delta().Sign() == 0 {
		return phrase.Plain(name + " " + relation(first))
	}
	return phrase.Plain(fmt.Sprintf("%s %s, δ %s", name, relation(first), relation(second)))
}

// Exact writes the numbers of the guarantee as exact rationals: "ε = 1/10, δ = 1/1000000". A ρ
// that has no short fraction is rounded up to 12 digits.
func (l Loss) Exact() string {
	var parts []string
	if !l.noEpsilon {
		parts = append(parts, "ε = "+l.epsilonOrZero().RatString())
	}
	if l.odds != nil {
		parts = append(parts, "e^ε = "+l.odds.RatString())
	}
	if l.rho != nil {
		parts = append(parts, "ρ = "+shortText(l.rho))
	}
	if l.Delta().Sign() > 0 {
		parts = append(parts, "δ = "+l.Delta().RatString())
	}
	return strings.Join(parts, ", ")
}

// Sentence says in plain words how much anyone who sees the release can learn about one person.
// Numbers are rounded up.
func (l Loss) Sentence() phrase.Phrase {
	switch {
	case !l.Protects():
		return phrase.Of("No promise is made: the release may show a person's data unchanged.")
	case l.noEpsilon:
		return phrase.Of("Gaussian noise: %s (zero-concentrated). "+
			"How much any one person's data can change the odds depends on how rare an exception "+
			"one accepts.", l)
	case l.epsilonOrZero().Sign() == 0 && l.Delta().Sign() == 0:
		return phrase.Of("Nothing about the data is released.")
	}
	sentence := phrase.Of(
		"If any one person's data had been different, no result would have been more than %s "+
			"times as likely. The odds of a guess about one person's data change by that factor "+
			"at most, even for somebody who knows everyone else's data.",
		l.factor())
	if l.Delta().Sign() > 0 {
		exceptions := phrase.Of("Exceptions to this have a chance of at most %s.",
			phrase.Chance(l.Delta()))
		return phrase.Glue(sentence, " ", exceptions)
	}
	return sentence
}

// Promise says the same in one line about one unit of the data, such as "person", or returns the
// whole sentence where there is no such line.
func (l Loss) Promise(one phrase.Phrase) phrase.Phrase {
	if !l.Protects() || l.noEpsilon || l.epsilonOrZero().Sign() == 0 {
		return l.Sentence()
	}
	promise := phrase.Of("Change any one %s's data, and no answer becomes more than %s times as "+
		"likely.", one, l.factor())
	if l.Delta().Sign() > 0 {
		return phrase.Glue(promise, " ", phrase.Of("Exceptions have a chance of at most %s.",
			phrase.Chance(l.Delta())))
	}
	return promise
}

// Nominal reports whether ε is above 20: e^ε then protects nobody in practice, and the sentences
// about the loss say so.
func (l Loss) Nominal() bool {
	return !l.noEpsilon && l.epsilonOrZero().Cmp(big.NewRat(20, 1)) > 0
}

// factor prints e^ε rounded up to three significant digits.
func (l Loss) factor() phrase.Phrase {
	epsilon := l.epsilonOrZero()
	if l.Nominal() {
		return phrase.Of("e^%s (no protection in practice)", upText(epsilon, 3).digits)
	}
	if l.odds != nil {
		return phrase.Plain(upText(l.odds, 3).digits)
	}
	return phrase.Plain(upText(ExpUp(epsilon), 3).digits)
}

// number is a rational written for a reader, with a flag whether the digits are exact or rounded
// up.
type number struct {
	digits string
	exact  bool
}

func relation(n number) string {
	if n.exact {
		return "= " + n.digits
	}
	return "≤ " + n.digits
}

// upText writes x ≥ 0 with at most that many significant digits, rounded up.
func upText(x *big.Rat, significant int) number {
	if x.Sign() == 0 {
		return number{"0", true}
	}
	// The decimal place of the last digit kept: x has its first digit at 10^first.
	first := decimalPlace(x)
	unit := ratPow10(first - significant + 1)
	scaled := new(big.Rat).Quo(x, unit)
	up := ceil(scaled)
	text := up.String() + "e" + strconv.Itoa(first-significant+1)
	value, _ := new(big.Rat).SetString(text)
	return number{plain(value, decimalPlace(value)), scaled.IsInt()}
}

// plain writes a short decimal without an exponent from 1e-6 to 1e15, and as 1.23e-7 outside.
func plain(x *big.Rat, first int) string {
	if first >= -6 && first < 15 {
		if x.IsInt() {
			return x.Num().String()
		}
		places, _ := x.FloatPrec()
		return x.FloatString(places)
	}
	shifted := new(big.Rat).Quo(x, ratPow10(first))
	places, _ := shifted.FloatPrec()
	return shifted.FloatString(places) + "e" + strconv.Itoa(first)
}

// decimalPlace returns the largest p with 10^p ≤ x, for x > 0.
func decimalPlace(x *big.Rat) int {
	p := int(float64(x.Num().BitLen()-x.Denom().BitLen()) * 0.30103)
	for ratPow10(p).Cmp(x) > 0 {
		p--
	}
	for ratPow10(p+1).Cmp(x) <= 0 {
		p++
	}
	return p
}

func ratPow10(p int) *big.Rat {
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(p, -p))), nil)
	if p < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), ten)
	}
	return new(big.Rat).SetInt(ten)
}
