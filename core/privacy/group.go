package privacy

import (
	"math/big"

	"hush/core/param"
	"hush/core/phrase"
)

// Group returns the loss for data sets that differ in d persons (group privacy): it protects what d
// persons have in common.
//
// (ε, δ) becomes (d·ε, δ·(1 + e^ε + … + e^((d−1)ε))), and ρ becomes d²·ρ, or what d·ε implies. It
// is ErrNoBound for a loss that has a δ but no ε: use At first; and for a [Rest] in a sum with a δ.
// Proof: group.md.
func (l Loss) Group(d Distance) (Loss, error) {
	switch {
	case d == 0:
		return Loss{}, nil
	case d == 1:
		return l, nil
	case l.noEpsilon && l.Delta().Sign() > 0: // H: group.md has-epsilon
		return Loss{}, ErrNoBound
	case l.rest && l.Delta().Sign() > 0: // H: group.md has-epsilon
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
	if group.rest = l.rest; l.rest {
		square := new(big.Rat).Mul(times, times)
		group.rho = square.Mul(square, l.rho)
	} else if l.rho != nil {
		group = group.WithRho(new(big.Rat).Mul(l.rho, new(big.Rat).Mul(times, times)))
	}
	return group, nil
}

// DeltaOfEach returns a δ for one entry such that d entries, each with ε, have at most delta by
// [Loss.Group]. It is 0 for a δ of 0, and a *param.Error (delta) where e^((d−1)ε) is too large.
func DeltaOfEach(epsilon Epsilon, delta Delta, d Distance) (Delta, error) {
	if d <= 1 || delta.IsZero() {
		return delta, nil
	}
	times, ok := groupFactor(epsilon.Rat(), uint64(d))
	if !ok {
		return Delta{}, param.Refuse("privacy", "delta", phrase.Plain(delta.String()),
			"0, or a smaller ε: %d rows of a person have no δ together", d)
	}
	each := new(big.Rat).Quo(delta.Rat(), times)
	each.Sub(each, new(big.Rat).Mul(each, big.NewRat(1, 1<<40))) // for what groupDelta rounds up
	// rounded down to 64 binary digits
	grid := pow2(uint(64 + max(0, each.Denom().BitLen()-each.Num().BitLen())))
	down := new(big.Int).Mul(each.Num(), grid)
	return NewDelta(new(big.Rat).SetFrac(down.Quo(down, each.Denom()), grid))
}

// groupDelta returns an upper bound on δ·(1 + e^ε + … + e^((d−1)ε)), at most 1.
func groupDelta(epsilon, delta *big.Rat, d uint64) *big.Rat {
	if delta.Sign() == 0 {
		return new(big.Rat)
	}
	times, ok := groupFactor(epsilon, d)
	if !ok {
		return big.NewRat(1, 1)
	}
	return capAtOne(roundUp(times.Mul(times, delta)))
}

// groupFactor returns an upper bound on 1 + e^ε + … + e^((d−1)ε): term by term for few,
// d·e^((d−1)ε) for many; false where it is too large to be useful.
func groupFactor(epsilon *big.Rat, d uint64) (*big.Rat, bool) {
	most := new(big.Rat).Mul(epsilon, new(big.Rat).SetInt(new(big.Int).SetUint64(d-1)))
	if most.Cmp(big.NewRat(largestExponent, 1)) > 0 {
		return nil, false
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
	return sum, true
}
