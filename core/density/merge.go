package density

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
)

// Pieces returns the distribution with at most this many cells, by agnostic merging: whatever the
// truth is, the result is nearly as close to it as the best with about half as many pieces, up to
// the error of the distribution itself in the A_k norm. The bands remain those of the distribution.
//
// Rounds pair consecutive cells; of each pair the error is the A_1 distance between its cells and
// one flat cell; the ⌊(k − 1)/2⌋ pairs of the largest error stay, of equal errors those further
// right, and all others are merged, until there are k = 3·pieces; the last step finds, by dynamic
// programming, which neighbours of these to join for the smallest sum of errors.
//
// It is free: post-processing. Proof: learn.md, Merging. A *param.Error (pieces) for fewer than 1.
//
// Reference: Acharya, Diakonikolas, Li, Schmidt, "Sample-Optimal Density Estimation in
// Nearly-Linear Time", 2017; learn.md.
func (d *Distribution) Pieces(pieces int) (*Distribution, error) {
	if pieces < 1 {
		return nil, refuse("pieces", fmt.Sprint(pieces), "at least 1")
	}
	most := 3 * min(pieces, mostCells)
	runs := merged(d.runs(), most, (most-1)/2, d.flatError())
	if pieces <= mostExact {
		runs = d.best(runs, pieces)
	} else {
		runs = merged(runs, pieces, (pieces-1)/2, d.flatError())
	}
	bounds, mass := []*big.Int{d.bounds[0]}, []float64{}
	for _, r := range runs {
		bounds, mass = append(bounds, d.bounds[r.to]), append(mass, d.upTo[r.to-1]-d.before(r.from))
	}
	return d.inherit(bounds, mass), nil
}

// Fewest returns Pieces with about the smallest number of pieces whose result is off by at most a
// quarter of the bands wherever these were measured: the pieces that the release can distinguish.
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

// Joined returns the same distribution with neighbouring cells of equal density joined: the cells
// that a release that was calmed, or smoothed, can distinguish.
func (d *Distribution) Joined() *Distribution {
	density, width := d.densities()
	bounds, mass := []*big.Int{d.bounds[0]}, []float64{}
	for i, m := range d.mass {
		// Sums of persons are exact to about 2^-50 of all.
		if i > 0 && math.Abs(density[i]-density[i-1])*width[i] <= math.Ldexp(d.Total(), -46) {
			bounds[len(bounds)-1], mass[len(mass)-1] = d.bounds[i+1], mass[len(mass)-1]+m
			continue
		}
		bounds, mass = append(bounds, d.bounds[i+1]), append(mass, m)
	}
	return d.inherit(bounds, mass)
}

// near reports whether the distribution differs from another by no more than a quarter of what its
// bands allow, wherever these were measured.
func (d *Distribution) near(e *Distribution) bool {
	for i, b := range d.band.at {
		if room := (d.band.high[i] - d.band.low[i]) / 8; math.Abs(d.below(b)-e.below(b)) > max(
			room, 0.5) {
			return false
		}
	}
	return true
}

// inherit returns another distribution made from this one.
func (d *Distribution) inherit(bounds []*big.Int, mass []float64) *Distribution {
	for i := range mass {
		mass[i] = max(mass[i], 0)
	}
	made := newDistribution(bounds, mass, d.persons, d.method)
	made.band = d.band
	return made
}

// run is the cells from … to − 1.
type run struct{ from, to int }

func (d *Distribution) runs() []run {
	runs := make([]run, len(d.mass))
	for i := range runs {
		runs[i] = run{i, i + 1}
	}
	return runs
}

// merged joins neighbouring runs until there are at most this many, keeping apart the hold pairs
// with the largest error in each round.
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
		slices.SortFunc(pairs, func(a, b pair) int {
			return cmp.Or(cmp.Compare(b.err, a.err), cmp.Compare(b.index, a.index))
		})
		for _, p := range pairs[hold:] {
			runs[2*p.index], runs[2*p.index+1] = p.joined, run{}
		}
		runs = slices.DeleteFunc(runs, func(r run) bool { return r.from == r.to })
	}
	return runs
}

// flatError returns the A_1 distance between some cells and one flat cell: the largest difference
// of the numbers of persons in one interval, in steps of 2^-40 of all persons, so that rounding
// does not order equal errors.
func (d *Distribution) flatError() func(run) float64 {
	_, width := d.densities()
	step := math.Ldexp(d.Total(), -40)
	return func(r run) float64 {
		if step == 0 {
			return 0
		}
		return math.Round(flatError(d.mass[r.from:r.to], width[r.from:r.to])/step) * step
	}
}

func flatError(mass, width []float64) float64 {
	all, wide := 0.0, 0.0
	for i, m := range mass {
		all, wide = all+m, wide+width[i]
	}
	low, high, upTo, at := 0.0, 0.0, 0.0, 0.0
	for i, m := range mass {
		upTo, at = upTo+m, at+width[i]
		off := upTo - all*at/wide
		low, high = min(low, off), max(high, off)
	}
	return high - low
}

// mostExact bounds the pieces that best looks for, whose work grows with the cube of their number.
const mostExact = 200

// best joins neighbouring runs, each taken as flat, into at most this many with the smallest sum of
// errors.
func (d *Distribution) best(runs []run, most int) []run {
	m := len(runs)
	if m <= most {
		return runs
	}
	_, widths := d.densities()
	mass, width := make([]float64, m), make([]float64, m)
	for i, r := range runs {
		for k := r.from; k < r.to; k++ {
			mass[i], width[i] = mass[i]+d.mass[k], width[i]+widths[k]
		}
	}
	failure := make([][]float64, m) // of the runs i … i+j
	for i := range failure {
		failure[i] = make([]float64, m-i)
		for j := range failure[i] {
			failure[i][j] = flatError(mass[i:i+j+1], width[i:i+j+1])
		}
	}
	// cost[j] of the first j runs in this many pieces, and where the last one begins.
	cost, start := make([]float64, m+1), make([][]int, most+1)
	least, used := math.Inf(1), 0
	for j := range cost {
		cost[j] = math.Inf(1)
	}
	cost[0] = 0
	for pieces := 1; pieces <= most; pieces++ {
		next := make([]float64, m+1)
		start[pieces] = make([]int, m+1)
		for j := range next {
			next[j] = math.Inf(1)
			for i := range j {
				if c := cost[i] + failure[i][j-i-1]; c < next[j] {
					next[j], start[pieces][j] = c, i
				}
			}
		}
		if cost = next; cost[m] < least {
			least, used = cost[m], pieces
		}
	}
	var joined []run
	for pieces, end := used, m; pieces > 0; pieces-- {
		from := start[pieces][end]
		joined = append(joined, run{runs[from].from, runs[end-1].to})
		end = from
	}
	slices.Reverse(joined)
	return joined
}
