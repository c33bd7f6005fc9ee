package codebook

import (
	"math/big"
	"slices"

	"hush/core/domain"
)

// Narrower lists narrower ranges of numbers, the nearest first: those of a fixed public ladder (1,
// 1.5, 2, 3, 5 × 10^k) below an upper bound that is further from 0 than the lower one, down to a
// fifth of it. It sees no row.
func Narrower(spec domain.Spec) (list []domain.Spec) {
	if !numeric(spec.Kind) {
		return nil
	}
	lo, isLo := number(spec.Lo, spec.Kind)
	hi, isHi := number(spec.Hi, spec.Kind)
	if !isLo || !isHi || hi.Sign() <= 0 || new(big.Rat).Abs(lo).Cmp(hi) > 0 {
		return nil
	}
	step := big.NewRat(1, 1)
	if spec.Kind == domain.Decimal {
		var ok bool
		if step, ok = number(spec.Step, spec.Kind); !ok || step.Sign() <= 0 {
			return nil
		}
	}
	least := new(big.Rat).Quo(hi, big.NewRat(5, 1))
	for k := leastPower; k <= mostPower; k++ {
		unit := power(k)
		if unit.Cmp(hi) >= 0 {
			break
		}
		for _, m := range []*big.Rat{big.NewRat(1, 1), big.NewRat(3, 2), big.NewRat(2, 1),
			big.NewRat(3, 1), big.NewRat(5, 1)} {
			to := new(big.Rat).Mul(unit, m)
			if spec.Kind != domain.Float64 {
				to.Add(lo, times(floor(new(big.Rat).Sub(to, lo), step), step))
			}
			if to.Cmp(hi) < 0 && to.Cmp(least) >= 0 && to.Cmp(lo) > 0 {
				narrow := spec
				narrow.Hi = boundText(to, spec.Kind)
				list = append(list, narrow)
			}
		}
	}
	slices.Reverse(list)
	return slices.CompactFunc(list, func(a, b domain.Spec) bool { return a.Hi == b.Hi })
}
