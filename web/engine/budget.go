package engine

import (
	"math/big"

	"hush/core/privacy"
)

// DefaultLimit is the limit on all releases from one data set together until its owner decides
// otherwise: ε = 3, the most that counts as moderate protection, with room for a handful of
// releases; δ = 10⁻⁶, below 1/n for every data set of up to a million persons.
func DefaultLimit() Limit { return Limit{Epsilon: "3", Delta: "0.000001"} }

// Budget compares what was spent on a data set with its limit. All of it is public and exact.
type Budget struct {
	Spent privacy.Loss
	Limit *privacy.Loss // nil: none
	// Filter admits releases if the limit sets a δ aside; nil: their sum decides. Limit is then the
	// filter's guarantee, which holds whatever Spent is.
	Filter *privacy.Filter
	// Since is what was spent since the limit was raised, and Open is how much that may become; if
	// the limit never was raised, they are Spent and Limit. Before is what was spent earlier.
	Since  privacy.Loss
	Open   *privacy.Loss
	Before Before
	// ε left, at least 0; nil without a limit. With a filter, the ε of one more release.
	Epsilon *big.Rat
	Delta   *big.Rat // δ left, likewise
	// the spent share of the limit, of ε or of δ, whichever is larger; nil without a limit. With a
	// filter, the share of ρ replaces that of ε if it is smaller.
	Used  *big.Rat
	Level Level
	// more was spent than the limit: it was lowered since, or this budget is a forecast
	Over bool
}

// Level says how near the limit is.
type Level int

// The levels at which people are warned.
const (
	LevelLow  Level = iota
	LevelHalf       // half of the limit is spent
	LevelMost       // four fifths
	LevelFull       // all of it, or more
)

// Budget adds up the entries and compares them with the limit. An invalid limit is a *param.Error.
func (s Spending) Budget() (Budget, error) {
	if s.Limit == nil {
		return Budget{Spent: s.Spent(), Since: s.Spent()}, nil
	}
	limit, err := s.Limit.bounds()
	if err != nil {
		return Budget{}, err
	}
	b := Budget{Spent: s.Spent(), Limit: &limit.loss, Filter: limit.filter, Open: &limit.open,
		Before: limit.before}
	if b.Since, err = limit.before.since(b.Spent); err != nil {
		return Budget{}, err
	}
	return b.compared(), nil
}

// Fixed reports whether the limit is a promise of its own, fixed before the releases that it
// admits: it sets a δ aside, or did so before it was raised.
func (b Budget) Fixed() bool { return b.Filter != nil || b.Before.Raised > 0 }

// since returns the part of all spending that came after b. It is at least the true part, since b
// is rounded down; without an ε it is all of it.
func (b Before) since(spent privacy.Loss) (privacy.Loss, error) {
	epsilon, finite := spent.Epsilon()
	if b.Raised == 0 || !finite {
		return spent, nil
	}
	epsilon, _ = part(b.epsilon, epsilon)
	delta, _ := part(b.delta, spent.Delta())
	rho, _ := part(b.rho, spent.Rho())
	loss, err := privacy.NewLoss(epsilon, delta)
	return loss.WithRho(rho), err
}

// After returns the budget with a further release of this loss.
func (b Budget) After(loss privacy.Loss) Budget {
	b.Spent, b.Since = b.Spent.Plus(loss).Whole(), b.Since.Plus(loss).Whole()
	return b.compared()
}

// compared fills in what is left.
func (b Budget) compared() Budget {
	if b.Limit == nil {
		return b
	}
	b.Level = LevelLow
	spent, limit, filter := b.Since, b.Open, b.Filter
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

// part returns what is left of most, and the share of it that is used.
func part(used, most *big.Rat) (left, share *big.Rat) {
	left = new(big.Rat).Sub(most, used)
	if left.Sign() < 0 {
		left.SetInt64(0)
	}
	switch {
	case most.Sign() > 0:
		share = new(big.Rat).Quo(used, most)
	case used.Sign() > 0:
		share = big.NewRat(2, 1) // something out of nothing
	default:
		share = new(big.Rat)
	}
	return left, share
}
