package selection

import (
	"hush/core/coin"
	"hush/core/phrase"
)

// Scored is the result of one run of a candidate: an output and its score.
//
// The score is part of the result, so the candidate's loss must cover both together (H: calls.md
// covers). Higher is better; a fractional score is floored on a scale of the caller's choice, and
// an undefined one is math.MinInt64.
type Scored[T any] struct {
	Output T
	Score  int64
}

// Candidate runs a private mechanism once, on the data to which it is bound. Every call must draw
// fresh coins and depend on no earlier call (H: calls.md fresh). Whether it fails may depend on
// public facts only (H: calls.md public-errors); its error ends the selection.
type Candidate[T any] func(src coin.Source) (Scored[T], error)

// OneOf returns a candidate that draws one of the candidates uniformly and runs it: it is as
// private as the least private of them ([Worst]). The list is public (H: calls.md public-list).
// Proof: calls.md, One of several. A candidate that beats a threshold with probability p makes
// OneOf beat it with probability p/len(candidates) or more.
func OneOf[T any](candidates []Candidate[T]) (Candidate[T], error) {
	if len(candidates) == 0 {
		return nil, refuse("candidates", "none", "at least one")
	}
	for i, candidate := range candidates {
		if candidate == nil {
			return nil, refuse("candidates", phrase.Of("nil at %d", i), "a function for each")
		}
	}
	candidates = append([]Candidate[T](nil), candidates...)
	return func(src coin.Source) (Scored[T], error) {
		return candidates[src.Uniform(uint64(len(candidates)))](src)
	}, nil
}

// better reports whether a result replaces the best so far: among equal scores the first stays,
// which does not depend on the data.
func better[T any](result, best Scored[T]) bool { return result.Score > best.Score }

// pause lets a listener end the work between two runs. It reports no progress, since the number of
// runs is secret.
func pause(step coin.Step) error {
	if step == nil {
		return nil
	}
	return step(0, 1)
}
