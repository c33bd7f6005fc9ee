package threshold

import (
	"math"
	"math/big"

	"hush/core/privacy"
)

// FewestPersons returns the number of persons with a value that every method needs that is (ε,
// δ)-DP for a replaced person and names an interior point with probability 1 − beta for all data in
// a domain of that size: ln((1 − beta)/(beta/(size − 1) + δ/(e^ε − 1)))/ε, rounded up, and at least
// 1. It is a lower bound, which need not be attainable. beta is above 0 and below 1
// (H: fewest.md beta). For forecasts: in floating point. Proof: fewest.md.
func FewestPersons(size *big.Int, epsilon privacy.Epsilon, delta privacy.Delta,
	beta float64) int64 {
	others := new(big.Int).Sub(size, big.NewInt(1))
	if others.Sign() <= 0 {
		return 1
	}
	e := epsilon.Float64()
	misses := math.Exp(math.Log(beta) - logInt(others))
	if exceptions := delta.Float64() / math.Expm1(e); exceptions > 0 {
		misses += exceptions
	} else if misses == 0 { // a domain of thousands of bits
		return atLeastOne((math.Log1p(-beta) - math.Log(beta) + logInt(others)) / e)
	}
	return atLeastOne((math.Log1p(-beta) - math.Log(misses)) / e)
}

// atLeastOne rounds up, except for what floating point adds.
func atLeastOne(persons float64) int64 { return max(int64(math.Ceil(persons*(1-1e-9))), 1) }
