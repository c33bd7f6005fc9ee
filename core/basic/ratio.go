package basic

import (
	"math"
	"math/big"
)

// ratio is the design of a mean whose denominator is private: it releases T = Σ y and the number m
// of persons with a value, for y = 2·code − last, that is, in half steps about the middle of the
// scale: |y| ≤ last. Replacing a value moves T by 2·last and leaves m; losing one moves T by last
// only, and m by 1. So the count comes for free (about everybody). sums.md, Theorem 5.
type ratio struct {
	last    *big.Int
	quantum *big.Int // of T
	within  uint64   // ⌈2·last/quantum⌉
	absent  uint64   // ⌈last/quantum⌉
}

func newRatio(last uint64, people int64) ratio {
	r := ratio{last: bigOf(last)}
	twice := new(big.Int).Lsh(r.last, 1)
	r.quantum = quantum(twice, people)
	r.within, r.absent = ceilDiv(twice, r.quantum).Uint64(), ceilDiv(r.last, r.quantum).Uint64()
	return r
}

// design gives m what T leaves over. By group nothing is left over with Laplace noise, and m gets
// half of T's share; with Gaussian noise there is as much again.
func (r ratio) design(kind Kind, grouped bool) (design, bool) {
	if kind == Gaussian {
		room := r.within * r.within
		if grouped {
			room /= 2
		}
		square := r.absent * r.absent
		weight := uint64(1)
		if room > square {
			weight = max(1, new(big.Int).Sqrt(bigOf(room-square)).Uint64())
		}
		absent := square + weight*weight
		return design{weights: []uint64{1, weight}, within: max(r.within*r.within, absent),
			absent: absent}, true
	}
	weight := max(1, r.within-r.absent)
	if grouped {
		weight = max(1, r.absent/2)
	}
	moves := [][]uint64{{r.within}, {r.absent, 1}}
	if grouped {
		moves[1] = []uint64{r.absent, 1, r.absent, 1}
	}
	return design{weights: []uint64{1, weight}, within: max(r.within, r.absent+weight),
		absent: r.absent + weight, moves: moves}, true
}

func (r ratio) sums(total *big.Int, persons uint64) []int64 {
	return []int64{rounded(total, r.quantum), saturate(bigOf(persons))}
}

// off returns, for a mean in half steps, a number c with Pr[|error of T − mean·(error of m)| > c] ≤
// beta, rounding included; it rises with |mean|. Of the two bounds, from each noise alone and from
// both together, it takes the one that is narrower for the largest mean: a public fact. sums.md,
// Theorem 7.
func (r ratio) off(n *Noise, beta float64) func(mean float64) float64 {
	q, last := toFloat(r.quantum), toFloat(r.last)
	total, persons := float64(n.laws[0].bound(beta/2)), float64(n.laws[1].bound(beta/2))
	alone := func(mean float64) float64 { return q*total + mean*persons }
	together := func(mean float64) float64 {
		if g := n.laws[0].gaussian; g != nil {
			off := math.Hypot(q*g.StdDev(), mean*n.laws[1].gaussian.StdDev()) *
				math.Sqrt(2*math.Log(2/beta))
			if n.average != nil { // averages are rounded
				off += (q + mean) / 2
			}
			return off
		}
		// discrete noise is continuous noise less a part of a unit
		return twoLaplace(q/n.laws[0].laplace.Log(), mean/n.laws[1].laplace.Log(), beta) + q + mean
	}
	bound := together
	if alone(last) < together(last) {
		bound = alone
	}
	return func(mean float64) float64 { return bound(math.Abs(mean)) + q/2 }
}

// twoLaplace returns the smallest t with Pr[|X + Y| > t] ≤ beta for independent Laplace variables
// of these scales, the first above 0, to a relative 10^-9 above.
func twoLaplace(a, b, beta float64) float64 {
	a, b = max(a, b), min(a, b)
	beyond := func(t float64) float64 { // t and b in units of a
		b := b / a
		if b > 1-1e-5 { // as for two of scale 1, which is wider
			return (1 + t/2) * math.Exp(-t)
		}
		return (math.Exp(-t) - b*b*math.Exp(-t/b)) / (1 - b*b)
	}
	low, high := 0.0, 2*math.Log(4/beta)
	for high-low > 1e-10*high {
		if middle := (low + high) / 2; beyond(middle) > beta {
			low = middle
		} else {
			high = middle
		}
	}
	return high * a
}

// answer returns T/m in half steps, between −last and last. Its interval holds each mean for which
// the noisy sums are no further apart than noise puts them in 95 of 100 releases.
func (r ratio) answer(n *Noise, beta float64, noisy []int64) Estimate {
	total := new(big.Int).Mul(big.NewInt(noisy[0]), r.quantum)
	persons := big.NewInt(noisy[1])
	top, bottom := ratOf(r.last), new(big.Rat).Neg(ratOf(r.last))
	e := Estimate{Value: over(total, atLeastOne(persons)), Low: bottom, High: top}
	if persons.Sign() > 0 {
		largest, allowed := toFloat(r.last), r.off(n, beta)
		for range 20 { // narrower each time: what is allowed for the largest mean left
			off := outwards(allowed(largest))
			low, high := new(big.Rat).Sub(ratOf(total), off), new(big.Rat).Add(ratOf(total), off)
			e.Low, e.High = low.Quo(low, ratOf(persons)), high.Quo(high, ratOf(persons))
			e = e.clamp(bottom, top)
			before := largest
			largest = min(before, max(math.Abs(ratFloat(e.Low)), math.Abs(ratFloat(e.High))))
			if largest > before*(1-1e-6) {
				break
			}
		}
	}
	return e.clamp(bottom, top)
}

// outwards returns a little more than a float of at least 0.
func outwards(x float64) *big.Rat {
	if x > math.MaxFloat64/2 {
		x = math.MaxFloat64 / 2
	}
	return new(big.Rat).SetFloat64(x * (1 + 1e-12))
}

// forecast is in units of unit half steps. With the sums no further apart than off and |noise on m|
// ≤ s < m, the quotient is off by at most off/(m − s).
func (r ratio) forecast(n *Noise, persons int64, unit float64) Forecast {
	last, m := toFloat(r.last), float64(persons)
	bound := 2 * last
	if s := float64(n.laws[1].bound(Beta / 10)); s < m {
		bound = min(bound, r.off(n, Beta*9/10)(last)/(m-s))
	}
	rounding := toFloat(new(big.Int).Rsh(r.quantum, 1))
	expected := (n.laws[0].expected*toFloat(r.quantum) + rounding + last*n.laws[1].expected) /
		math.Max(m, 1)
	typical := (math.Hypot(n.laws[0].expected*toFloat(r.quantum), last/2*n.laws[1].expected) +
		rounding/2) / math.Max(m, 1)
	return Forecast{Expected: min(2*last, expected) * unit, Typical: min(last, typical) * unit,
		Bound: bound * unit}
}

// span returns x ± by, at least 1 at its low end.
func span(x, by *big.Int) (low, high *big.Int) {
	return atLeastOne(new(big.Int).Sub(x, by)), new(big.Int).Add(x, by)
}

// quotients returns the range of x/y for low ≤ x ≤ high and 1 ≤ few ≤ y ≤ many.
func quotients(low, high, few, many *big.Int) (least, most *big.Rat) {
	below, above := many, few
	if low.Sign() < 0 {
		below = few
	}
	if high.Sign() < 0 {
		above = many
	}
	return over(low, below), over(high, above)
}

func over(x, y *big.Int) *big.Rat { return new(big.Rat).SetFrac(x, y) }

func atLeastOne(x *big.Int) *big.Int {
	if x.Sign() <= 0 {
		return bigOf(1)
	}
	return x
}
