package density

import (
	"fmt"
	"math"
	"math/big"
)

// turns is the number of turns of Mixed.
const turns = 30

// Mixed returns a distribution near this one, with as many persons, that is a mixture of this many
// of one shape (Unimodal, LogConcave or HazardRate). It starts from ranges of equally many persons
// that overlap. In turn, each cell's persons are shared out among the components in proportion to
// their densities there, and each component is made to have the shape (Shaped). The turn with the
// smallest sum of differences of the cells is taken; it need not be the nearest mixture. The bands
// remain those of the distribution, so they show where a mixture does not fit.
//
// It is free: post-processing. Proof: learn.md, Mixtures. Many cells are merged first, to 128, or
// 40 for LogConcave. *param.Error (components: 1 to 4, and 1 of the other shapes; shape).
func (d *Distribution) Mixed(shape Shape, components int) (*Distribution, error) {
	if components == 1 {
		return d.Shaped(shape)
	}
	parts, err := d.components(shape, components)
	if err != nil {
		return nil, err
	}
	return d.inherit(parts[0].bounds, summed(parts)), nil
}

// CanMix reports whether several of a shape can be mixed: a mixture of falling densities falls, and
// a mixture of densities with at most two peaks is a mixture of twice as many with one.
func CanMix(shape Shape) bool {
	return shape == Unimodal || shape == LogConcave || shape == HazardRate
}

func summed(parts []*Distribution) []float64 {
	sum := make([]float64, len(parts[0].mass))
	for _, part := range parts {
		for i, m := range part.mass {
			sum[i] += m
		}
	}
	return sum
}

// components are the components of Mixed.
func (d *Distribution) components(shape Shape, components int) (best []*Distribution, err error) {
	most := 128
	switch {
	case components < 1 || components > 4:
		return nil, refuse("components", fmt.Sprint(components), "1 to 4")
	case !CanMix(shape):
		return nil, refuse("components", fmt.Sprint(components),
			"1, or one peak, log-concave, or a hazard rate that rises")
	case shape == LogConcave:
		most = mostConcave
	}
	if len(d.mass) > most {
		if d, err = d.Pieces(most); err != nil {
			return nil, err
		}
	}
	parts := make([]*Distribution, components)
	for k := range parts {
		weight := make([]float64, len(d.mass))
		for i, m := range d.mass {
			at := (d.before(i)+m/2)/d.Total()*float64(components) - float64(k) - 0.5
			weight[i] = math.Exp(-at * at)
		}
		parts[k] = d.inherit(d.bounds, weight)
	}
	if shape == LogConcave { // of rising hazard rate too, and found faster
		if parts, err = d.components(HazardRate, components); err != nil {
			return nil, err
		}
	}
	least := math.Inf(1)
	for range turns {
		sum := summed(parts)
		next := make([]*Distribution, components)
		for k, part := range parts {
			shared := make([]float64, len(d.mass))
			for i, m := range d.mass {
				shared[i] = m / float64(components)
				if sum[i] > 0 {
					shared[i] = m * part.mass[i] / sum[i]
				}
			}
			if next[k], err = d.inherit(d.bounds, shared).Shaped(shape); err != nil {
				return nil, err
			}
		}
		parts = next
		off := 0.0
		for i, m := range summed(parts) {
			off += math.Abs(m - d.mass[i])
		}
		if off < least {
			best, least = parts, off
		}
	}
	return best, nil
}

// MixedWithin bounds the total variation between a population that is a mixture of this many of one
// shape, over this many values, and any distribution of at most this many cells whose distribution
// function differs from the population's by at most off, a share, at every value: the part of the
// probability that is in the wrong place, from 0 to 1. Proof: learn.md, Mixtures.
func MixedWithin(shape Shape, components int, size *big.Int, cells int, off float64) float64 {
	values := float(size)
	within := values * off
	for shift := range 7 {
		jumps, flat := leveled(shape, values, math.Ldexp(1, -shift))
		within = min(within, 2*flat+(jumps*float64(components)+float64(cells))*off)
	}
	return min(within, 1)
}

// leveled describes the histogram that stands, in the proof, for any density of a shape over this
// many values: how often it jumps, at most, and how far it is from the density, at most, in total
// variation. On each of its pieces densities differ by a factor of about 1 + growth, or little of
// the density lies there.
func leveled(shape Shape, values, growth float64) (jumps, off float64) {
	left := growth / 8 // of the probability, in the pieces with little
	levels := func(span float64) float64 {
		return math.Ceil(math.Log(span/left) / math.Log1p(growth))
	}
	runs := 1.0 // that rise or fall
	switch shape {
	case LogConcave:
		return 2 * levels(2), growth/4 + left
	case HazardRate:
		return levels(2*values) + levels(2), growth*(2+growth)/4 + left
	case Unimodal:
		runs = 2
	case Bimodal:
		runs = 4
	case Trimodal:
		runs = 6
	}
	return runs * levels(values), growth/4 + left
}
