package basic

import (
	"math"
	"math/big"
)

// moments are the noisy sums of a variance about the middle, in half steps.
type moments struct{ w, y, count *big.Int }

// The interval about the mean takes this part of beta for the distance of the mean from its
// estimate: little, since the variance depends on the square of that distance.
const shareOfMean = 0.1

// typicalGroups is the number of equal groups of which one group is assumed to be.
const typicalGroups = 4

// interval returns the variances, in half steps squared, that the noisy sums allow except with
// probability beta. Public facts decide which of two intervals it is.
func (v variance) interval(n *Noise, grouped bool, beta float64, x moments) (low, high *big.Rat) {
	f := v.floats(n, beta)
	if v.before || x.count.Sign() <= 0 || !f.squareIsLess(v.people, grouped) {
		return v.eachNoise(n, beta, x)
	}
	return v.aboutMean(f, x)
}

// varianceNoise are a variance's noises in floats.
type varianceNoise struct {
	beta, k        float64
	log            [3]float64 // ln r of the noise on Σ w, on Σ y and on the number of values
	w, y           float64    // quanta
	roundW, roundY float64    // the most by which rounding to them errs
}

func (v variance) floats(n *Noise, beta float64) (f varianceNoise) {
	f = varianceNoise{beta: beta, k: toFloat(bigOf(v.last)), w: toFloat(v.w), y: toFloat(v.y)}
	for j := range f.log {
		f.log[j] = n.laws[j].laplace.Log()
	}
	f.roundW, f.roundY = toFloat(new(big.Int).Rsh(v.w, 1)), toFloat(new(big.Int).Rsh(v.y, 1))
	return f
}

// offMean bounds, except with probability shareOfMean·beta, the error of Σ y minus the mean times
// the error of the number of values, for a mean of at most this size.
func (f *varianceNoise) offMean(mean float64) float64 {
	s := noiseSum{weighed{f.y, f.y, f.log[1]}, []weighed{{0, mean, f.log[2]}}}
	return f.roundY + firstEnough(s.lead.scale(), func(t float64) bool {
		return s.smooth(t) <= f.beta*shareOfMean
	})
}

// squares returns the noise in Σ (y − mean)² minus the variance times the number of values, for
// means from nearest to furthest, rounding apart; the noise on that number counts few times to many
// times.
func (f *varianceNoise) squares(nearest, furthest, few, many float64) noiseSum {
	return noiseSum{weighed{f.w / 2, f.w / 2, f.log[0]}, []weighed{
		{2 * nearest * f.y, 2 * furthest * f.y, f.log[1]}, {few, many, f.log[2]}}}
}

// squareIsLess reports whether the square of the distance that the mean may have from its estimate
// is at most a third of what else is allowed, where everybody has a value, or everybody in an equal
// group, and values are half way to an end.
func (f *varianceNoise) squareIsLess(people int64, grouped bool) bool {
	count := float64(people)
	if grouped {
		count /= typicalGroups
	}
	away := f.offMean(f.k/2) / count
	s := f.squares(f.k/2, f.k/2, f.k*f.k/2, f.k*f.k/2)
	return s.smooth(3*away*away*count) > f.beta*(1-shareOfMean)
}

// aboutMean returns each variance for which there is a mean such that noise can have moved the sum
// of squares about that mean as far as it is then moved. In that sum the three noises have the same
// weights as in the variance, so together they have one law. sums.md, Theorem 10.
func (v variance) aboutMean(f varianceNoise, x moments) (low, high *big.Rat) {
	mean := over(x.y, x.count)
	middle := v.of(over(x.w, x.count), mean)
	a := aboutMean{varianceNoise: f, count: toFloat(x.count), mean: math.Abs(ratFloat(mean)),
		middle: ratFloat(middle), down: math.Inf(1), up: math.Inf(1), furthest: f.k,
		above: f.k * f.k}
	a.outside, a.away = max(0, a.mean-a.k), a.k+a.mean
	exactly := false
	for range 16 {
		before := a.down + a.up
		if a.narrow(exactly); a.down+a.up > before*(1-1e-3) {
			if exactly {
				break
			}
			exactly = true
		}
	}
	low, high = outwards(a.down), outwards(a.up+a.away*a.away)
	low.Sub(middle, low).Add(low, inwards(a.outside*a.outside))
	high.Add(middle, high)
	if most := outwards(a.k*a.k - a.nearest*a.nearest*(1-1e-9)); high.Cmp(most) > 0 {
		high = most
	}
	return low, high
}

// aboutMean is the state of an interval while it is narrowed.
type aboutMean struct {
	varianceNoise
	count        float64
	mean, middle float64 // the estimates; of the mean its size
	outside      float64 // by how much that is more than k

	away              float64 // how far the mean can be from its estimate
	nearest, furthest float64 // from 0 that it can be
	below, above      float64 // what the variance can be
	down, up          float64 // how far it can be below the middle, and above
}

// narrow removes means and variances that are too far off, given the noise that the remaining ones
// allow.
func (a *aboutMean) narrow(exactly bool) {
	a.away = min(a.away, a.offMean(a.furthest)/a.count)
	a.furthest, a.nearest = min(a.furthest, a.mean+a.away), min(a.k, max(a.nearest, a.mean-a.away))
	a.above = min(a.above, a.k*a.k-a.nearest*a.nearest)
	chance := noiseSum.smooth
	if exactly {
		chance = noiseSum.beyond
	}
	// enough says that the variances from below to above, which are off by this or more, are too
	// far off, for all of the means
	enough := func(off, below, above float64) bool {
		few := a.k*a.k/2 + a.nearest*a.nearest - above
		many := a.k*a.k/2 + a.furthest*a.furthest - below
		s := a.squares(a.nearest, a.furthest, max(few, -many, 0), max(many, -few, 0))
		return chance(s, a.count*off-a.roundW/2-2*a.furthest*a.roundY) <= a.beta*(1-shareOfMean)
	}
	least, most := a.middle+a.outside*a.outside, a.middle+a.away*a.away
	size := a.k * a.k / a.count
	a.down = min(a.down, firstEnough(size, func(off float64) bool {
		return enough(off, a.below, least-off)
	}))
	a.below = max(a.below, least-a.down)
	a.up = min(a.up, firstEnough(size, func(off float64) bool {
		return enough(off, most+off, a.above)
	}))
	a.above = min(a.above, most+a.up)
}

// inwards returns a little less than a float of at least 0.
func inwards(x float64) *big.Rat { return new(big.Rat).SetFloat64(x * (1 - 1e-9)) }

// eachNoise returns each quotient of noisy sums at its worst, each noise with a third of beta: the
// interval of releases up to November 2026.
func (v variance) eachNoise(n *Noise, beta float64, x moments) (low, high *big.Rat) {
	k := ratOf(bigOf(v.last))
	square := new(big.Rat).Mul(k, k)
	boundW, boundY, boundM := v.bounds(n, beta)
	few, many := span(x.count, boundM)
	squares := Estimate{new(big.Rat), new(big.Rat).Neg(square), square}
	mean := Estimate{new(big.Rat), new(big.Rat).Neg(k), k}
	if many.Sign() > 0 {
		squares.Low, squares.High = quotients(new(big.Int).Sub(x.w, boundW),
			new(big.Int).Add(x.w, boundW), few, many)
		mean.Low, mean.High = quotients(new(big.Int).Sub(x.y, boundY),
			new(big.Int).Add(x.y, boundY), few, many)
	}
	squares = squares.clamp(new(big.Rat).Neg(square), square)
	mean = mean.clamp(new(big.Rat).Neg(k), k)
	near, far := mean.Low, mean.High
	if new(big.Rat).Abs(near).Cmp(new(big.Rat).Abs(far)) > 0 {
		near, far = far, near
	}
	if mean.Low.Sign() < 0 && mean.High.Sign() > 0 {
		near = new(big.Rat)
	}
	return v.of(squares.Low, far), v.of(squares.High, near)
}
