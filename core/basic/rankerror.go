package basic

import "math"

// RankErrors bounds, for each target, how many persons the released value is away from it: with
// probability at least 1 − beta, for every target at once, t·m minus the bound is at most the
// number of persons at or below the value, and t·m plus the bound is at least the number below it,
// where m persons have a value. It depends on public facts alone and holds for any data, ties
// included. beta must be between 0 and 1.
func (q *Quantiles) RankErrors(beta float64) []float64 {
	// Each split may fail with the same part of beta.
	return q.rankErrors(math.Log(float64(len(q.nodes))) - math.Log(beta))
}

// ExpectedRankErrors bounds the mean of each rank error: the integral of a split's bound over its
// probability.
func (q *Quantiles) ExpectedRankErrors() []float64 { return q.rankErrors(1) }

// rankErrors adds up the errors of splits. A split misses its target by its own error, and by what
// the two splits around it missed theirs by, in proportion to how near they are: quantiles.md,
// Theorem 3.
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

// ownError is a t such that a split misses its aim by more than t persons with probability at most
// e^−logFailures.
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
