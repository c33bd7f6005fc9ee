package privacy

import (
	"math/big"

	"hush/core/param"
)

// Delta is a privacy loss parameter δ: an exact rational, 0 ≤ δ < 1, a probability. The zero value
// is δ = 0, pure differential privacy.
type Delta struct {
	r *big.Rat // nil is 0; never modified
}

const wantDelta = "0 or a number from 1e-100 to below 1, such as 1e-6 or 0.000001"

var smallestDelta = new(big.Rat).
	SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(100), nil))

// ParseDelta reads a decimal or a fraction as the exact rational it says: "1e-6" is 1/1000000.
//
// It accepts 0 and 10^-100 ≤ δ < 1 in at most 64 characters; anything else is a [*param.Error] for
// field delta. Whether δ is small enough for a data set is for Check.
func ParseDelta(text string) (Delta, error) {
	r, ok := parseNumber(text, longestNumber)
	if !ok || (r.Sign() > 0 && r.Cmp(smallestDelta) < 0) || r.Cmp(one) >= 0 {
		return Delta{}, param.Refuse("privacy", "delta", quoted(text), wantDelta)
	}
	return Delta{r}, nil
}

// NewDelta returns the rational r as a δ, 0 ≤ r < 1; anything else is a *param.Error for field
// delta.
func NewDelta(r *big.Rat) (Delta, error) {
	if r == nil || r.Sign() < 0 || r.Cmp(one) >= 0 {
		return Delta{}, param.Refuse("privacy", "delta", ratText(r), "a number from 0 to below 1")
	}
	return Delta{new(big.Rat).Set(r)}, nil
}

// Check refuses δ ≥ 1/n with a *param.Error for field delta: publishing one of n persons at random,
// completely and in clear, is (0, 1/n)-DP, so such a δ would allow it.
func (d Delta) Check(n uint64) error {
	limit := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).SetUint64(max(n, 1)))
	if d.Rat().Cmp(limit) >= 0 {
		return param.Refuse("privacy", "delta", d.String(),
			"a number below 1/n = %s, where n is the number of persons", limit.RatString())
	}
	return nil
}

// Rat returns δ as a new rational.
func (d Delta) Rat() *big.Rat { return copyRat(d.r) }

// Float64 returns the nearest float64, for curves and forecasts.
func (d Delta) Float64() float64 {
	f, _ := d.Rat().Float64()
	return f
}

// IsZero reports whether δ = 0.
func (d Delta) IsZero() bool { return d.Rat().Sign() == 0 }

// Cmp compares as (*big.Rat).Cmp does.
func (d Delta) Cmp(f Delta) int { return d.Rat().Cmp(f.Rat()) }

// String is the exact number: a decimal of at most 40 places where that is exact, else a fraction.
func (d Delta) String() string { return printNumber(d.Rat()) }

// MarshalText writes the exact rational, "1/1000000", so that JSON carries it as text.
func (d Delta) MarshalText() ([]byte, error) { return []byte(d.Rat().RatString()), nil }

// UnmarshalText reads what MarshalText writes, or a decimal.
func (d *Delta) UnmarshalText(text []byte) error {
	r, ok := parseNumber(string(text), longestExact)
	if !ok {
		return param.Refuse("privacy", "delta", quoted(string(text)), wantDelta)
	}
	parsed, err := NewDelta(r)
	if err == nil {
		*d = parsed
	}
	return err
}
