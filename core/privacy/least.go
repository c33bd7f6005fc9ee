package privacy

import (
	"math"
	"math/big"
	"slices"

	"hush/core/phrase"
)

// Least returns a lower bound on the ε that any rule of this package can prove for these releases
// together at δ: at least the bound for each of them alone, and the bound from one event. A smaller
// total means a mistake in the code that computed it. Nothing here adds up a law. Proof: least.md.
func Least(plan []Planned, delta Delta) *big.Rat {
	least := leastOf(plan, delta.Rat())
	if len(plan) > 1 {
		for i := range plan {
			least = larger(least, leastOf(plan[i:i+1], delta.Rat()))
		}
	}
	return littleLess(least)
}

// LeastOfPairs is [Least] for the law of these pairs, at every δ.
func LeastOfPairs(list []Pairs, delta *big.Rat) *big.Rat { return littleLess(event(list, delta)) }

// littleLess lowers a bound slightly: rules round e^ε outwards in ways of their own.
func littleLess(least *big.Rat) *big.Rat {
	return roundDown(least.Mul(least, new(big.Rat).Sub(one, ratPow2(-64))))
}

// Contradiction returns [ErrContradiction] for a total that these releases cannot have: it is 0
// although they lose something, below [Least] at its δ, or above their plain sum although its δ is
// no less. It returns nil where nothing speaks against the total, or where it has no ε.
func Contradiction(plan []Planned, total Loss) error {
	if total.noEpsilon {
		return nil
	}
	sum := sumOf(plan).Short()
	epsilon := total.epsilonOrZero()
	switch delta, err := NewDelta(total.Delta()); {
	case epsilon.Sign() == 0 && losesSomething(plan),
		err == nil && epsilon.Cmp(Least(plan, delta)) < 0,
		!sum.noEpsilon && sum.Delta().Cmp(total.Delta()) <= 0 &&
			epsilon.Cmp(sum.epsilonOrZero()) > 0:
		return ErrContradiction
	}
	return nil
}

// ErrContradiction is the error of [Contradiction].
var ErrContradiction error = phrase.Fault("privacy: this total cannot be that of its parts")

// sumOf returns the plain sum of a plan; for one release, its own loss.
func sumOf(plan []Planned) (sum Loss) {
	for i, p := range plan {
		if i == 0 {
			sum = p.Loss
		} else {
			sum = sum.Plus(p.Loss)
		}
	}
	return sum
}

func losesSomething(plan []Planned) bool {
	return slices.ContainsFunc(plan, func(p Planned) bool {
		return p.Loss.noEpsilon || p.Loss.epsilonOrZero().Sign() > 0
	})
}

// possible returns the candidates that do not contradict a plan. The plain sum never does.
func possible(plan []Planned, delta Delta, all []Candidate) []Candidate {
	least, something := Least(plan, delta), losesSomething(plan)
	return slices.DeleteFunc(slices.Clone(all), func(c Candidate) bool {
		epsilon := c.Loss.epsilonOrZero()
		return c.Rule != Basic && (epsilon.Cmp(least) < 0 || something && epsilon.Sign() == 0)
	})
}

// lifted returns the bound by ρ with ρ as its ε, for plans in which no other rule is left because
// that bound is 0: the whole loss is within δ, and no loss has a plain sum. No plan is then said to
// cost nothing.
func lifted(plan []Planned, delta Delta, all []Candidate) (only []Candidate) {
	for _, c := range all {
		if c.Rule == Concentrated && c.Loss.epsilonOrZero().Sign() == 0 &&
			Least(plan, delta).Sign() == 0 {
			c.Loss.epsilon = c.Loss.Rho()
			only = append(only, c)
		}
	}
	return only
}

// leastOf bounds from below what every rule gives for a whole list.
func leastOf(plan []Planned, delta *big.Rat) *big.Rat {
	var known, alone []Pairs // by the pairs, and by the losses alone
	own, ranged, whole := false, false, true
	for _, p := range plan {
		own = own || p.Loss.noEpsilon || p.Loss.rho != nil
		ranged = ranged || p.Loss.ranged
		whole = whole && !p.Loss.noEpsilon
		pair, err := PairOf(p.Loss)
		if err == nil {
			alone = append(alone, Pairs{pair, 1})
		}
		if len(p.Pairs) > 0 {
			known = append(known, p.Pairs...)
		} else if err == nil {
			known = append(known, Pairs{pair, 1})
		}
	}
	least := event(known, delta)
	if whole {
		least = smaller(least, event(alone, delta))
	}
	if delta.Sign() == 0 {
		return least
	}
	if own {
		rho := new(big.Rat)
		for _, p := range plan {
			rho.Add(rho, p.Loss.Rho())
		}
		near := new(big.Rat).Sub(one, ratPow2(-20)) // the order of ρ is sought in floats
		least = smaller(least, near.Mul(near, epsilonFromRho(rho, delta)))
	}
	if ranged {
		// A pair whose losses are ±ε/2 has every range, so no rule may give less than it.
		least = smaller(least, event(halves(plan), delta))
	}
	return least
}

// halves returns randomised responses with half of each ε.
func halves(plan []Planned) (list []Pairs) {
	for _, p := range plan {
		half := p.Loss.epsilonOrZero()
		loss := Loss{epsilon: half.Quo(half, two)}
		if pair, err := PairOf(loss); err == nil {
			list = append(list, Pairs{pair, 1})
		}
	}
	return list
}

// above is the event that the loss of one pair is at least some threshold.
type above struct {
	loss   *big.Rat // a lower bound
	chance *big.Rat // a lower bound too
	times  uint64
}

// event returns Σ loss + ln(1 − δ/Π chance), rounded down and at least 0, for the best event found
// of two kinds: the loss of one pair is above a threshold, or the losses of the pairs with the
// largest ones are above their medians.
func event(list []Pairs, delta *big.Rat) *big.Rat {
	best := new(big.Rat)
	var halves []above
	for _, p := range list {
		if p.Pair.base == nil || p.Times == 0 {
			continue
		}
		base := LogDown(p.Pair.base)
		share, log, small := 0.0, toFloat(base), toFloat(delta)
		top, median := -1, -1 // in floats, which only choose
		score := math.Inf(-1)
		for i, o := range p.Pair.outcomes { // from the largest loss down
			if o.power <= 0 {
				break
			}
			share += toFloat(o.mass)
			if s := log*float64(o.power) + math.Log1p(-small/share); s > score {
				score, top = s, i
			}
			if median < 0 && share >= 0.5 {
				median = i
			}
			if share > 0.9 {
				break
			}
		}
		if median >= 0 {
			halves = append(halves, p.Pair.until(median, base, p.Times))
		}
		if top >= 0 {
			best = larger(best, p.Pair.until(top, base, 1).with(delta))
		}
	}
	slices.SortStableFunc(halves, func(a, b above) int { return b.loss.Cmp(a.loss) })
	return larger(best, together(halves, delta))
}

// until returns the event that a pair has one of its outcomes up to number last; base is a lower
// bound on the loss of power 1. Its chance is rounded down, which makes the bound smaller.
func (p Pair) until(last int, base *big.Rat, times uint64) above {
	const bits = 192
	sum := new(big.Int)
	for _, o := range p.outcomes[:last+1] {
		scaled := new(big.Int).Lsh(o.mass.Num(), bits)
		sum.Add(sum, scaled.Quo(scaled, o.mass.Denom()))
	}
	loss := new(big.Rat).Mul(base, big.NewRat(p.outcomes[last].power, 1))
	return above{loss, dyadic(sum, -bits), times}
}

// together returns the bound from the best event that the first few of these events all happen.
func together(list []above, delta *big.Rat) *big.Rat {
	const most = 1 << 10
	small, chance, loss := toFloat(delta), 1.0, 0.0
	score, count := 0.0, 0
	n := 0
	for _, a := range list {
		for range min(a.times, most) {
			n++
			chance *= toFloat(a.chance)
			loss += toFloat(a.loss)
			if chance <= small || n > most {
				break
			}
			if s := loss + math.Log1p(-small/chance); s > score {
				score, count = s, n
			}
		}
	}
	all := above{new(big.Rat), big.NewRat(1, 1), 1}
	for _, a := range list {
		for range min(a.times, most) {
			if count == 0 {
				return all.with(delta)
			}
			count--
			all.loss.Add(all.loss, a.loss)
			// A chance that is rounded down makes the bound smaller.
			all.chance = roundDown(all.chance.Mul(all.chance, a.chance))
		}
	}
	return all.with(delta)
}

// with returns loss + ln(1 − δ/chance), rounded down and at least 0.
func (a above) with(delta *big.Rat) *big.Rat {
	left := new(big.Rat).Sub(a.chance, delta)
	if left.Sign() <= 0 {
		return new(big.Rat)
	}
	sum := new(big.Rat).Add(a.loss, LogDown(left.Quo(left, a.chance)))
	if sum.Sign() < 0 {
		return new(big.Rat)
	}
	return roundDown(sum)
}

func larger(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

func smaller(a, b *big.Rat) *big.Rat {
	if b.Cmp(a) < 0 {
		return b
	}
	return a
}
