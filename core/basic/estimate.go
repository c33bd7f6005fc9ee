package basic

import "math/big"

// Beta is the chance that an interval or a forecast bound fails: they hold with 95 %.
const Beta = 0.05

// Estimate is a released number with the interval in which the true one lies with probability at
// least 1 − Beta. All three are post-processing of the noisy sums.
type Estimate struct {
	Value, Low, High *big.Rat
}

// Forecast is the error of an answer before anything is spent, in the answer's own unit. It is
// computed from public facts alone.
type Forecast struct {
	// Expected is the mean absolute error, of all data sets' the largest (for ratios to first
	// order).
	Expected float64
	// Typical is the mean absolute error of data that are not the worst: of values about half way
	// between the middle of the range and an end.
	Typical float64
	// Bound is exceeded with probability at most Beta.
	Bound float64
}

// around returns value ± bound, both times unit.
func around(value, bound, unit *big.Rat) Estimate {
	low, high := new(big.Rat).Sub(value, bound), new(big.Rat).Add(value, bound)
	return Estimate{
		Value: new(big.Rat).Mul(value, unit),
		Low:   low.Mul(low, unit),
		High:  high.Mul(high, unit),
	}
}

// clamp clamps all three numbers to low … high, where the true one lies: that moves none further
// from it.
func (e Estimate) clamp(low, high *big.Rat) Estimate {
	keep := func(x *big.Rat) *big.Rat {
		if x.Cmp(low) < 0 {
			return low
		}
		if x.Cmp(high) > 0 {
			return high
		}
		return x
	}
	return Estimate{keep(e.Value), keep(e.Low), keep(e.High)}
}

// divide turns sums into means.
func (e Estimate) divide(by int64) Estimate {
	n := new(big.Rat).SetInt64(by)
	return Estimate{new(big.Rat).Quo(e.Value, n), new(big.Rat).Quo(e.Low, n),
		new(big.Rat).Quo(e.High, n)}
}

// place turns numbers of half steps about the middle of a scale into numbers of the scale.
func (e Estimate) place(s Scale, last uint64) Estimate {
	at := func(y *big.Rat) *big.Rat { // First + Step·(last + y)/2
		steps := new(big.Rat).Add(y, ratOf(bigOf(last)))
		return s.at(steps.Quo(steps, big.NewRat(2, 1)))
	}
	return Estimate{at(e.Value), at(e.Low), at(e.High)}
}
