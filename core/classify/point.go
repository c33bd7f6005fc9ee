package classify

import (
	"cmp"
	"slices"
)

// Point is a case: one code per column, each below the public size of its column.
type Point []uint64

// Example is one person: a case with its label. A nil Point means a person without data (none).
type Example struct {
	Point Point
	Yes   bool
}

// Votes holds the numbers of persons at one point with either label.
type Votes struct {
	Point   Point
	Yes, No int64
}

// fits reports whether a point has the columns of a class. A point that has not counts as none,
// which depends on that person only. Proof: relabel.md, Assumptions.
func fits(p Point, sizes []uint64) bool {
	if len(p) != len(sizes) { // H: relabel.md fits
		return false
	}
	for i, code := range p {
		if code >= sizes[i] { // H: relabel.md fits
			return false
		}
	}
	return true
}

// votes collects examples by point, in the order of points, leaving out those without one.
func votes(examples []Example, sizes []uint64, p *pace) []Votes {
	var all []Votes
	for _, e := range examples {
		switch {
		case !p.on() || !fits(e.Point, sizes):
		case e.Yes:
			all = append(all, Votes{e.Point, 1, 0})
		default:
			all = append(all, Votes{e.Point, 0, 1})
		}
	}
	return merged(all, p)
}

// merged adds up votes of equal points, in the order of points.
func merged(all []Votes, p *pace) []Votes {
	var kept []Votes
	for _, i := range order(len(all), p, func(i, j int) int {
		return slices.Compare(all[i].Point, all[j].Point)
	}) {
		if last := len(kept) - 1; last >= 0 && slices.Equal(kept[last].Point, all[i].Point) {
			kept[last].Yes += all[i].Yes
			kept[last].No += all[i].No
		} else {
			kept = append(kept, all[i])
		}
	}
	return kept
}

// order returns the ascending order of n things; equal ones stay in their order. Sorting only ever
// indices keeps the binary small. Once p has ended, all are taken as equal, which ends the sort
// soon.
func order(n int, p *pace, compare func(i, j int) int) []int {
	indices := make([]int, n)
	for i := range indices {
		indices[i] = i
	}
	slices.SortFunc(indices, func(i, j int) int {
		if p.on() {
			if c := compare(i, j); c != 0 {
				return c
			}
		}
		return i - j
	})
	return indices
}

// distinct returns the points of votes.
func distinct(all []Votes) []Point {
	points := make([]Point, len(all))
	for i, v := range all {
		points[i] = v.Point
	}
	return points
}

// distinctPoints sorts points, and drops repeated ones and those that do not fit.
func distinctPoints(points []Point, sizes []uint64) []Point {
	var kept []Votes
	for _, p := range points {
		if fits(p, sizes) {
			kept = append(kept, Votes{Point: p})
		}
	}
	return distinct(merged(kept, nil))
}

// totals returns the numbers of persons with either label.
func totals(sample []Votes) (yes, no int64) {
	for _, v := range sample {
		yes += v.Yes
		no += v.No
	}
	return yes, no
}

// mistakes returns the number of persons whose label a rule gets wrong.
func mistakes(r Rule, sample []Votes) (wrong int64) {
	for _, v := range sample {
		if r.Says(v.Point) {
			wrong += v.No
		} else {
			wrong += v.Yes
		}
	}
	return wrong
}

// values returns the different codes of one column among points, ascending.
func values(points []Point, column int) []uint64 {
	codes := make([]uint64, len(points))
	for i, p := range points {
		codes[i] = p[column]
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// byColumn returns the order of votes by one column.
func byColumn(sample []Votes, column int, p *pace) []int {
	return order(len(sample), p, func(i, j int) int {
		return cmp.Compare(sample[i].Point[column], sample[j].Point[column])
	})
}
