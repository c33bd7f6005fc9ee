package mechanism

import (
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// rate converts the requested strength of a mechanism to the rational base r of its draws.
// Replacing one person changes any output's probability by a factor of at most r^moves (apart from
// a δ), so the loss is moves·ln r.
//
// A mechanism is requested either by an ε, in which case r is the largest dyadic base found with
// moves·ln r ≤ ε, or by a base, in which case the loss is moves·ln r with a rational e^ε, as audits
// require. Proof: mechanism.md, From ε to a base.
type rate struct {
	base    coin.Base
	moves   uint64
	epsilon *big.Rat // at least moves·ln r
	exact   bool     // asked for by base
	rho     *big.Rat // the mechanism's own; nil: what ε implies
	ranged  bool     // ε is also the range of the loss
}

// newRate takes exactly one of epsilon and base.
func newRate(epsilon privacy.Epsilon, base coin.Base, moves uint64) (rate, error) {
	return newRateFor("", epsilon, base, moves)
}

// newRateFor is newRate for a parameter struct with several pairs: its fields are epsilon and base
// with that suffix.
func newRateFor(suffix string, epsilon privacy.Epsilon, base coin.Base,
	moves uint64) (rate, error) {
	switch {
	case epsilon.IsSet() && !base.IsOne(): // H: mechanism.md one-rate
		return rate{},
			refuse("base"+suffix, base.String(), "no base where epsilon%s is given", suffix)
	case epsilon.IsSet():
		base, err := coin.ExpBelow(new(big.Rat).Quo(epsilon.Rat(), ratOf(moves)))
		if err != nil { // H: mechanism.md rate-size
			return rate{},
				refuse("epsilon"+suffix, epsilon.String(),
					"at least 2^-60 for each unit of sensitivity")
		}
		return rate{base: base, moves: moves, epsilon: epsilon.Rat()}, nil
	case base.IsOne(): // H: mechanism.md one-rate
		return rate{}, refuse("epsilon"+suffix, param.NotSet, "a number above 0 and at most 100")
	}
	if base.Log() > largestLog { // H: mechanism.md rate-size
		return rate{}, refuse("base"+suffix, base.String(), "a fraction above 1 and at most e^100")
	}
	bound := privacy.LogUp(base.Rat())
	return rate{base: base, moves: moves, epsilon: bound.Mul(bound, ratOf(moves)), exact: true}, nil
}

// largestLog bounds ln r by the largest ε, slightly rounded.
const largestLog = 100.001

// largestOdds bounds the bits of an e^ε kept as a rational; beyond it only ε is kept.
const largestOdds = 1 << 14

// loss returns the loss for data sets that differ in d persons, given that it is (moves·ln r,
// delta) for one; nil is 0.
func (p rate) loss(d privacy.Distance, delta *big.Rat) (privacy.Loss, error) {
	one, err := p.lossOfOne(delta)
	if err != nil {
		return privacy.Loss{}, err // unreachable: odds are above 1 and δ is at least 0
	}
	return one.Group(d)
}

func (p rate) lossOfOne(delta *big.Rat) (privacy.Loss, error) {
	loss, err := p.pureLoss(delta)
	switch {
	case err != nil:
	case p.rho != nil:
		loss = loss.WithRho(p.rho)
	case p.ranged:
		loss = loss.Ranged()
	}
	return loss, err
}

func (p rate) pureLoss(delta *big.Rat) (privacy.Loss, error) {
	if p.exact {
		r := p.base.Rat()
		if float64(p.moves)*float64(r.Num().BitLen()+r.Denom().BitLen()) < largestOdds {
			return privacy.LossFromOdds(p.base.Pow(p.moves).Rat(), delta)
		}
	}
	return privacy.NewLoss(p.epsilon, delta)
}

// spend is the loss of one call of a mechanism with this rate.
func (p rate) spend(name phrase.Key, delta *big.Rat, claim meter.Claim) *meter.Spend {
	loss, err := p.lossOfOne(delta)
	if err != nil {
		panic("mechanism: internal error: a rate without a loss")
	}
	return &meter.Spend{Name: name, Loss: loss, Claim: claim}
}

// values is the input of a mechanism on numbers.
func values(list []int64) func() meter.Input {
	return func() meter.Input { return meter.Input{Values: list} }
}

// checkScale refuses noise of a scale 1/ln r beyond 2^40. With a smaller scale, noise exceeds 2^60
// with a chance below e^(−2^20), so that scores limited to 2^61 never reach the end of int64.
func (p rate) checkScale() error {
	if p.base.Log() < 1.0/(1<<40) { // H: mechanism.md scale
		return refuse("epsilon", p.base.String(), "at least 2^-40 for each unit of sensitivity")
	}
	return nil
}

func ratOf(n uint64) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).SetUint64(n))
}

func refuse(field string, value any, want phrase.Key, args ...any) error {
	return param.Refuse("mechanism", field, value, want, args...)
}

func bigText(n *big.Int) phrase.Phrase {
	if n == nil {
		return phrase.Of(param.NotSet)
	}
	return phrase.Plain(n.String())
}

func ratText(r *big.Rat) phrase.Phrase {
	if r == nil {
		return phrase.Of(param.NotSet)
	}
	return phrase.Plain(r.RatString())
}
