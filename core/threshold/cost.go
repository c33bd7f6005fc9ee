package threshold

import (
	"math/big"

	"hush/core/privacy"
)

// cost bounds what a step can lose between a data set S and S' = S with one more code, in each
// direction:
//
//	add:     Pr[M(S) ∈ E]  ≤ e^add · Pr[M(S') ∈ E] + addDelta
//	remove:  Pr[M(S') ∈ E] ≤ e^remove · Pr[M(S) ∈ E] + removeDelta
//
// All four are rational upper bounds and nil stands for 0. The directions are kept apart because in
// this package every δ belongs to removal (a code that was there may betray itself; one that was
// not cannot), and the random path loses less in one direction. Costs add up under adaptive
// composition, each direction for itself: cost.md.
type cost struct{ add, remove, addDelta, removeDelta *big.Rat }

// both returns a pure loss of epsilon in either direction.
func both(epsilon *big.Rat) cost { return cost{add: epsilon, remove: epsilon} }

func (c cost) plus(d cost) cost {
	return cost{sum(c.add, d.add), sum(c.remove, d.remove), sum(c.addDelta, d.addDelta),
		sum(c.removeDelta, d.removeDelta)}
}

// times returns the cost of k such steps.
func (c cost) times(k int) cost {
	factor := ratOf(int64(k))
	product := func(x *big.Rat) *big.Rat { return new(big.Rat).Mul(orZero(x), factor) }
	return cost{product(c.add), product(c.remove), product(c.addDelta), product(c.removeDelta)}
}

// or bounds both of two steps of which one is taken.
func (c cost) or(d cost) cost {
	return cost{larger(c.add, d.add), larger(c.remove, d.remove), larger(c.addDelta, d.addDelta),
		larger(c.removeDelta, d.removeDelta)}
}

// replace returns the loss for one replaced person: the person's code is removed, then another one
// is added. Where one of the two persons has no code, only one of these happens and less is lost.
//
//	Pr[M(S1) ∈ E] ≤ e^remove · Pr[M(S1∩S2) ∈ E] + removeDelta ≤ e^(remove+add) · Pr[M(S2) ∈ E] + e^remove·addDelta + removeDelta
func (c cost) replace() privacy.Loss {
	delta := orZero(c.removeDelta)
	if extra := orZero(c.addDelta); extra.Sign() > 0 {
		delta = sum(delta, extra.Mul(extra, privacy.ExpUp(orZero(c.remove))))
	}
	loss, err := privacy.NewLoss(sum(c.add, c.remove), delta)
	if err != nil {
		panic("threshold: internal error: " + err.Error()) // unreachable: no cost is negative
	}
	return loss
}

func sum(x, y *big.Rat) *big.Rat { return new(big.Rat).Add(orZero(x), orZero(y)) }

func larger(x, y *big.Rat) *big.Rat {
	if x, y := orZero(x), orZero(y); x.Cmp(y) > 0 {
		return x
	}
	return orZero(y)
}

// orZero returns a copy, 0 for nil.
func orZero(x *big.Rat) *big.Rat {
	if x == nil {
		return new(big.Rat)
	}
	return new(big.Rat).Set(x)
}

func ratOf(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }
