package joint

import (
	"cmp"
	"math"
	"slices"
)

// The law of a sum of noises with any weights: living.md, "The law of a sum".

// share counts the noises of one law that have the same weight, which is above 0.
type share struct {
	law    law
	weight float64
	counts float64
}

// shares returns the shares of a linear number; noise is symmetric, so only absolute weights
// matter.
func (l *Living) shares(x linear) (list []share) {
	for _, p := range x.parts {
		of, sizes := l.laws[p.table], make([]float64, 0, len(p.weights))
		for _, w := range p.weights {
			if w != 0 {
				sizes = append(sizes, math.Abs(w))
			}
		}
		slices.Sort(sizes)
		for i, w := range sizes {
			if i > 0 && w == sizes[i-1] {
				list[len(list)-1].counts++
				continue
			}
			list = append(list, share{of, w, 1})
		}
	}
	slices.SortFunc(list, func(a, b share) int { // the fastest falling come first
		return cmp.Compare(b.width(), a.width())
	})
	return list
}

// width is an upper bound on the standard deviation of the sum of such noises.
func (s share) width() float64 {
	return s.weight * s.law.stdDev * math.Sqrt(s.counts)
}

// logMean returns ln E e^(iθ·sum), which is never above 0.
func (s share) logMean(theta float64) float64 {
	theta = math.Abs(math.Remainder(theta*s.weight, 2*math.Pi))
	if s.law.half > 0 {
		r := math.Sin(theta/2) / s.law.steep
		return -s.counts * math.Log1p(r*r)
	}
	return s.counts * (s.law.theta(theta) - s.law.atZero)
}

// theta returns ln Σ e^(−(θ − 2πk)²σ²/2), for a discrete Gaussian, by Poisson's formula; θ is from
// 0 to π.
func (l law) theta(theta float64) float64 {
	sum, square := 0.0, l.stdDev
	if square *= square; square > 4 { // all other k add less than exp(−78)
		return math.Log1p(math.Exp(-2*math.Pi*(math.Pi-theta)*square)) - theta*theta*square/2
	}
	for k := -4.0; k <= 4; k++ {
		away := theta - 2*math.Pi*k
		sum += math.Exp((theta*theta - away*away) * square / 2)
	}
	return math.Log(sum) - theta*theta*square/2
}

// Constants of the law of a sum: a Gaussian with smooth times the sum's width is added, so that its
// Fourier coefficients end at exp(−ends²/2); that Gaussian is within away of its widths, except
// with a chance of outside; and rest covers everything that is left out.
const (
	smooth  = 1. / 256
	ends    = 7.5
	away    = 4.5
	outside = 6.8e-6
	far     = 1e-9
	rest    = 4e-9
)

// narrowed returns a t with Pr[|noise| > t] ≤ beta by the law of the sum, or the bound most if that
// is less. farther is such a t for the chance far.
func narrowed(list []share, beta, most, farther float64) float64 {
	width := 0.0
	for _, s := range list {
		width = math.Hypot(width, s.width())
	}
	tau := smooth * width
	period := 2 * (farther + 7*tau)
	terms := make([]float64, int(math.Ceil(ends*period/(2*math.Pi*tau))))
	for j := range terms {
		at := 2 * math.Pi * float64(j+1) / period
		log := -at * at * tau * tau / 2
		for _, s := range list {
			if log < -40 {
				break
			}
			log += s.logMean(at)
		}
		if log >= -40 {
			terms[j] = 2 / (math.Pi * float64(j+1)) * math.Exp(log)
		}
	}
	beyond := func(t float64) float64 {
		t -= away * tau
		sum := 1 - 2*t/period
		for j, term := range terms {
			if term != 0 {
				sum -= term * math.Sin(2*math.Pi*float64(j+1)*t/period)
			}
		}
		return (sum + rest) / (1 - outside)
	}
	low, high := away*tau, most
	for high-low > 1e-4*high {
		if middle := (low + high) / 2; beyond(middle) <= beta {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}
