package engine

import (
	"math/big"

	"hush/core/privacy"
)

// DefaultLimit is what all releases from one data set may cost together until its owner decides
// otherwise: ε = 3, the most that counts as moderate protection, with room for a handful of
// releases; δ = 10⁻⁶, below 1/n for every data set of up to a million persons.
func DefaultLimit() Limit { return Limit{Epsilon: "3", Delta: "0.000001"} }

// Budget is what was spent on a data set beside its limit. All of it is public and exact.
type Budget struct {
	Spent privacy.Loss
	Limit *privacy.Loss // nil: none
	// Filter admits releases where the limit sets a δ aside; nil: their sum does. Limit is then its
	// guarantee, which holds whatever Spent is.
	Filter *privacy.Filter
	// ε left, at least 0; nil without a limit. With a filter, the ε of one more release.
	Epsilon *big.Rat
	Delta   *big.Rat // δ left, likewise
	// the spent share of the limit, that of ε or of δ, whichever is larger; nil without a limit.
	// With a filter the share of ρ stands for that of ε where it is smaller.
	Used  *big.Rat
	Level Level
	// more was spent than the limit: it was lowered since, or this budget is a forecast
	Over bool
}

// Level says how near the limit is.
type Level int

// The levels at which people are told.
const (
	LevelLow  Level = iota
	LevelHalf       // half of the limit is spent
	LevelMost       // four fifths
	LevelFull       // all of it, or more
)

// Budget adds up and compares. A limit that is none is a *param.Error.
func (s Spending) Budget() (Budget, error) {
	if s.Limit == nil {
		return Budget{Spent: s.Spent()}, nil
	}
	limit, err := s.Limit.bounds()
	if err != nil {
		return Budget{}, err
	}
	return budget(s.Spent(), &limit.loss, limit.filter), nil
}

// After is the budget once a release of this loss is made too.
func (b Budget) After(loss privacy.Loss) Budget {
	return budget(b.Spent.Plus(loss), b.Limit, b.Filter)
}

func budget(spent privacy.Loss, limit *privacy.Loss, filter *privacy.Filter) Budget {
	b := Budget{Spent: spent, Limit: limit, Filter: filter}
	if limit == nil {
		return b
	}
	epsilon, finite := spent.Epsilon()
	most, _ := limit.Epsilon()
	b.Epsilon, b.Used = part(epsilon, most)
	if !finite {
		b.Epsilon, b.Used = new(big.Rat), big.NewRat(2, 1) // past any limit
	}
	mostDelta := limit.Delta()
	if filter == nil {
		b.Over = !spent.AtMost(*limit)
	} else {
		p := filter.Params()
		mostDelta = p.Delta.Rat()
		b.Over, b.Epsilon = !filter.Admits(spent), filter.Left(spent)
		if _, used := part(spent.Rho(), p.Rho.Rat()); used.Cmp(b.Used) < 0 {
			b.Used = used
		}
	}
	var used *big.Rat
	if b.Delta, used = part(spent.Delta(), mostDelta); used.Cmp(b.Used) > 0 {
		b.Used = used
	}
	for level, share := range map[Level]*big.Rat{LevelHalf: big.NewRat(1, 2),
		LevelMost: big.NewRat(4, 5), LevelFull: big.NewRat(1, 1)} {
		if b.Used.Cmp(share) >= 0 {
			b.Level = max(b.Level, level)
		}
	}
	return b
}

// part is what is left of most, and the share of it that is used.
func part(used, most *big.Rat) (left, share *big.Rat) {
	left = new(big.Rat).Sub(most, used)
	if left.Sign() < 0 {
		left.SetInt64(0)
	}
	switch {
	case most.Sign() > 0:
		share = new(big.Rat).Quo(used, most)
	case used.Sign() > 0:
		share = big.NewRat(2, 1) // something of nothing
	default:
		share = new(big.Rat)
	}
	return left, share
}
