package joint

import (
	"fmt"
	"math"

	"hush/core/mechanism"
)

// Numbers that are linear functions of measured counts, and the error from their noise: living.md.

// linear is a number that is a linear function of measured counts.
type linear struct {
	fixed float64
	parts []weighted
}

// weighted holds weights for the counts of a table.
type weighted struct {
	table   int
	weights []float64
}

// kind says what weights are: an event's are 0 and 1.
type kind bool

const (
	anyWeights kind = false
	ofEvents   kind = true
)

// on returns Σ weights·counts of a table. The counts of all its cells add up to n, so one number is
// subtracted from all weights, to keep the noise small: for an event, 1 where most weights are 1,
// otherwise 0; for other weights, their mean.
func (l *Living) on(table int, of kind, weights []float64) linear {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	less := sum / float64(len(weights))
	if of == ofEvents {
		less = math.Round(less)
	}
	out := make([]float64, len(weights))
	for cell, w := range weights {
		out[cell] = w - less
	}
	return linear{less * float64(l.model.Measured.Persons), []weighted{{table, out}}}
}

// value returns the number according to the noisy counts.
func (l *Living) value(x linear) float64 {
	sum := x.fixed
	for _, p := range x.parts {
		for cell, w := range p.weights {
			if w != 0 {
				sum += w * float64(l.counts(p.table)[cell])
			}
		}
	}
	return sum
}

// bound returns a t with Pr[|noise| > t] ≤ beta and, by symmetry, Pr[noise > t] ≤ beta/2, from the
// law of the sum.
func (l *Living) bound(x linear, beta float64) float64 {
	alike, counts, most := len(x.parts) == 1, 0, 0.0
	for _, p := range x.parts {
		for _, w := range p.weights {
			if w = math.Abs(w); w == 0 {
				continue
			}
			alike = alike && (counts == 0 || w == most)
			most = max(most, w)
			counts++
		}
	}
	switch {
	case counts == 0:
		return 0
	case alike:
		return most * l.sum(x.parts[0].table, counts, beta)
	}
	list := l.shares(x)
	if len(list) > mostKept {
		return l.narrowed(x, list, beta)
	}
	key := fmt.Sprint(beta)
	for _, s := range list {
		key += fmt.Sprint(" ", s.weight, s.counts, s.law.stdDev)
	}
	t, known := l.mixed[key]
	if !known {
		t = l.narrowed(x, list, beta)
		l.mixed[key] = t
	}
	return t
}

// mostKept is the largest number of different weights for which a bound is kept: events have few
// weights, and tables ask for them again and again.
const mostKept = 16

// narrowed is bound for weights that differ.
func (l *Living) narrowed(x linear, list []share, beta float64) float64 {
	return narrowed(list, beta, l.wide(x, beta), l.wide(x, far))
}

// wide is bound by Chernoff's inequality, which is quick, and up to half too wide.
func (l *Living) wide(x linear, beta float64) float64 {
	return l.chernoff(x, beta, l.lambda(x, beta))
}

// chernoff returns (ln E e^(λ·noise) + ln(2/beta))/λ. Without Laplace noise it chooses the best λ
// itself.
func (l *Living) chernoff(x linear, beta, lambda float64) float64 {
	square, moments := 0.0, 0.0
	for _, p := range x.parts {
		of := l.laws[p.table]
		if of.half == 0 {
			for _, w := range p.weights {
				square += w * w * of.stdDev * of.stdDev
			}
			continue
		}
		for _, w := range p.weights {
			if w != 0 {
				s := math.Sinh(lambda*w/2) / of.steep
				moments -= math.Log1p(-min(s*s, 1))
			}
		}
	}
	log := math.Log(2 / beta)
	if l.laws[0].half > 0 {
		return (moments + log) / lambda
	}
	return math.Sqrt(2 * log * square)
}

// lambda returns a good λ for chernoff with Laplace noise.
func (l *Living) lambda(x linear, beta float64) (best float64) {
	if l.laws[0].half == 0 {
		return 0
	}
	fastest := math.Inf(1)
	for _, p := range x.parts {
		for _, w := range p.weights {
			if w != 0 {
				fastest = min(fastest, 2*l.laws[p.table].half/math.Abs(w))
			}
		}
	}
	if math.IsInf(fastest, 1) {
		return 1
	}
	const steps = 32
	least := math.Inf(1)
	for step := 1.0; step < steps; step++ {
		lambda := fastest * step / steps
		if t := l.chernoff(x, beta, lambda); t < least {
			best, least = lambda, t
		}
	}
	return best
}

// sum returns the bound of a sum of noises of one table.
func (l *Living) sum(table, counts int, beta float64) float64 {
	key := sumOf{table, counts, beta}
	if t, known := l.sums[key]; known {
		return t
	}
	var t int64
	switch m := l.laws[table].noise.(type) {
	case *mechanism.Laplace:
		t = m.Noise().SumErrorBound(counts, beta)
	case *mechanism.Gaussian:
		t = m.SumErrorBound(counts, beta)
	}
	l.sums[key] = float64(t)
	return float64(t)
}

// pair returns the table of two columns, in any order; turned says that the second column comes
// first in it.
func (l *Living) pair(i, j int) (table int, turned, is bool) {
	for k, t := range l.model.Measured.Tables {
		if t.Columns == [2]int{i, j} || t.Columns == [2]int{j, i} {
			return k, t.Columns[0] == j, true
		}
	}
	return 0, false, false
}

// ofPair returns Σ weight(place in i, place in j)·counts of a table.
func (l *Living) ofPair(i, j int, of kind, weight func(i, j int) float64) (linear, bool) {
	table, turned, is := l.pair(i, j)
	if !is {
		return linear{}, false
	}
	m := l.model.Measured
	weights, size := make([]float64, m.cells(m.Tables[table])), m.Sizes[j]
	if turned {
		size = m.Sizes[i]
	}
	for cell := range weights {
		first, second := cell/size, cell%size
		if turned {
			first, second = second, first
		}
		weights[cell] = weight(first, second)
	}
	return l.on(table, of, weights), true
}

// ofColumn returns ways to measure Σ weights·counts of one column: by each table that has it,
// including its own, and by all of them, weighted by their precision.
func (l *Living) ofColumn(column int, of kind,
	weights func(place int) float64) (ways []linear) {
	var all linear
	precision := 0.0
	measured := l.model.Measured
	add := func(way linear, table, cells int) {
		ways = append(ways, way)
		std := l.laws[table].stdDev
		part := 1 / (std * std * float64(cells))
		precision += part
		all.fixed += part * way.fixed
		for _, p := range way.parts {
			scaled := make([]float64, len(p.weights))
			for cell, w := range p.weights {
				scaled[cell] = part * w
			}
			all.parts = append(all.parts, weighted{p.table, scaled})
		}
	}
	for k, t := range measured.Tables {
		other := t.Columns[0]
		if other == column {
			other = t.Columns[1]
		} else if t.Columns[1] != column {
			continue
		}
		way, _ := l.ofPair(column, other, of, func(i, _ int) float64 { return weights(i) })
		add(way, k, measured.Sizes[other])
	}
	if measured.Singles != nil {
		own, table := make([]float64, measured.Sizes[column]), len(measured.Tables)+column
		for place := range own {
			own[place] = weights(place)
		}
		add(l.on(table, of, own), table, 1)
	}
	if len(ways) < 2 {
		return ways
	}
	all.fixed /= precision
	for _, p := range all.parts {
		for cell := range p.weights {
			p.weights[cell] /= precision
		}
	}
	return append(ways, all)
}

// narrowest returns the way with the least bound, which does not depend on the counts.
func (l *Living) narrowest(ways []linear, beta float64) (best linear, t float64) {
	t = math.Inf(1)
	for _, way := range ways {
		if off := l.bound(way, beta); off < t {
			best, t = way, off
		}
	}
	return best, t
}

// test returns a number that is linear in the counts, measured in several ways, and whose weights
// are linear in a guess: it is above 0 for guesses below the truth, 0 at the truth, and below 0
// beyond.
type test func(guess float64) []linear

// between returns the ends of the guesses, from low to high, that a test rejects on neither side,
// at beta/2 each. The parts that the test takes as known may be off: its number and its noise
// together by at most unsure, and each unit of the guess by at most a further more, except with a
// chance of 3·part·beta.
func (l *Living) between(low, high, beta float64, of test, unsure func(guess float64) float64,
	more float64) (from, to float64) {
	if !(low < high) {
		return low, high
	}
	way, least := 0, math.Inf(1)
	for k, x := range of((low + high) / 2) {
		if t := l.wide(x, beta); t < least {
			way, least = k, t
		}
	}
	at := func(guess float64) linear { return of(guess)[way] }
	sloped := at(high).less(at(low), 1/(high-low))
	fall, shift := -l.value(sloped), l.wide(sloped, part*beta)+more
	// A guess is rejected by the amount by which the number exceeds its bound. Until the changes of
	// number and bound use that up, all further guesses are rejected, too.
	walk := func(guess, sign float64) float64 {
		for range mostLooks {
			x := at(guess)
			beyond := sign * l.value(x)
			if unsure != nil {
				beyond -= unsure(guess)
			}
			if wide := l.wide(x, (1-4*part)*beta); beyond > 1.1*wide {
				beyond -= wide // quick to compute
			} else if beyond > 0 {
				beyond -= l.bound(x, (1-4*part)*beta)
			}
			if !(beyond > 0) {
				return guess
			}
			step := math.Inf(1)
			if speed := fall + shift; speed > 0 {
				step = beyond / speed
			}
			if guess += sign * step; !(guess > low && guess < high) {
				return min(max(guess, low), high)
			}
			if step*(fall+shift) < .005*l.wide(x, beta) {
				return guess
			}
		}
		return guess
	}
	return walk(low, 1), walk(high, -1)
}

// part is the part of beta for each noise that is small compared with the first.
const part = 0.01

// mostLooks is the largest number of times that a walk computes its bound; each closes nearly the
// whole gap.
const mostLooks = 10

// less returns (x − y)·by, for numbers of the same counts.
func (x linear) less(y linear, by float64) linear {
	out := linear{fixed: (x.fixed - y.fixed) * by}
	for k, p := range x.parts {
		weights := make([]float64, len(p.weights))
		for cell, w := range p.weights {
			weights[cell] = (w - y.parts[k].weights[cell]) * by
		}
		out.parts = append(out.parts, weighted{p.table, weights})
	}
	return out
}
