// Package privacy represents privacy losses as exact values: ε, δ and ρ, their totals, and their
// meaning in words.
//
// Neighbouring data sets have the same public number of persons n and differ in the data of one
// person (replace-one). Numbers are rationals; what is irrational (composition, subsampling) is a
// rational upper bound.
package privacy

import (
	"fmt"
	"math/big"

	"hush/core/param"
	"hush/core/phrase"
)

// Epsilon is a privacy loss parameter ε: an exact rational above 0 and at most 100, no unit (e^ε is
// a ratio of probabilities). The zero value means "not set" and is refused by every mechanism.
type Epsilon struct {
	r *big.Rat // never modified
}

// The range of ε. Below 10^-9 no data set that fits a browser gives an answer; above 100 the
// promise is empty. Parts of a budget (Part) may go below the smallest.
var (
	smallestEpsilon = big.NewRat(1, 1_000_000_000)
	largestEpsilon  = big.NewRat(100, 1)
)

const wantEpsilon = "a number from 0.000000001 to 100, such as 0.5 or 1/3"

// ParseEpsilon reads a decimal or a fraction as the exact rational it says: "0.1" is 1/10.
//
// It accepts 10^-9 ≤ ε ≤ 100 in at most 64 characters; anything else is a [*param.Error] for field
// epsilon.
func ParseEpsilon(text string) (Epsilon, error) {
	r, ok := parseNumber(text, longestNumber)
	if !ok || r.Cmp(smallestEpsilon) < 0 || r.Cmp(largestEpsilon) > 0 {
		return Epsilon{}, param.Refuse("privacy", "epsilon", quoted(text), wantEpsilon)
	}
	return Epsilon{r}, nil
}

// NewEpsilon returns the rational r as an ε, 0 < r ≤ 100; anything else is a *param.Error for field
// epsilon.
func NewEpsilon(r *big.Rat) (Epsilon, error) {
	if r == nil || r.Sign() <= 0 || r.Cmp(largestEpsilon) > 0 {
		return Epsilon{},
			param.Refuse("privacy", "epsilon", ratText(r), "a number above 0 and at most 100")
	}
	return Epsilon{new(big.Rat).Set(r)}, nil
}

// IsSet is false for the zero value only.
func (e Epsilon) IsSet() bool { return e.r != nil }

// Rat returns ε as a new rational (0 when it is not set).
func (e Epsilon) Rat() *big.Rat { return copyRat(e.r) }

// Float64 returns the nearest float64, for curves and forecasts. No mechanism uses it.
func (e Epsilon) Float64() float64 {
	f, _ := e.Rat().Float64()
	return f
}

// Part returns exactly num/den of ε, to divide a budget. It panics unless 0 < num ≤ den.
func (e Epsilon) Part(num, den int64) Epsilon {
	if e.r == nil || num <= 0 || num > den {
		panic(fmt.Sprintf("privacy: internal error: part %d/%d of ε = %s", num, den, e))
	}
	return Epsilon{new(big.Rat).Mul(e.r, big.NewRat(num, den))}
}

// Cmp compares as (*big.Rat).Cmp does.
func (e Epsilon) Cmp(f Epsilon) int { return e.Rat().Cmp(f.Rat()) }

// String is the exact number, as a decimal where that is exact ("0.1"), else as a fraction ("1/3").
func (e Epsilon) String() string { return printNumber(e.Rat()) }

// MarshalText writes the exact rational, "1/10", so that JSON carries it as text.
func (e Epsilon) MarshalText() ([]byte, error) { return []byte(e.Rat().RatString()), nil }

// UnmarshalText reads what MarshalText writes, or a decimal. "0" is "not set".
func (e *Epsilon) UnmarshalText(text []byte) error {
	if string(text) == "0" {
		*e = Epsilon{}
		return nil
	}
	r, ok := parseNumber(string(text), longestExact)
	if !ok {
		return param.Refuse("privacy", "epsilon", quoted(string(text)), wantEpsilon)
	}
	parsed, err := NewEpsilon(r)
	if err == nil {
		*e = parsed
	}
	return err
}

func copyRat(r *big.Rat) *big.Rat {
	if r == nil {
		return new(big.Rat)
	}
	return new(big.Rat).Set(r)
}

func ratText(r *big.Rat) phrase.Phrase {
	if r == nil {
		return phrase.Of(param.NotSet)
	}
	return phrase.Plain(printNumber(r))
}

// quoted shortens a person's input for use in a message.
func quoted(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		text = string(runes[:40]) + "…"
	}
	return fmt.Sprintf("%q", text)
}
