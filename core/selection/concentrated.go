package selection

import (
	"math"
	"math/big"

	"hush/core/privacy"
)

// firstOf is a search without a limit over runs that are ρ-zCDP; each run that is not good enough
// is the last with probability stop.
type firstOf struct {
	rho, stop *big.Rat
}

// epsilon returns an ε such that the search is (ε, delta)-DP, 0 < delta < 1. The order and the
// cells are sought in floats; the ε is then computed in rationals rounded up. Proof: threshold.md,
// Theorem 2.
func (s firstOf) epsilon(delta *big.Rat) *big.Rat {
	curve := s.curve()
	over, sought := curve.bestOver(floatOf(privacy.LogUp(delta)))
	order := new(big.Rat).Add(ratOf(1), over)
	epsilon := new(big.Rat).Mul(order, s.rho)
	epsilon.Add(epsilon, s.apart(over, curve.cells(floatOf(over), sought*looseness)))
	// from an order to δ: concentrated.md of core/privacy, Claim 1
	rest := privacy.LogUp(new(big.Rat).Inv(delta))
	rest.Sub(rest, privacy.LogDown(order))
	rest.Add(rest, new(big.Rat).Mul(over, privacy.LogUp(new(big.Rat).Quo(over, order))))
	epsilon.Add(epsilon, rest.Quo(rest, over))
	if epsilon.Sign() < 0 {
		return new(big.Rat)
	}
	return epsilon
}

// looseness is the part of ε by which cells may exceed the largest value inside.
const looseness = 1.0 / 4096

// apart returns an upper bound on the largest value of ln(D′/D) + ln(1/D)/over, from its values on
// cells: D′/D is 1 + w·(r − 1), where w falls and r rises. Beyond the last cell, D is at least
// stop.
func (s firstOf) apart(over *big.Rat, edges []float64) *big.Rat {
	root, largest := privacy.SqrtUp(s.rho), new(big.Rat)
	w := ratOf(1)
	w.Sub(w, s.stop)
	for _, edge := range edges[1:] {
		x := ratFrom(edge)
		p := privacy.ExpDown(new(big.Rat).Neg(new(big.Rat).Mul(x, x)))
		d := s.mass(p)
		rise := new(big.Rat).Mul(w, s.rise(x, root))
		value := privacy.LogUp(rise.Add(rise, ratOf(1)))
		value.Sub(value, new(big.Rat).Quo(privacy.LogDown(d), over))
		if value.Cmp(largest) > 0 {
			largest = value
		}
		p = privacy.ExpUp(x.Neg(x.Mul(x, x))) // the next cell begins here
		w.Sub(ratOf(1), new(big.Rat).Quo(s.stop, s.mass(p)))
	}
	x := ratFrom(edges[len(edges)-1])
	x.Sub(x, root)
	moved := s.mass(privacy.ExpUp(x.Neg(x.Mul(x, x))))
	value := privacy.LogUp(moved.Quo(moved, s.stop))
	value.Sub(value, new(big.Rat).Quo(privacy.LogDown(s.stop), over))
	if value.Cmp(largest) > 0 {
		largest = value
	}
	return largest
}

// rise returns an upper bound on p′/p − 1 for p = e^(−x²).
func (s firstOf) rise(x, root *big.Rat) *big.Rat {
	exponent := new(big.Rat).Mul(x, x)
	if x.Cmp(root) > 0 {
		exponent.Mul(x, root).Mul(exponent, ratOf(2)).Sub(exponent, s.rho)
	}
	up := privacy.ExpUp(exponent)
	return up.Sub(up, ratOf(1))
}

// mass returns D, the probability that a run is the last, where a run is good enough with
// probability p.
func (s firstOf) mass(p *big.Rat) *big.Rat {
	d := new(big.Rat).Sub(ratOf(1), s.stop)
	return d.Add(d.Mul(d, p), s.stop)
}

// curve holds ln(D′/D) and ln(1/D) in floats, at evenly spaced places √ln(1/p).
type curve struct {
	firstOf
	root, stopped float64 // √ρ, and stop
	last          float64
	moved, ends   []float64
}

const places = 512 // of a curve

func (s firstOf) curve() curve {
	c := curve{firstOf: s, root: math.Sqrt(floatOf(s.rho)), stopped: floatOf(s.stop)}
	c.last = sixteenBits(c.root + math.Sqrt(16-math.Log(c.stopped)))
	for i := range places {
		x := c.last * float64(i) / (places - 1)
		c.moved, c.ends = append(c.moved, c.move(x, x)), append(c.ends, c.end(x))
	}
	return c
}

// end returns ln(1/D), and move returns ln(D′/D) with w at one place and r at another.
func (c curve) end(x float64) float64 {
	return -math.Log(c.stopped + (1-c.stopped)*math.Exp(-x*x))
}

func (c curve) move(w, r float64) float64 {
	exponent := r * r
	if r > c.root {
		exponent = c.root * (2*r - c.root)
	}
	return math.Log1p((1 - c.stopped*math.Exp(c.end(w))) * math.Expm1(exponent))
}

// apartAt estimates the largest value of ln(D′/D) + ln(1/D)/over.
func (c curve) apartAt(over float64) float64 {
	at := 0
	for i, ends := range c.ends {
		if c.moved[i]+ends/over > c.moved[at]+c.ends[at]/over {
			at = i
		}
	}
	value := func(x float64) float64 { return c.move(x, x) + c.end(x)/over }
	wide := c.last / (places - 1)
	low, high := max(0, float64(at-1)*wide), min(float64(at+1)*wide, c.last)
	for range 24 {
		left, right := low+(high-low)/3, high-(high-low)/3
		if value(left) < value(right) {
			low = left
		} else {
			high = right
		}
	}
	return max(c.moved[at]+c.ends[at]/over, value((low+high)/2))
}

// bestOver seeks the order, minus 1, that makes ε smallest, and returns that ε too.
func (c curve) bestOver(logDelta float64) (over *big.Rat, least float64) {
	rho := floatOf(c.rho)
	epsilon := func(u float64) float64 {
		a := math.Exp(u)
		return (1+a)*rho + c.apartAt(a) + (-logDelta-a*math.Log1p(1/a)-math.Log1p(a))/a
	}
	middle := math.Log(max(-logDelta, 1e-3)/rho) / 2
	best := middle
	for step := 1.0; step > 1e-3; step /= 4 {
		for from, i := best-4*step, 0; i <= 8; i++ {
			if u := from + float64(i)*step; epsilon(u) < epsilon(best) {
				best = u
			}
		}
	}
	rounded := sixteenBits(math.Exp(best))
	return ratFrom(rounded), epsilon(math.Log(rounded))
}

// cells divides the places, from 0, into cells such that none exceeds the largest value by more
// than slack.
func (c curve) cells(over, slack float64) (edges []float64) {
	top := c.apartAt(over) + slack
	fits := func(from, to float64) bool {
		return c.move(from, to)+c.end(to)/over <= top
	}
	const grid = 1 << 16
	for at := 0.0; at < c.last; {
		edges = append(edges, at)
		low, high := at+1.0/grid, c.last // one step ahead in any case
		for high-low > 1.0/grid && !fits(at, high) {
			if middle := (low + high) / 2; fits(at, middle) {
				low = middle
			} else {
				high = middle
			}
		}
		if fits(at, high) {
			low = high
		}
		at = max(math.Floor(low*grid)/grid, at+1.0/grid)
	}
	return append(edges, c.last)
}

// sixteenBits rounds x to 16 significant bits, so that small errors of functions make no
// difference.
func sixteenBits(x float64) float64 {
	part, exponent := math.Frexp(x)
	return math.Ldexp(math.Round(part*(1<<16)), exponent-16)
}

func ratFrom(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// RhoOfRun returns nearly the largest ρ that a run, with its score, may have in a search for the
// first good enough of this many combinations ([Until]), if the search is to be (ε, δ)-DP.
func RhoOfRun(epsilon privacy.Epsilon, delta privacy.Delta,
	combinations int64) (rho privacy.Rho, err error) {
	switch {
	case !epsilon.IsSet() || delta.IsZero():
		return rho, refuse("delta", delta.String(), "an ε and a δ above 0")
	case combinations < 1:
		return rho, refuse("combinations", countText(uint64(combinations)), "at least 1")
	}
	logDelta := floatOf(privacy.LogUp(delta.Rat()))
	s := firstOf{stop: stopOf(combinations)}
	reaches := func(x float64) bool {
		s.rho = ratFrom(x)
		_, least := s.curve().bestOver(logDelta)
		return least*(1+looseness) <= epsilon.Float64()
	}
	low, high := math.Ldexp(1, -60), 5000.0
	for high/low > 1+1.0/(1<<14) {
		if middle := math.Sqrt(low * high); reaches(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	s.rho = ratFrom(sixteenBits(low))
	for less := 1.0 / 1024; s.epsilon(delta.Rat()).Cmp(epsilon.Rat()) > 0; less *= 2 {
		s.rho = ratFrom(sixteenBits(low * (1 - less)))
	}
	return privacy.NewRho(s.rho)
}
