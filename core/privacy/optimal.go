package privacy

import "math/big"

// Limits of optimalEpsilon: a lattice of at most mostSteps steps, at most mostEqual releases, and
// at most mostWork sums in all.
const (
	mostSteps = 1 << 11
	mostEqual = 1 << 8
	mostWork  = 1 << 18
)

// optimalEpsilon returns the smallest ε' found such that releases with these ε compose to (ε',
// slack), or nil when the list is too long or too large for it. Every ε-DP mechanism is randomised
// response of ε followed by post-processing, so it composes randomised responses, exactly but for
// outward rounding; see optimal.md.
//
// With the lattice step g, ε_i is rounded up to n_i·g (no rounding at all where g divides every
// ε_i), and e^g up to x. The privacy loss of the whole is then a sum of ±n_i; mass[j+total] is its
// law, rounded up. For y = e^ε' the δ needed is
//
//	δ(y) = Σ_j mass_j·max(0, 1 − y·x^(−j)) = max over J of ( Σ_{j≥J} mass_j − y·Σ_{j≥J} mass_j·x^(−j) ),
//
// so the smallest y with δ(y) ≤ slack is the largest of (Σ mass_j − slack)/(Σ mass_j·x^(−j)) over
// all J.
//
// Reference: Kairouz, Oh, Viswanath, 2015, Theorem 3.3; Murtagh, Vadhan, "The Complexity of
// Computing the Optimal Composition of Differential Privacy", 2016 (different ε, and rounding them
// up to a lattice).
func optimalEpsilon(losses []Loss, slack *big.Rat) *big.Rat {
	step, counts, total := lattice(losses)
	if step == nil {
		return nil
	}
	x := ExpUp(step)
	if odds := smallestOdds(lossLaw(x, counts, total), x, slack); odds != nil {
		return LogUp(odds)
	}
	return nil
}

// lossLaw returns the law of the sum of losses ±n of x^n-randomised responses, rounded up: index
// j+total holds the chance of x^j.
func lossLaw(x *big.Rat, counts []int, total int) []*big.Int {
	mass := make([]*big.Int, 2*total+1)
	for i := range mass {
		mass[i] = new(big.Int)
	}
	mass[total] = pow2(workBits)
	reach := 0
	for _, n := range counts {
		most, least := power(x, n, roundUp), power(x, n, roundDown) // of x^n
		up := fixUp(most.Quo(most, new(big.Rat).Add(most, one)))
		down := fixUp(least.Inv(least.Add(least, one)))
		mass = convolve(mass, total, reach, n, up, down)
		reach += n
	}
	return mass
}

// smallestOdds returns the smallest y ≥ 1, rounded up, with δ(y) ≤ slack for losses with this law;
// nil where weights round to nothing, since the loss is too large for this precision.
func smallestOdds(mass []*big.Int, x, slack *big.Rat) *big.Rat {
	total := len(mass) / 2
	inverse := fixDown(new(big.Rat).Inv(x))
	shrunk := make([]*big.Int, total+1) // x^(−j), rounded down
	shrunk[0] = pow2(workBits)
	for j := 1; j <= total; j++ {
		shrunk[j] = mulDown(shrunk[j-1], inverse)
	}
	best := big.NewRat(1, 1)
	above, weighed, allowed := new(big.Int), new(big.Int), fixDown(slack)
	for j := total; j > 0; j-- { // y ≥ 1, so losses of 0 and less need no δ
		above.Add(above, mass[total+j])
		weighed.Add(weighed, mulDown(mass[total+j], shrunk[j]))
		if excess := new(big.Int).Sub(above, allowed); excess.Sign() > 0 && weighed.Sign() > 0 {
			if y := new(big.Rat).SetFrac(excess, weighed); y.Cmp(best) > 0 {
				best = y
			}
		} else if excess.Sign() > 0 {
			return nil
		}
	}
	return best
}

// convolve adds one randomised response: a step up by n with chance up, a step down by n with
// chance down, both rounded up.
func convolve(mass []*big.Int, total, reach, n int, up, down *big.Int) []*big.Int {
	next := make([]*big.Int, len(mass))
	for i := range next {
		next[i] = new(big.Int)
	}
	for j := -reach; j <= reach; j++ {
		if m := mass[total+j]; m.Sign() > 0 {
			next[total+j+n].Add(next[total+j+n], mulUp(m, up))
			next[total+j-n].Add(next[total+j-n], mulUp(m, down))
		}
	}
	return next
}

// lattice chooses the step g: the greatest common divisor of all ε where that takes few steps,
// otherwise 1/mostSteps of the sum.
func lattice(losses []Loss) (step *big.Rat, counts []int, total int) {
	if len(losses) == 0 || len(losses) > mostEqual { // H: optimal.md few
		return nil, nil, 0
	}
	sum, divisor := new(big.Rat), new(big.Rat)
	for _, l := range losses {
		sum.Add(sum, l.epsilonOrZero())
		divisor = commonDivisor(divisor, l.epsilonOrZero())
	}
	if sum.Sign() == 0 || sum.Cmp(largestEpsilon) > 0 { // H: optimal.md few
		return nil, nil, 0
	}
	// leaves one step of rounding for each
	step = new(big.Rat).Quo(sum, big.NewRat(int64(mostSteps-len(losses)), 1))
	if divisor.Cmp(step) > 0 {
		step = divisor
	}
	for _, l := range losses {
		n := int(ceil(new(big.Rat).Quo(l.epsilonOrZero(), step)).Int64())
		counts, total = append(counts, n), total+n
	}
	if total*len(losses) > mostWork {
		return nil, nil, 0
	}
	return step, counts, total
}

// commonDivisor returns the largest rational of which a and b are whole multiples; 0 is a multiple
// of everything.
func commonDivisor(a, b *big.Rat) *big.Rat {
	num := new(big.Int).
		GCD(nil, nil, new(big.Int).Mul(a.Num(), b.Denom()), new(big.Int).Mul(b.Num(), a.Denom()))
	return new(big.Rat).SetFrac(num, new(big.Int).Mul(a.Denom(), b.Denom()))
}

// power returns x^n, rounded on the way by round.
func power(x *big.Rat, n int, round func(*big.Rat) *big.Rat) *big.Rat {
	result := big.NewRat(1, 1)
	for range n {
		result = round(result.Mul(result, x))
	}
	return result
}
