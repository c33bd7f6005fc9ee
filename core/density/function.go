package density

import (
	"fmt"
	"math"
	"math/big"

	"hush/core/threshold"
)

// Function returns the distribution as a function of at most this many points, straight between
// them; it differs from the distribution, whose error is within, by at most ThinnedBy. It is free:
// post-processing. Proof: learn.md, Points. A *param.Error (points) for fewer than 2.
func (d *Distribution) Function(points int, within float64) (*threshold.CDF, error) {
	if points < 2 {
		return nil, refuse("points", fmt.Sprint(points), "at least 2")
	}
	ends := make([]int, len(d.mass))
	for i := range ends {
		ends[i] = i + 1
	}
	for off := max(within/finest, least*d.persons); len(ends) > points; off *= 2 {
		ends = d.straight(off)
	}
	at, below, upTo := make([]*big.Int, len(ends)), make([]float64, len(ends)),
		make([]float64, len(ends))
	from := 0
	for i, to := range ends {
		width := float(new(big.Int).Sub(d.bounds[to], d.bounds[from]))
		rise := d.upTo[to-1] - d.before(from)
		at[i] = new(big.Int).Sub(d.bounds[to], oneInt)
		below[i], upTo[i] = max(d.upTo[to-1]-rise/width, d.before(from)), d.upTo[to-1]
		from = to
	}
	return threshold.NewCDF(d.Size(), at, below, upTo, d.Total())
}

// Function may be off by one of this many parts of the error, and by this part of all persons.
const (
	finest = 64
	least  = 1e-9
)

// ThinnedBy returns the number of n persons by which a function of this many points differs, at
// most, from its distribution, which has at most this many cells and an error of within.
func ThinnedBy(points, cells int, within, n float64) float64 {
	if cells <= points {
		return 0
	}
	return max(within/finest, least*n, 4*n/float64(points-1))
}

// straight returns the ends of stretches of cells in which one straight line is off by no more than
// a number of persons: the longest from the left, up to where that first fails.
func (d *Distribution) straight(off float64) (ends []int) {
	from, low, high := 0, math.Inf(-1), math.Inf(1)
	for to := 1; to <= len(d.mass); to++ {
		width := float(new(big.Int).Sub(d.bounds[to], d.bounds[from]))
		rise := d.upTo[to-1] - d.before(from)
		if slope := rise / width; to > from+1 && (slope < low || slope > high) {
			ends, from, low, high = append(ends, to-1), to-1, math.Inf(-1), math.Inf(1)
			width, rise = float(new(big.Int).Sub(d.bounds[to], d.bounds[from])), d.mass[to-1]
		}
		low, high = max(low, (rise-off)/width), min(high, (rise+off)/width)
	}
	return append(ends, len(d.mass))
}
