package review

import (
	"math"
	"math/big"
	"strconv"

	"hush/core/ask"
	"hush/core/privacy"
	"hush/core/task"
)

// tradeOff writes the trade-off curve as CSV: for each chance of a false alarm (type I), the least
// chance of a miss (type II) for anyone who tries to distinguish two neighbours by everything
// published, whatever else they know. Where every answer has an exact law of its loss, the curve
// follows from that law, otherwise from ε and δ. It is rounded down: the truth is no less private.
func (r *reviewed) tradeOff() string {
	curve, law := r.profile(privacy.ComposePairs)
	rows := [][]string{{"type_1_error", "type_2_error_at_least", "from"}}
	const steps = 100
	for i := range steps + 1 {
		alpha := float64(i) / steps
		rows = append(rows, []string{strconv.FormatFloat(alpha, 'f', 2, 64),
			strconv.FormatFloat(miss(curve, alpha), 'f', 6, 64), law})
	}
	return ask.CSV(rows)
}

// point is an (ε, δ) of a release.
type point struct{ epsilon, delta float64 }

// miss returns the least chance of a miss at a chance of a false alarm: every (ε, δ) bounds it from
// below on two sides.
func miss(curve []point, alpha float64) float64 {
	const digits, slack = 1e6, 1 // of the last digit, for the rounding of floats
	best := 0.0
	for _, p := range curve {
		best = max(best, 1-p.delta-math.Exp(p.epsilon)*alpha,
			math.Exp(-p.epsilon)*(1-p.delta-alpha))
	}
	return max(0, math.Floor(best*digits-slack)/digits)
}

// profile returns the δ for many ε, each rounded up, and what it follows from. A law that gives
// less than the pairs alone allow is discarded: the curve then follows from ε and δ of the page.
func (r *reviewed) profile(compose func([]privacy.Pairs) (*privacy.LossDistribution, error)) (
	curve []point, law string) {
	epsilon, known := r.total.Loss.Epsilon()
	if !known {
		return nil, "no bound"
	}
	whole := point{up(epsilon), up(r.total.Loss.Delta())}
	pairs, ok := r.pairs()
	if !ok {
		return []point{whole}, "epsilon and delta"
	}
	composed, err := compose(pairs)
	if err != nil {
		return []point{whole}, "epsilon and delta"
	}
	const steps = 64
	for i := range steps + 1 {
		at := new(big.Rat).Mul(epsilon, big.NewRat(int64(i), steps))
		delta := composed.Delta(at)
		if privacy.LeastOfPairs(pairs, delta).Cmp(at) > 0 {
			return []point{whole}, "epsilon and delta"
		}
		curve = append(curve, point{up(at), up(delta)})
	}
	return append(curve, whole), "exact law"
}

// up returns the next float above a number.
func up(x *big.Rat) float64 {
	f, exact := x.Float64()
	if exact {
		return f
	}
	return math.Nextafter(f, math.Inf(1))
}

// pairs returns the laws of all answers of the page; ok is false where an answer has none, where a
// person has several entries, and where an answer was topped up or planned together with others.
func (r *reviewed) pairs() (all []privacy.Pairs, ok bool) {
	if len(r.page.Plans) > 0 {
		return nil, false
	}
	for _, a := range r.releases() {
		if a.Recipe.Use.Entries() > 1 || a.Head != nil && len(a.Head.Before) > 0 {
			return nil, false
		}
		_, prepared, err := ask.Prepare(task.All{}, a.Recipe, a.Plan.People)
		if err != nil {
			return nil, false
		}
		paired, is := prepared.(ask.Paired)
		if !is {
			return nil, false
		}
		pairs, has := paired.Pairs()
		if !has {
			return nil, false
		}
		all = append(all, pairs...)
	}
	return all, true
}
