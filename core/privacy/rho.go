package privacy

import (
	"fmt"
	"math/big"

	"hush/core/param"
)

// Rho is a zero-concentrated privacy parameter ρ: an exact rational above 0 and at most 5000 (where
// ε²/2 of the largest ε lies). The zero value means "not set" and is refused.
type Rho struct {
	r *big.Rat // never modified
}

var largestRho = big.NewRat(5000, 1)

const wantRho = "a number above 0 and at most 5000, such as 0.05"

// ParseRho reads a decimal or a fraction as the exact rational it says. Anything outside (0, 5000],
// or longer than 64 characters, is a [*param.Error] for field rho.
func ParseRho(text string) (Rho, error) {
	r, ok := parseNumber(text, longestNumber)
	if !ok || r.Sign() == 0 || r.Cmp(largestRho) > 0 {
		return Rho{}, param.Refuse("privacy", "rho", quoted(text), wantRho)
	}
	return Rho{r}, nil
}

// NewRho returns the rational r as a ρ, 0 < r ≤ 5000; anything else is a *param.Error for field
// rho.
func NewRho(r *big.Rat) (Rho, error) {
	if r == nil || r.Sign() <= 0 || r.Cmp(largestRho) > 0 {
		return Rho{}, param.Refuse("privacy", "rho", ratText(r), wantRho)
	}
	return Rho{new(big.Rat).Set(r)}, nil
}

// IsSet is false for the zero value only.
func (p Rho) IsSet() bool { return p.r != nil }

// Rat returns ρ as a new rational.
func (p Rho) Rat() *big.Rat { return copyRat(p.r) }

// Part returns exactly num/den of ρ, to divide a budget. It panics unless 0 < num ≤ den.
func (p Rho) Part(num, den int64) Rho {
	if p.r == nil || num <= 0 || num > den {
		panic(fmt.Sprintf("privacy: internal error: part %d/%d of ρ = %s", num, den, p))
	}
	return Rho{new(big.Rat).Mul(p.r, big.NewRat(num, den))}
}

// String is the exact number, as a decimal where that is exact, else as a fraction.
func (p Rho) String() string { return printNumber(p.Rat()) }

// MarshalText writes the exact rational, so that JSON carries it as text; "0" is "not set".
func (p Rho) MarshalText() ([]byte, error) { return []byte(p.Rat().RatString()), nil }

// UnmarshalText reads what MarshalText writes, or a decimal.
func (p *Rho) UnmarshalText(text []byte) error {
	if string(text) == "0" {
		*p = Rho{}
		return nil
	}
	r, ok := parseNumber(string(text), longestExact)
	if !ok {
		return param.Refuse("privacy", "rho", quoted(string(text)), wantRho)
	}
	parsed, err := NewRho(r)
	if err == nil {
		*p = parsed
	}
	return err
}
