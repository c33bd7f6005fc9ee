package classify

import (
	"cmp"
	"math"
)

// kink is a term cost·max(0, one − z·w) of the hinge loss, where one is about 1.
type kink struct {
	z         []float64
	cost, one float64
}

// leastHinge solves the linear program of the least hinge loss of kinks, min Σ cost·ξ where z·w + ξ
// ≥ one and ξ ≥ 0, in floats, by the simplex method. It moves from corner to corner; at a corner as
// many kinks as there are weights have z·w = one. It leaves a corner by its steepest edge, and
// stops only where the loss would rise (the long step: thousands of kinks are crossed at once), so
// that the number of corners grows with the weights rather than the persons. Order is the kinks of
// the last corner, those that are below one there, and the others. Proof: halfspaces.md, Lemma 2.
func leastHinge(kinks []kink, weights int, p *pace) (w []float64, order []int) {
	h := newDescent(kinks, weights, p)
	for range 100 * weights {
		if !p.on() {
			break
		}
		h.look()
		leave, direction, slope := h.steepest()
		if slope >= -1e-9*h.total || !h.follow(leave, direction, slope) {
			break
		}
	}
	var below, above []int
	for i := range kinks {
		switch {
		case h.at[i]:
			order = append(order, i)
		case h.over[i] < 0:
			below = append(below, i)
		default:
			above = append(above, i)
		}
	}
	return h.w, append(append(order, below...), above...)
}

// descent is a corner of the hinge loss.
type descent struct {
	kinks  []kink
	total  float64 // of the costs
	corner []int   // its kinks; −1 for an axis, of which w = 0, as at first
	// along an edge z·w of its kink grows by the length, those of the other kinks not
	edges [][]float64
	w     []float64
	at    []bool    // is of the corner
	over  []float64 // z·w − one
	pace  *pace
}

// newDescent starts at w = 0. The ones differ a little, so that rarely more kinks meet in a corner
// than needed, and steps rarely have length 0.
func newDescent(kinks []kink, d int, p *pace) *descent {
	h := &descent{kinks: kinks, pace: p, corner: make([]int, d), edges: make([][]float64, d),
		w: make([]float64, d), at: make([]bool, len(kinks)), over: make([]float64, len(kinks))}
	for b := range d {
		h.corner[b], h.edges[b] = -1, make([]float64, d)
		h.edges[b][b] = 1
	}
	for i := range kinks {
		_, part := math.Modf(float64(i+1) * math.Phi)
		kinks[i].one = 1 + 1e-6*part
		h.total += kinks[i].cost
	}
	return h
}

// look computes the weights of the corner, and where the kinks are.
func (h *descent) look() {
	clear(h.w)
	for b, i := range h.corner {
		if i >= 0 {
			add(h.w, h.kinks[i].one, h.edges[b])
		}
	}
	for i, k := range h.kinks {
		if h.pace.on() {
			h.over[i] = dot(k.z, h.w) - k.one
		}
	}
}

// steepest returns the edge, up or down, on which the loss falls fastest, and its slope.
func (h *descent) steepest() (leave int, direction []float64, slope float64) {
	pull := make([]float64, len(h.w)) // against the slope of the kinks below
	for i, k := range h.kinks {
		if h.over[i] < 0 && !h.at[i] {
			add(pull, k.cost, k.z)
		}
	}
	up, steep := 0.0, 0.0
	for b, edge := range h.edges {
		gain, cost := dot(pull, edge), 0.0
		if i := h.corner[b]; i >= 0 {
			cost = h.kinks[i].cost
		}
		for _, way := range [2][2]float64{{1, -gain}, {-1, gain + cost}} {
			if now := way[1] / math.Sqrt(dot(edge, edge)); now < steep {
				leave, up, slope, steep = b, way[0], way[1], now
			}
		}
	}
	direction = make([]float64, len(h.w))
	add(direction, up, h.edges[leave])
	return leave, direction, slope
}

// follow goes on as long as the loss falls, apart from rounding. It returns false if the loss falls
// for ever, which only rounding can bring about.
func (h *descent) follow(leave int, direction []float64, slope float64) bool {
	level := 1e-9 * slope
	var met []int
	var times, speeds []float64
	for i, k := range h.kinks {
		if speed := dot(k.z, direction); !h.at[i] && math.Abs(speed) > 1e-11 &&
			(speed > 0) == (h.over[i] < 0) {
			met, times, speeds = append(met, i), append(times, -h.over[i]/speed),
				append(speeds, math.Abs(speed))
		}
	}
	for _, next := range order(len(met), h.pace, func(i, j int) int {
		return cmp.Compare(times[i], times[j])
	}) {
		enter := met[next]
		if slope += h.kinks[enter].cost * speeds[next]; slope < level {
			continue
		}
		if i := h.corner[leave]; i >= 0 {
			h.at[i] = false
		}
		h.corner[leave], h.at[enter] = enter, true
		h.exchange(leave, h.kinks[enter].z)
		return true
	}
	return false
}

// exchange makes the edges those of a corner with z in place of one of its kinks.
func (h *descent) exchange(leave int, z []float64) {
	own := h.edges[leave]
	by := dot(z, own)
	for j := range own {
		own[j] /= by
	}
	for b, edge := range h.edges {
		if b != leave {
			add(edge, -dot(z, edge), own)
		}
	}
}

// add adds this many times b to a.
func add(a []float64, times float64, b []float64) {
	for i, x := range b {
		a[i] += times * x
	}
}
