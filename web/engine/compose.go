package engine

import (
	"math/big"

	"hush/core/privacy"
)

// roomForRules is the δ beyond that of the releases which the other rules may use where the limit
// leaves none.
var roomForRules = big.NewRat(1, 1_000_000)

// Compose is what all releases from a data set cost together by each rule that applies, at the δ of
// its limit or, where the limit leaves none, at 10⁻⁶ more than the releases have. Only basic
// composition holds for losses chosen one after the other, and only it decides what the limit
// leaves.
func (s Spending) Compose() (privacy.Total, error) {
	losses := make([]privacy.Loss, 0, len(s.Entries))
	for _, e := range s.Entries {
		losses = append(losses, e.Loss)
	}
	spent := s.Spent().Delta()
	delta := new(big.Rat).Add(spent, roomForRules)
	if s.Limit != nil {
		limit, err := s.Limit.loss()
		if err != nil {
			return privacy.Total{}, err
		}
		if limit.Delta().Cmp(spent) > 0 {
			delta = limit.Delta()
		}
	}
	most, err := privacy.NewDelta(delta)
	if err != nil {
		return privacy.Total{}, err
	}
	return privacy.Compose(losses, most)
}

// Room is how many more releases of this loss the limit leaves; −1 without a limit.
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
	epsilon, finite := loss.Epsilon()
	if !finite {
		return 0
	}
	return min(times(b.Epsilon, epsilon), times(b.Delta, loss.Delta()))
}
