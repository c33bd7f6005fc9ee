package engine

import (
	"math/big"

	"hush/core/privacy"
)

// roomForRules is the δ, beyond that of the releases, that the other rules may use if the limit
// leaves none.
var roomForRules = big.NewRat(1, 1_000_000)

// Compose returns the total cost of all releases from a data set by each rule that applies, at the
// δ of its limit or, if the limit leaves none, at 10⁻⁶ more than the releases have. Only basic
// composition holds for losses chosen one after another, and it alone decides what the limit
// leaves.
func (s Spending) Compose() (privacy.Total, error) {
	losses := s.losses()
	spent := s.Spent().Delta()
	delta := new(big.Rat).Add(spent, roomForRules)
	if s.Limit != nil {
		limit, err := s.Limit.bounds()
		if err != nil {
			return privacy.Total{}, err
		}
		if limit.loss.Delta().Cmp(spent) > 0 {
			delta = limit.loss.Delta()
		}
	}
	most, err := privacy.NewDelta(delta)
	if err != nil {
		return privacy.Total{}, err
	}
	return privacy.Compose(losses, most)
}

// Room is the number of further releases with this loss that the limit allows; −1 without a limit.
func (b Budget) Room(loss privacy.Loss) int64 {
	if b.Limit == nil {
		return -1
	}
	times := func(left, each *big.Rat) int64 {
		if each.Sign() == 0 {
			return 1 << 62
		}
		n := new(big.Rat).Quo(left, each)
		return min(new(big.Int).Quo(n.Num(), n.Denom()).Int64(), 1<<62)
	}
	most := int64(0)
	if epsilon, finite := loss.Epsilon(); finite {
		left := b.Epsilon
		if b.Filter != nil {
			left = between(b.Since, *b.Open)
		}
		most = times(left, epsilon)
	}
	if b.Filter != nil {
		left, _ := part(b.Since.Rho(), b.Filter.Params().Rho.Rat())
		most = max(most, times(left, loss.Rho()))
	}
	return min(most, times(b.Delta, loss.Delta()))
}

// between returns the difference of ε between what was spent and the most that may be spent, at
// least 0.
func between(spent, most privacy.Loss) *big.Rat {
	used, finite := spent.Epsilon()
	all, _ := most.Epsilon()
	if !finite {
		return new(big.Rat)
	}
	left, _ := part(used, all)
	return left
}
