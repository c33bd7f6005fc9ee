package task

import (
	"slices"

	"hush/core/ask"
	"hush/core/phrase"
)

// The verdict of each question: what its error is judged against, before the release and after it.
// The thresholds are ask.Judge's alone. VERDICT.md has the rule in words, from each ask.Task.

const (
	againstSame    phrase.Key = "as many as each has if all have the same"
	againstTypical phrase.Key = "the count that most are in"
	againstQuarter phrase.Key = "a quarter of all"
	againstChance  phrase.Key = "half of all, which chance gets right"
	againstAll     phrase.Key = "all of them"
	againstIts     phrase.Key = "the released number"
)

// chance is how many of those who are labelled at random are labelled rightly, in percent.
const chance = 50

// usual is an error whose bound is proven for the worst data and far above what is usual, judged
// against about.
func usual(p ask.Prepared, about float64) ask.Against {
	typical, _ := p.Typical()
	return ask.Usually(p.Bound(), typical, about)
}

// rankAbout is how many of n people lie between parts of them that are told apart: the least
// distance of neighbours, at most a quarter.
func rankAbout(parts []float64, n float64) float64 {
	least, last := 0.25, 0.0
	for _, p := range append(slices.Clone(parts), 1) {
		least, last = min(least, p-last), p
	}
	return least * n
}
