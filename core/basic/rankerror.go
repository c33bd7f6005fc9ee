package basic

import (
	"math"
	"slices"

	"hush/core/mechanism"
)

// RankErrors bounds, for each target, how many persons the released value is away from it: with
// probability at least 1 − beta, for every target at once, t·m minus the bound is at most the
// number of persons at or below the value, and t·m plus the bound is at least the number below it,
// where m persons have a value. It depends on public facts alone and holds for any data, ties
// included. beta must be between 0 and 1.
func (q *Quantiles) RankErrors(beta float64) []float64 {
	// Each split may fail with the same part of beta.
	return q.rankErrors(math.Log(float64(len(q.nodes))) - math.Log(beta))
}

// rankErrors adds up the errors of splits. A split misses its target by its own error plus the
// errors of the two splits around it, weighted by how near they are: quantiles.md, Theorem 3.
func (q *Quantiles) rankErrors(logFailures float64) []float64 {
	errors := make([]float64, len(q.nodes))
	at := func(target int) float64 {
		if target < 0 || target == len(errors) {
			return 0 // an end of the domain
		}
		return errors[target]
	}
	n := float64(q.people)
	q.root.visit(0, func(s *node, _ int) {
		near := float64(s.p) / float64(s.q)
		errors[s.target] = min(n, q.ownError(s, logFailures)+(1-near)*at(s.from)+near*at(s.to))
	})
	return errors
}

// ownError returns a t such that a split misses its aim by more than t persons with probability at
// most e^−logFailures.
//
// All points are at most size·parts, and unless all of them are good, k = ⌊s·parts/n⌋ or more have
// a score of at most s persons, because the mass left of neighbouring points differs by n at most.
// So Pr[score > t] ≤ size·parts/k · r^(s−t). The s is chosen among a few; any gives a valid bound.
func (q *Quantiles) ownError(s *node, logFailures float64) float64 {
	person := s.base.Log() * float64(s.q) * float64(q.parts) // ln of the weight one person is worth
	spacing := float64(q.people) / float64(q.parts)
	points := logBig(q.size) + math.Log(float64(q.parts))
	best := math.Inf(1)
	for k := 1.0; k <= float64(q.parts); k *= 2 {
		best = min(best, k*spacing+(points+logFailures-math.Log(k))/person)
	}
	return best
}

// RankErrors returns what [Quantiles.RankErrors] does: Theorem 2 of jointexp.md. Around targets it
// is n, since fewer persons than are wanted beside a target may have a value.
func (q *JointExp) RankErrors(beta float64) []float64 {
	if q.around > 0 {
		return slices.Repeat([]float64{float64(q.people)}, len(q.targets))
	}
	n, failures, own := float64(q.people), math.Log(2/beta), 0.0
	for i := range q.levels {
		own += q.ownError(&q.levels[i], failures)
	}
	share := func(i int) float64 { return float64(q.targets[i]) / float64(q.all) }
	errors := make([]float64, len(q.targets))
	from, next := 0.0, 0 // where the last chosen target was, and the number of the next one
	for i := range errors {
		at, to := share(i), 1.0
		if next < len(q.chosen) {
			to = share(q.chosen[next])
			if q.chosen[next] == i {
				from, next = at, next+1
			}
		}
		errors[i] = min(n, own+n*max(at-from, to-at))
	}
	return errors
}

// longest returns the number of targets of the longest list.
func (l *level) longest() (most int) {
	for _, list := range l.lists {
		most = max(most, list.to-list.from)
	}
	return most
}

// ownError returns what a level adds to the error of the level before, where persons are together
// at points with probability at most e^−failures, and any of its lists fails with that probability
// too: each list with an equal part of it.
func (q *JointExp) ownError(l *level, failures float64) float64 {
	c, parts := l.longest(), float64(len(q.levels)*len(l.lists))
	points := logBig(q.size) + math.Log(float64(q.parts))
	ways := 0.0 // ln of how many lists there are, (points + c)^c/c! at most
	for i := 1.0; i <= float64(c); i++ {
		ways += points + math.Log1p(float64(c)*math.Exp(-points)) - math.Log(i)
	}
	return (float64((c+1)*q.together(failures)) +
		(ways+failures+math.Log(parts))/(l.base.Log()*float64(l.unit))) / 2
}

// TypicalRankError returns the typical rank error of the first split, of which the others inherit a
// part, and more where the largest of many errors is asked for.
func (q *Quantiles) TypicalRankError() float64 { return q.TypicalErrorOf(q.people) }

// TypicalErrorOf returns TypicalRankError in a group of this many persons.
func (q *Quantiles) TypicalErrorOf(persons int64) float64 {
	n, m := float64(persons), float64(len(q.nodes))
	one := mechanism.TypicalRankError(q.root.base.Log()*float64(q.root.q)*float64(q.parts), n,
		q.size)
	inherited := 0.77 + 0.14*float64(q.levels)
	return min(one*max(inherited, 1)*(1+math.Log(m)/4), 0.8*n)
}

// TypicalRankError returns the typical rank error of one target times the root of how many are
// chosen together, and the error of targets between those, in proportion. For two levels the
// squares of both add up, and the worst of many lists is worse still: measured.
func (q *JointExp) TypicalRankError() float64 {
	n, squares := float64(q.people), 0.0
	for i := range q.levels {
		l := &q.levels[i]
		c := float64(l.longest())
		one := mechanism.TypicalRankError(2*l.base.Log()*float64(l.unit), n, q.size)
		squares += one * one * c
	}
	c := float64(len(q.chosen))
	off := math.Sqrt(squares) * (1 + math.Log(c)/6)
	if len(q.levels) == 2 {
		off *= 1.3
	}
	if len(q.chosen) < len(q.targets) {
		off += n / (c + 1) / 10
	}
	return min(off, 0.8*n)
}

// together returns a number such that more persons than that are put at the same point with
// probability at most e^−failures, whatever their values: one more person than that is at one of
// parts points in at most C(n, number + 1)/parts^number ways.
func (q *JointExp) together(failures float64) int {
	n, parts := float64(q.people), math.Log(float64(q.parts))
	ways := math.Log(n)
	number := 0
	for ; number < int(n) && ways > -failures; number++ {
		ways += math.Log(n-float64(number)-1) - math.Log(float64(number)+2) - parts
	}
	return number
}
