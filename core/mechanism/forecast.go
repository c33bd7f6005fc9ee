package mechanism

import (
	"math"
	"math/big"
)

// The functions of this file serve error bounds and curves. No draw and no privacy loss depends on
// them.

// ceilBound rounds a bound up to a whole number from 0 to the largest int64. The 10^-9 keeps a
// bound that is whole from being pushed up by the last bit of a float.
func ceilBound(x float64) int64 {
	switch x = math.Ceil(x - 1e-9); {
	case x <= 0:
		return 0
	case x < 1<<63:
		return int64(x)
	}
	return math.MaxInt64 // also when x is NaN
}

// logInt is ln n for n ≥ 1 of any size.
func logInt(n *big.Int) float64 {
	shift := max(n.BitLen()-64, 0)
	top, _ := new(big.Float).SetInt(new(big.Int).Rsh(n, uint(shift))).Float64()
	return math.Log(top) + float64(shift)*math.Ln2
}
