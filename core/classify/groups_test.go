package classify

import (
	"testing"

	"hush/core/internal/audittest"
)

func TestVotesInGroups(t *testing.T) {
	answers := must(NewAnswers(AnswersParams{Class: stumps(Below, 1<<20), Epsilon: epsilon("4"),
		Delta: delta("1e-8"), Persons: 1_000_000, Queries: 40}))
	audittest.InGroups(t, "answers", answers)
	audittest.InGroups(t, "universal", must(NewUniversal(UniversalParams{
		Class: stumps(Below, 1<<20), Epsilon: epsilon("4"), Delta: delta("1e-8"),
		Persons: 1_000_000, Queries: 40})))
	audittest.InGroups(t, "stable votes", stableVotes(base(2, 1), base(2, 1), "1/64", 2, 1, 1))
}
