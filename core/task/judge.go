package task

import (
	"slices"

	"hush/core/ask"
	"hush/core/phrase"
)

// The verdict of each question: the sizes that its error is judged against, before the release and
// after it. The thresholds are in ask.Judge alone. VERDICT.md states the rule in words, from each
// ask.Task.

const (
	againstSame    phrase.Key = "as many as each has if all have the same"
	againstTypical phrase.Key = "the count that most are in"
	againstQuarter phrase.Key = "a quarter of all"
	againstChance  phrase.Key = "half of all, which chance gets right"
	againstAll     phrase.Key = "all of them"
	againstIts     phrase.Key = "the released number"
)

// chance is the percentage of people whom random labels get right.
const chance = 50

// usual returns an error, judged against about, whose bound is proven for the worst data and is far
// above the usual error.
func usual(p ask.Prepared, about float64) ask.Against {
	typical, _ := p.Typical()
	return ask.Usually(p.Bound(), typical, about)
}

// rankAbout is the number of people out of n between parts that the answer must distinguish: the
// least distance of neighbours, at most a quarter.
func rankAbout(parts []float64, n float64) float64 {
	least, last := 0.25, 0.0
	for _, p := range append(slices.Clone(parts), 1) {
		least, last = min(least, p-last), p
	}
	return least * n
}
