package privacy

import (
	"encoding/json"
	"math/big"

	"hush/core/param"
)

// lossJSON is the JSON form of a Loss: exact rationals as text. A missing field is 0, except for
// epsilon, which is missing where there is none.
type lossJSON struct {
	Epsilon string `json:"epsilon,omitempty"`
	Delta   string `json:"delta,omitempty"`
	Odds    string `json:"odds,omitempty"` // e^ε, where it is known exactly
	Rho     string `json:"rho,omitempty"`  // where it is not what ε implies
	Rest    bool   `json:"rest,omitempty"` // the loss of a top-up, see Rest
}

// MarshalJSON writes {"epsilon":"1/10","delta":"0"}, and odds and rho where the loss has its own.
// It omits a range, and rounds up a long ρ: the loss read back promises no more.
func (l Loss) MarshalJSON() ([]byte, error) {
	text := lossJSON{Delta: l.Delta().RatString(), Rest: l.rest}
	if !l.noEpsilon {
		text.Epsilon = l.epsilonOrZero().RatString()
	}
	if l.odds != nil {
		text.Odds = l.odds.RatString()
	}
	if l.rho != nil {
		text.Rho = shortText(l.rho)
	}
	return json.Marshal(text)
}

// shortText writes x as a fraction where that is short, otherwise rounded up to 12 digits.
func shortText(x *big.Rat) string {
	text := x.RatString()
	if len(text) <= 24 {
		return text
	}
	text = upText(x, 12).digits
	if rounded, _ := new(big.Rat).SetString(text); len(rounded.RatString()) <= 24 {
		return rounded.RatString()
	}
	return text
}

// UnmarshalJSON reads what MarshalJSON writes. Anything that is not a loss is a *param.Error and
// leaves l unchanged.
func (l *Loss) UnmarshalJSON(data []byte) error {
	var text lossJSON
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	var read Loss
	for _, field := range []struct {
		name, text string
		into       **big.Rat
	}{
		{"epsilon", text.Epsilon, &read.epsilon},
		{"delta", text.Delta, &read.delta},
		{"odds", text.Odds, &read.odds},
		{"rho", text.Rho, &read.rho},
	} {
		if field.text == "" {
			continue
		}
		r, ok := parseNumber(field.text, longestExact)
		if !ok {
			return param.Refuse("privacy", field.name, quoted(field.text),
				"an exact number of at least 0, such as 1/10")
		}
		*field.into = r
	}
	read.noEpsilon, read.rest = read.epsilon == nil, text.Rest
	switch {
	case read.noEpsilon && read.rho == nil:
		return param.Refuse("privacy", "epsilon", param.NotSet, "epsilon, or rho")
	case text.Rest && (read.noEpsilon || read.rho == nil):
		return param.Refuse("privacy", "rest", "true", "epsilon and rho")
	case read.odds != nil && read.odds.Cmp(one) < 0:
		return param.Refuse("privacy", "odds", quoted(text.Odds), "a number of at least 1")
	}
	read.delta = capAtOne(copyRat(read.delta))
	*l = read
	return nil
}

// Number writes r exactly: as a decimal when it has one of at most 40 places ("0.1"), else as a
// fraction ("1/3").
func Number(r *big.Rat) string { return printNumber(r) }
