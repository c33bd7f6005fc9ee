package density

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
)

// Pieces is the distribution with at most so many cells, by agnostic merging: whatever the truth is, the result is nearly as close to it as the best with
// about half as many pieces, up to the error of the distribution itself in the A_k norm. Bands stay those of the distribution.
//
// Rounds pair consecutive cells; of each pair the error is the A_1 distance between its cells and one flat cell; the ⌊(pieces − 1)/2⌋ pairs of the largest error stay,
// of equal errors those further right, and all others are merged.
//
// It is free: post-processing. A *param.Error (pieces) for fewer than 1.
//
// Reference: Acharya, Diakonikolas, Li, Schmidt, "Sample-Optimal Density Estimation in Nearly-Linear Time", 2017; learn.md.
func (d *Distribution) Pieces(pieces int) (*Distribution, error) {
	if pieces < 1 {
		return nil, refuse("pieces", fmt.Sprint(pieces), "at least 1")
	}
	runs := merged(d.runs(), pieces, (pieces-1)/2, func(r run) float64 { return d.flatError(r) })
	bounds, mass := []*big.Int{d.bounds[0]}, []float64{}
	for _, r := range runs {
		bounds, mass = append(bounds, d.bounds[r.to]), append(mass, d.upTo[r.to-1]-d.before(r.from))
	}
	return d.inherit(bounds, mass), nil
}

// Fewest is Pieces with about the smallest number for which the result is off by no more than half of what the bands allow for, wherever these were
// measured: what the release can tell apart.
func (d *Distribution) Fewest() *Distribution {
	const most = 1 << 11
	if len(d.mass) > most {
		if coarse, err := d.Pieces(most); err == nil {
			return coarse.Fewest()
		}
	}
	best, low, high := d, 0, 1
	for high < len(d.mass) { // by doubling, then by halving
		if p, err := d.Pieces(high); err == nil && p.near(d) {
			best = p
			break
		}
		low, high = high, 2*high
	}
	for high = min(high, len(d.mass)); high-low > 1; {
		middle := (low + high) / 2
		if p, err := d.Pieces(middle); err == nil && p.near(d) {
			best, high = p, middle
		} else {
			low = middle
		}
	}
	return best
}

// near says whether the distribution is off from another by no more than half of what its bands allow for, wherever these were measured.
func (d *Distribution) near(e *Distribution) bool {
	for i, b := range d.band.at {
		if room := (d.band.high[i] - d.band.low[i]) / 4; math.Abs(d.below(b)-e.below(b)) > max(room, 0.5) {
			return false
		}
	}
	return true
}

// inherit is another distribution made from this one.
func (d *Distribution) inherit(bounds []*big.Int, mass []float64) *Distribution {
	for i := range mass {
		mass[i] = max(mass[i], 0)
	}
	made := newDistribution(bounds, mass, d.persons, d.method)
	made.band = d.band
	return made
}

// run are the cells from … to − 1.
type run struct{ from, to int }

func (d *Distribution) runs() []run {
	runs := make([]run, len(d.mass))
	for i := range runs {
		runs[i] = run{i, i + 1}
	}
	return runs
}

// merged joins neighbouring runs until there are at most so many, keeping the hold pairs of the largest error apart in each round.
func merged(runs []run, most, hold int, failure func(run) float64) []run {
	type pair struct {
		index  int
		err    float64
		joined run
	}
	for len(runs) > most {
		pairs := make([]pair, len(runs)/2)
		for i := range pairs {
			joined := run{runs[2*i].from, runs[2*i+1].to}
			pairs[i] = pair{i, failure(joined), joined}
		}
		slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(b.err, a.err), cmp.Compare(b.index, a.index)) })
		for _, p := range pairs[hold:] {
			runs[2*p.index], runs[2*p.index+1] = p.joined, run{}
		}
		runs = slices.DeleteFunc(runs, func(r run) bool { return r.from == r.to })
	}
	return runs
}

// flatError is the A_1 distance between some cells and one flat cell: the largest difference of the numbers of persons in one interval, in
// steps of 2^-40 of all persons, so that rounding makes no order among equals.
func (d *Distribution) flatError(r run) float64 {
	all, width := d.upTo[r.to-1]-d.before(r.from), new(big.Int).Sub(d.bounds[r.to], d.bounds[r.from])
	low, high := 0.0, 0.0
	for i := r.from; i < r.to; i++ {
		off := d.upTo[i] - d.before(r.from) - all*ratio(new(big.Int).Sub(d.bounds[i+1], d.bounds[r.from]), width)
		low, high = min(low, off), max(high, off)
	}
	step := math.Ldexp(d.Total(), -40)
	if step == 0 {
		return 0
	}
	return math.Round((high-low)/step) * step
}

// Kolmogorov is the largest difference between the numbers of persons up to a value of two distributions over one domain.
func (d *Distribution) Kolmogorov(e *Distribution) (worst float64) {
	for _, b := range append(d.bounds[:len(d.bounds):len(d.bounds)], e.bounds...) {
		worst = max(worst, math.Abs(d.below(b)-e.below(b)))
	}
	return worst
}
