package density

import (
	"fmt"
	"math"
	"math/big"

	"hush/core/privacy"
)

// PeakParams holds the public facts on which the cells around a known peak rest.
type PeakParams struct {
	// Epsilon is the privacy loss granted for one replaced person. Required.
	Epsilon privacy.Epsilon

	// Size is the number of values of the domain. Required.
	Size *big.Int

	// Persons is n, the public number of persons with or without a value. Required.
	Persons uint64

	// Peak is the code up to which the density rises, and from which it falls, known without the
	// data: 0 for a density that falls, Size − 1 for one that rises. nil stands for 0.
	Peak *big.Int
}

// Peak returns cells for [HistogramParams.Bounds] whose lengths grow in proportion to their
// distance from the peak, and the growth g: a cell that has s values of its side between itself and
// the side's end at the peak has max(1, ⌊g·s⌋) values. For a density with its peak there,
// flattening it to these cells is off by at most g/4 in total variation, with about as many cells
// as the logarithm of the domain over g. g is the power of 1/2 from 1 to 1/64 that minimises the
// sum of that and the noise of the cells. Proof: histogram.md, Known peak.
//
// # Errors
//
// [*param.Error] (epsilon, size, persons, peak).
//
// # Reference
//
// Birgé, "On the risk of histograms for estimating decreasing densities", 1987; Diakonikolas,
// Hardt, Schmidt, 2015, Theorem 4. Differs: lengths by the distance, whole numbers, and a constant.
func Peak(p PeakParams) (bounds []*big.Int, growth float64, err error) {
	if err := checkCommon(p.Epsilon, p.Size, p.Persons, 0); err != nil {
		return nil, 0, err
	}
	peak := p.Peak
	if peak == nil {
		peak = new(big.Int)
	}
	if peak.Sign() < 0 || peak.Cmp(p.Size) >= 0 { // H: histogram.md peak
		return nil, 0, refuse("peak", fmt.Sprint(peak), "a code of the domain")
	}
	best := math.Inf(1)
	for shift := uint(0); shift <= 6; shift++ {
		cells := around(p.Size, peak, shift)
		if len(cells) >= mostCells {
			break
		}
		g, k, n := math.Ldexp(1, -int(shift)), float64(len(cells)+1), float64(p.Persons)
		risk := g/4 + (math.Sqrt(k/n)+2*k/(p.Epsilon.Float64()*n))/2
		if risk < best {
			bounds, growth, best = cells, g, risk
		}
	}
	return bounds, growth, nil
}

// around returns the first codes of the cells but the first, for growth 2^−shift.
func around(size, peak *big.Int, shift uint) (bounds []*big.Int) {
	below := awayFrom(peak, shift)
	for i := len(below) - 1; i >= 0; i-- {
		bounds = append(bounds, new(big.Int).Sub(peak, below[i]))
	}
	if peak.Sign() > 0 {
		bounds = append(bounds, new(big.Int).Set(peak))
	}
	for _, b := range awayFrom(new(big.Int).Sub(size, peak), shift) {
		bounds = append(bounds, b.Add(b, peak))
	}
	return bounds
}

// awayFrom returns the distances from a side's first value at which its cells begin, for a side of
// this many values. The first cell, which is that value alone, is left out.
func awayFrom(values *big.Int, shift uint) (starts []*big.Int) {
	for s := big.NewInt(1); s.Cmp(values) < 0; {
		starts = append(starts, new(big.Int).Set(s))
		length := new(big.Int).Rsh(s, shift)
		if length.Sign() == 0 {
			length.Set(oneInt)
		}
		s.Add(s, length)
	}
	return starts
}
