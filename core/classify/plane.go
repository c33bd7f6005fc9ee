package classify

import (
	"cmp"
	"math"
	"slices"

	"hush/core/phrase"
)

// Line is a halfspace of the plane, bounded by the line from P to Q: it says yes to the cases on
// its left and, of those on the line, to P and those behind it. Where P and Q are equal it gives
// every case the same answer: yes if Always.
type Line struct {
	P, Q   [2]uint64
	Always bool
}

// Says returns the answer for a case.
func (l Line) Says(p Point) bool {
	if l.P == l.Q {
		return l.Always
	}
	along, x := vectorTo(l.P, l.Q[:]), vectorTo(l.P, p)
	side := along.cross(x)
	return side > 0 || side == 0 && along.dot(x) <= 0
}

func (l Line) String() string { return l.Phrase().String() }

// Phrase is String in any language.
func (l Line) Phrase() phrase.Phrase {
	switch {
	case l.P != l.Q:
		return phrase.Of("left of the line from (%d, %d) to (%d, %d)", l.P[0], l.P[1], l.Q[0],
			l.Q[1])
	case l.Always:
		return phrase.Of("always")
	}
	return phrase.Of("never")
}

// vector is a difference of two points. Codes are below 2^30, so products and sums of two stay
// within int64.
type vector struct{ x, y int64 }

func vectorTo(from [2]uint64, to []uint64) vector {
	return vector{int64(to[0]) - int64(from[0]), int64(to[1]) - int64(from[1])}
}

func (v vector) cross(w vector) int64 { return v.x*w.y - v.y*w.x }
func (v vector) dot(w vector) int64   { return v.x*w.x + v.y*w.y }

// lower reports whether the angle of v is from π to below 2π.
func (v vector) lower() bool { return v.y < 0 || v.y == 0 && v.x < 0 }

// compare orders vectors by angle, from 0 to below 2π.
func (v vector) compare(w vector) int {
	if v.lower() != w.lower() {
		if w.lower() {
			return -1
		}
		return 1
	}
	return cmp.Compare(0, v.cross(w))
}

// Plane is the class of halfspaces of the plane of two columns.
//
// # Labellings
//
// Two sets of points that a line separates have exactly one directed line from a point of the first
// to one of the second which has the first on its left or on itself up to that point, and the
// second on its right or on itself from the other on. So there are as many labellings that are not
// all alike as pairs of a point and a direction in which another lies: n² − n where no three lie on
// a line. Proof: relabel.md, Lemma 3. All comparisons are exact.
//
// # Learning
//
// The rule with the fewest mistakes, O(persons² · log persons).
//
// # Errors
//
// [*param.Error] (sizes) from the constructor.
type Plane struct{ sizes []uint64 }

var _ Enumerable = (*Plane)(nil)

// NewPlane returns the class for two columns of at most 2^30 codes each.
func NewPlane(sizes [2]uint64) (*Plane, error) {
	if err := checkSizes(sizes[:], 2, 1<<30); err != nil {
		return nil, err
	}
	return &Plane{sizes[:]}, nil
}

func (c *Plane) String() string { return c.Phrase().String() }

// Phrase is String in any language.
func (c *Plane) Phrase() phrase.Phrase { return phrase.Of("halfspaces in the plane") }

// Sizes returns the sizes of the columns.
func (c *Plane) Sizes() []uint64 { return slices.Clone(c.sizes) }

// Dimension is 3.
func (c *Plane) Dimension() int { return 3 }

// LogGrowth counts n² − n + 2 labellings.
func (c *Plane) LogGrowth(n int) float64 {
	x := float64(max(n, 1))
	return math.Log(x*x - x + 2)
}

// LearnedError: the line learned changes only without one of the two points that it passes
// through.
func (c *Plane) LearnedError(s, _ int) float64 { return essentialError(2, s) }

// Work is the work of sorting all points around each point.
func (c *Plane) Work(n int) float64 {
	x := float64(n)
	return x * x * (2 + 2*math.Log2(x+1))
}

// Learn finds the rule with the fewest mistakes.
func (c *Plane) Learn(sample []Votes, p *pace) Rule { return fewest(c, sample, p) }

// Dichotomies lists never, always, and the lines from each anchor in the directions of the other
// anchors.
func (c *Plane) Dichotomies(anchors []Point, sample []Votes, p *pace,
	visit func(int64, func() Rule) bool) {
	yes, no := totals(sample)
	var now Line
	rule := func() Rule { return now }
	if !visit(yes, rule) || len(anchors) == 0 {
		return
	}
	if now.Always = true; !visit(no, rule) {
		return
	}
	around := make([]ray, 0, len(anchors)+len(sample))
	for _, a := range anchors {
		now = Line{P: [2]uint64(a)}
		around = around[:0]
		here := int64(0) // gain of a yes for the persons at p
		for _, q := range anchors {
			if v := vectorTo(now.P, q); v != (vector{}) {
				around = append(around, ray{v, 0, q})
			}
		}
		for _, s := range sample {
			if v := vectorTo(now.P, s.Point); v != (vector{}) {
				around = append(around, ray{v, s.Yes - s.No, nil})
			} else {
				here = s.Yes - s.No
			}
		}
		found := eachDirection(around, p, func(q Point, left int64) bool {
			now.Q = [2]uint64(q)
			return visit(yes-here-left, rule)
		})
		if !found {
			return
		}
	}
}

// ray is a point as seen from another: its direction, the gain of a yes for it, and the point
// itself if it is an anchor.
type ray struct {
	vector
	gain   int64
	anchor Point
}

// eachDirection visits each direction in which there is an anchor, with the nearest anchor in it
// and the total gain at angles above it, up to and including the opposite one, until visit returns
// false.
func eachDirection(rays []ray, p *pace, visit func(q Point, left int64) bool) bool {
	n := len(rays)
	around := make([]ray, 0, n)
	for _, i := range order(n, p, func(i, j int) int { return rays[i].compare(rays[j].vector) }) {
		around = append(around, rays[i])
	}
	// rays of index below end, counted on after n, are to the left of the direction or before it
	left, end := int64(0), 0
	for from := 0; from < n; {
		to := from + 1
		for to < n && around[to].compare(around[from].vector) == 0 {
			to++
		}
		if end < to { // what lies in the direction itself is not on its left
			left, end = 0, to
		}
		for end < from+n {
			r := around[end%n]
			side := around[from].cross(r.vector)
			if side < 0 || side == 0 && around[from].dot(r.vector) > 0 {
				break
			}
			left += r.gain
			end++
		}
		if q := nearest(around[from:to]); q != nil && !visit(q, left) {
			return false
		}
		next := to
		if next < n {
			stop := next + 1
			for stop < n && around[stop].compare(around[next].vector) == 0 {
				stop++
			}
			for i := next; i < min(stop, end); i++ {
				left -= around[i].gain
			}
		}
		from = to
	}
	return true
}

// nearest returns the nearest anchor among rays of one direction; nil if there is none.
func nearest(rays []ray) (q Point) {
	least := int64(math.MaxInt64)
	for _, r := range rays {
		if length := r.dot(r.vector); r.anchor != nil && length < least {
			least, q = length, r.anchor
		}
	}
	return q
}
