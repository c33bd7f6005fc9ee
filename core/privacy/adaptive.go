package privacy

import (
	"math/big"
	"math/bits"
	"slices"
)

// Limits of choicesEpsilon: all ranges together have latticeSteps lattice steps, as long as each
// has between fewestSteps and finestSteps.
const (
	latticeSteps = 1 << 10
	fewestSteps  = 4
	finestSteps  = 64
)

// The smallest range still leaves digits in e^−step; up to the largest step κ is below 1.
var (
	smallestRange = ratPow2(-60)
	largestStep   = big.NewRat(1, 2)
)

// choicesEpsilon returns the smallest ε' found such that k choices of range η each, chosen
// adaptively, compose to (ε', slack); nil where k or η is too large. With h_j(y) the largest δ at y
// of j choices that are left,
//
//	h_0(y) = max(0, 1 − e^y),
//	h_j(y) = max over t in [0, η] of up(t)·h_{j−1}(y − t) + down(t)·h_{j−1}(y − t + η),
//	up(t) = (1 − e^(t−η))/(1 − e^−η),   down(t) = 1 − up(t),
//
// since a choice whose loss is t or t − η is the worst of those whose losses lie between. h is
// computed on a lattice of step η/steps, rounded up; what t between lattice points can add is at
// most a part of the differences of neighbouring values. Proof: adaptive.md.
//
// Reference: Dong, Durfee, Rogers, "Optimal Differential Privacy Composition for Exponential
// Mechanisms", 2020, whose closed form is for choices fixed in advance; it is too small for these.
func choicesEpsilon(k uint64, eta, slack *big.Rat) *big.Rat {
	if k == 0 || k > mostEqual || eta.Cmp(smallestRange) < 0 { // H: adaptive.md few, range-size
		return nil
	}
	steps := min(max(latticeSteps/int(k), fewestSteps), finestSteps)
	step := new(big.Rat).Quo(eta, big.NewRat(int64(steps), 1))
	if step.Cmp(largestStep) > 0 { // H: adaptive.md range-size
		return nil
	}
	zero := (int(k) + 1) * steps // the place of y = 0
	w, h := newWorst(step, steps, zero)
	next, most := slices.Clone(h), make([]share, len(h))
	for j := 1; j <= int(k); j++ {
		for i := 1; i < len(h); i++ {
			most[i] = w.between.of(h[i-1] - min(h[i], h[i-1]))
		}
		// y ≥ 0 decreases to no less in k − j choices; below −j·η, values are those of no choice
		lowest := zero - min(j, int(k)-j)*steps
		for i := lowest; i < zero+j*steps; i++ {
			next[i] = w.choice(h, most, i)
			if i > lowest || j <= int(k)-j { // otherwise the value before belongs to another j
				next[i] = min(next[i], next[i-1])
			}
		}
		h, next = next, h
	}
	allowed, last := shareOf(slack, floor), int(k)*steps
	for last > 0 && h[zero+last-1] <= allowed {
		last--
	}
	return step.Mul(step, big.NewRat(int64(last), 1))
}

// share is a number from 0 to 1, in units of 2^-63.
type share uint64

const whole share = 1 << 63

func shareOf(x *big.Rat, toInt func(*big.Rat) *big.Int) share {
	if x.Cmp(one) > 0 {
		return whole
	}
	return share(toInt(new(big.Rat).Mul(x, ratPow2(63))).Uint64())
}

// of returns a part of a share, rounded up.
func (s share) of(t share) share {
	high, low := bits.Mul64(uint64(s), uint64(t))
	if low<<1 > 0 {
		return share(high<<1|low>>63) + 1
	}
	return share(high<<1 | low>>63)
}

// worst is the worst choice on a lattice: up[s] and down[s] are the chances that it loses s steps,
// and s − steps steps, rounded up.
type worst struct {
	up, down []share
	between  share // κ of adaptive.md
}

// newWorst also returns h_0, in which place zero stands for y = 0.
func newWorst(step *big.Rat, steps, zero int) (*worst, []share) {
	step = new(big.Rat).Neg(step)
	low := powers(fixDown(ExpDown(step)), zero, mulDown) // e^(−i·step)
	high := powers(fixUp(ExpUp(step)), steps, mulUp)
	all := new(big.Rat).Sub(one, unfix(high[steps])) // 1 − e^−η
	part := func(more, less *big.Int) share {
		x := unfix(new(big.Int).Sub(more, less))
		return shareOf(x.Quo(x, all), ceil)
	}
	w := &worst{}
	for s := range steps + 1 {
		w.up = append(w.up, part(low[0], low[steps-s]))
		w.down = append(w.down, part(high[steps-s], low[steps]))
	}
	x := new(big.Rat).Inv(unfix(low[1])) // e^step
	kappa := new(big.Rat).Sub(x, one)
	kappa.Mul(kappa, x).Quo(kappa, all.Mul(all, big.NewRat(4, 1)))
	w.between = shareOf(kappa, ceil)
	h := make([]share, 2*zero)
	for i := range zero {
		h[zero-i] = shareOf(unfix(new(big.Int).Sub(low[0], low[i])), ceil)
	}
	h[0] = whole
	return w, h
}

// powers returns x^0 … x^n.
func powers(x *big.Int, n int, mul func(x, y *big.Int) *big.Int) []*big.Int {
	list := []*big.Int{pow2(workBits)}
	for i := range n {
		list = append(list, mul(list[i], x))
	}
	return list
}

// choice computes h_j at place i from h_{j−1} and from most, which bounds the increase between s −
// 1 and s.
func (w *worst) choice(h, most []share, i int) (largest share) {
	steps := len(w.up) - 1
	var before share
	for s := 0; s <= steps; s++ {
		value := w.up[s].of(h[i-s]) + w.down[s].of(h[i-s+steps])
		if s > 0 {
			largest = max(largest, max(before, value)+max(most[i-s+1], most[i-s+1+steps]))
		}
		before = value
	}
	return min(largest, whole)
}
