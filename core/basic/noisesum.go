package basic

import (
	"math"
	"slices"
)

// weighed is discrete Laplace noise of base e^log, times a number from least to most, which are at
// least 0.
type weighed struct{ least, most, log float64 }

// scale returns the scale of the continuous Laplace noise of which the largest multiple is all but
// a fraction of a unit.
func (w weighed) scale() float64 { return w.most / w.log }

// shift returns how far continuous noise is moved up to be no less, in law, than this noise:
// between half a unit and one. sums.md, Lemma 4.
func (w weighed) shift() float64 {
	return w.most * (1 - (math.Ln2-math.Log1p(math.Exp(-w.log)))/w.log)
}

// noiseSum is a sum of independent noises; lead, which has a single multiple, has the finest unit.
type noiseSum struct {
	lead weighed
	rest []weighed
}

// beyond returns at least Pr[|sum| > t], whatever the multiples are. It is smaller for a larger t
// and for narrower ranges of the multiples. sums.md, Lemmas 4 and 5.
func (s noiseSum) beyond(t float64) float64 { return min(s.smooth(t), s.counted(t)) }

// smooth bounds beyond by continuous Laplace noise.
func (s noiseSum) smooth(t float64) float64 {
	var scales [4]float64 // of rest, then of all: at most two and three that are not 0
	others, largest, shifts, squares := scales[:0], 0.0, 0.0, 0.0
	for _, w := range s.rest {
		others = append(others, w.scale())
		largest, shifts = max(largest, w.most), shifts+w.shift()
		squares += w.most * w.most
	}
	lead := s.lead.scale()
	t -= s.lead.shift()
	far := min(1, squares/(24*lead*lead)) * aboveAll(apart(others), t-largest-shifts)
	return 2 * (aboveAll(apart(append(others, lead)), t) + far)
}

// apart sorts scales and makes each at least a thousandth larger than the one before, so that
// aboveAll loses few digits.
func apart(scales []float64) []float64 {
	slices.Sort(scales)
	for i := 1; i < len(scales); i++ {
		scales[i] = max(scales[i], scales[i-1]*1.001)
	}
	return scales
}

// aboveAll returns Pr[Σ X > t] for independent Laplace variables of these scales, all apart; 1 for
// t ≤ 0.
func aboveAll(scales []float64, t float64) (chance float64) {
	if t <= 0 {
		return 1
	}
	for i, b := range scales {
		if b == 0 {
			continue
		}
		part := math.Exp(-t/b) / 2
		for j, other := range scales {
			if j != i {
				part /= 1 - (other/b)*(other/b)
			}
		}
		chance += part
	}
	return max(0, chance)
}

// coarse is the ln r from which on noise is taken as it is: one whole number after another.
const coarse = 0.75

// counted bounds beyond by all values that coarse noises can have, with at most one fine noise;
// otherwise it is 1.
func (s noiseSum) counted(t float64) float64 {
	var list [4]weighed
	coarsely, finely := list[:0:2], list[2:2]
	for _, w := range s.rest {
		if w.log >= coarse {
			coarsely = append(coarsely, w)
		} else {
			finely = append(finely, w)
		}
	}
	if len(coarsely) == 0 || len(finely) > 1 {
		return 1
	}
	return 2 * above(t, coarsely, func(t float64) float64 {
		if len(finely) == 0 {
			return s.lead.above(t)
		}
		h := finely[0]
		b, t := s.lead.scale(), t-s.lead.shift()-h.shift()
		return (aboveOne(b, h.scale(), t) + 1 - aboveOne(b, h.least/h.log, -t)) / 2
	})
}

// above returns Pr[sum of noises and rest > t], where rest gives that probability for the rest
// alone.
func above(t float64, noises []weighed, rest func(t float64) float64) float64 {
	if len(noises) == 0 {
		return rest(t)
	}
	w := noises[0]
	last := math.Ceil(18 / w.log) // beyond that are 10^-8 of all
	chance, part := math.Exp(-w.log*last), math.Tanh(w.log/2)
	for k := 0.0; k <= last; k++ {
		chance += part * above(t-w.most*k, noises[1:], rest)
		if k > 0 {
			chance += part * above(t+w.least*k, noises[1:], rest)
		}
		part *= math.Exp(-w.log)
	}
	return chance
}

// above returns Pr[noise > t], for the largest multiple.
func (w weighed) above(t float64) float64 {
	half := func(units float64) float64 {
		return math.Exp(-w.log*units) / (1 + math.Exp(-w.log))
	}
	if t >= 0 {
		return half(math.Floor(t/w.most-1e-9) + 1)
	}
	return 1 - half(math.Ceil(-t/w.most+1e-9))
}

// aboveOne returns Pr[X + Y > t] for a Laplace variable X of scale b and an exponential variable Y
// of scale h.
func aboveOne(b, h, t float64) float64 {
	if t < 0 {
		return 1 - math.Exp(t/b)/2*b/(b+h)
	}
	if h <= 0 {
		return math.Exp(-t/b) / 2
	}
	faster := 1/h - 1/b
	between := t / h
	if math.Abs(t*faster) > 1e-9 {
		between = -math.Expm1(-t*faster) / (h * faster)
	}
	return math.Exp(-t/b)*between/2 + math.Exp(-t/h)*(1-b/(b+h)/2)
}

// firstEnough returns the least number above 0 that is enough, where all larger numbers are, to a
// relative 10^-5 above; the search starts from size.
func firstEnough(size float64, enough func(float64) bool) float64 {
	low, high := 0.0, size
	for !enough(high) {
		low, high = high, 2*high
	}
	for high-low > 1e-5*high {
		if middle := (low + high) / 2; enough(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}
