package privacy

import "math/big"

// Group is the loss for data sets that differ in d persons (group privacy): it protects what d
// persons have in common.
//
// (ε, δ) becomes (d·ε, δ·(1 + e^ε + … + e^((d−1)ε))), and ρ becomes d²·ρ, or what d·ε implies. It
// is ErrNoBound for a loss that has a δ but no ε: use At first. Proof: group.md.
func (l Loss) Group(d Distance) (Loss, error) {
	switch {
	case d == 0:
		return Loss{}, nil
	case d == 1:
		return l, nil
	case l.noEpsilon && l.Delta().Sign() > 0:
		return Loss{}, ErrNoBound
	}
	times := new(big.Rat).SetInt(new(big.Int).SetUint64(uint64(d)))
	group := Loss{noEpsilon: l.noEpsilon}
	if l.noEpsilon {
		group.rho = new(big.Rat).Mul(l.rho, new(big.Rat).Mul(times, times))
		return group, nil
	}
	group.epsilon = new(big.Rat).Mul(l.epsilonOrZero(), times)
	group.delta = groupDelta(l.epsilonOrZero(), l.Delta(), uint64(d))
	if l.odds != nil && uint64(d) <= longestExact/uint64(l.odds.Num().BitLen()) {
		power := new(big.Int).SetUint64(uint64(d))
		group.odds = new(big.Rat).
			SetFrac(new(big.Int).Exp(l.odds.Num(), power, nil),
				new(big.Int).Exp(l.odds.Denom(), power, nil))
	}
	if l.Delta().Sign() > 0 {
		return group, nil
	}
	group.ranged = l.ranged
	if l.rho != nil {
		group = group.WithRho(new(big.Rat).Mul(l.rho, new(big.Rat).Mul(times, times)))
	}
	return group, nil
}

// groupDelta is at least δ·(1 + e^ε + … + e^((d−1)ε)), at most 1: term by term for few,
// d·e^((d−1)ε) for many.
func groupDelta(epsilon, delta *big.Rat, d uint64) *big.Rat {
	if delta.Sign() == 0 {
		return new(big.Rat)
	}
	most := new(big.Rat).Mul(epsilon, new(big.Rat).SetInt(new(big.Int).SetUint64(d-1)))
	if most.Cmp(big.NewRat(largestExponent, 1)) > 0 {
		return big.NewRat(1, 1)
	}
	sum := new(big.Rat)
	if d <= 64 {
		step, term := ExpUp(epsilon), big.NewRat(1, 1)
		for range d {
			sum.Add(sum, term)
			term = roundUp(term.Mul(term, step))
		}
	} else {
		sum.Mul(ExpUp(most), new(big.Rat).SetInt(new(big.Int).SetUint64(d)))
	}
	return capAtOne(roundUp(sum.Mul(sum, delta)))
}
