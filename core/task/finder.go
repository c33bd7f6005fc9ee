package task

import (
	"math/big"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/privacy"
	"hush/core/threshold"
)

const paramAlgorithm = "algorithm"

// finderParam chooses the method that finds a value with people on both sides.
var finderParam = ask.Param{
	Name: paramAlgorithm, Label: "Algorithm", Kind: ask.Chosen, Default: "auto", Rivals: true,
	Choices: []ask.Choice{
		{Value: "auto", Label: "the one that needs fewest people"},
		{Value: "exponential", Label: "exponential mechanism"},
		{Value: "treelog", Label: "TreeLog"},
		{Value: "heavypaths", Label: "HeavyPaths"},
		{Value: heavyOnce, Label: "HeavyPaths with one round, which needs fewer people"},
		{Value: "search", Label: "noisy binary search"},
	},
	Taught: []ask.Choice{{Value: "paper", Label: "TreeLog with its paper's constants"}},
	Help: "What each needs depends on how many values are possible, and is said before you " +
		"release.",
	Effect: "All keep the same privacy; the wrong one needs many more people.",
	Tries:  "exponential, treelog, search",
}

const heavyOnce = "heavypaths-1"

// partOfDelta returns one of of equal parts of δ.
func partOfDelta(delta privacy.Delta, of int64) (privacy.Delta, error) {
	return privacy.NewDelta(new(big.Rat).Quo(delta.Rat(), big.NewRat(of, 1)))
}

// chosenFinder is a Finder with the reason for choosing it.
type chosenFinder struct {
	threshold.Finder
	by    threshold.AdviceParams
	asked bool // chosen by its name in the recipe
}

// newFinder returns the Finder that the recipe asks for, with one of calls equal shares of ε and δ.
func newFinder(q *ask.Query, calls int64) (chosenFinder, error) {
	delta, err := q.AllowedDelta()
	if err != nil {
		return chosenFinder{}, err
	}
	share, err := partOfDelta(delta, calls)
	if err != nil {
		return chosenFinder{}, err
	}
	p := threshold.AdviceParams{Epsilon: q.Epsilon.Part(1, calls), Delta: share,
		Size: q.Space.Size(), Beta: 0.05 / float64(calls), Persons: uint64(q.People)}
	chosen := q.Param(paramAlgorithm)
	f, err := ask.Remember(q, finderAsked{chosen, p}, finderAsked.finder)
	return chosenFinder{f, p, chosen != auto}, err
}

// finderAsked holds the parameters of a Finder: its name, and its task.
type finderAsked struct {
	name string
	threshold.AdviceParams
}

func (p finderAsked) finder() (threshold.Finder, error) {
	switch p.name {
	case "exponential":
		return threshold.NewExponential(
			threshold.ExponentialParams{Epsilon: p.Epsilon, Size: p.Size, Beta: p.Beta})
	case "treelog":
		return threshold.NewTreeLog(
			threshold.TreeLogParams{Epsilon: p.Epsilon, Delta: p.Delta, Size: p.Size,
				Beta: p.Beta})
	case "paper":
		return threshold.NewPaperTreeLog(
			threshold.TreeLogParams{Epsilon: p.Epsilon, Delta: p.Delta, Size: p.Size,
				Beta: p.Beta, Persons: max(p.Persons, 1)})
	case "heavypaths", heavyOnce:
		h := threshold.HeavyPathsParams{Epsilon: p.Epsilon, Delta: p.Delta, Size: p.Size,
			Beta: p.Beta}
		if p.name == heavyOnce {
			h.Rounds = 1
		}
		return threshold.NewHeavyPaths(h)
	case "search":
		return threshold.NewBinarySearch(
			threshold.BinarySearchParams{Epsilon: p.Epsilon, Size: p.Size, Beta: p.Beta})
	}
	return threshold.Choose(p.AdviceParams)
}

// fewest states the number of people with a value below which no method can name one of this many
// values with people on both sides or, for a cut-off, with fewer than half answered incorrectly.
func fewest(q *ask.Query, values *big.Int, delta privacy.Delta) ask.Forecast {
	n := threshold.FewestPersons(values, q.Epsilon, delta, basic.Beta)
	return ask.Forecast{Label: q.Say.Text("No method works with fewer than"), Value: q.Count(n),
		Detail: q.Say.Text("with a value, for this privacy and in 95 of 100 releases: with " +
			"fewer, people who all have one value look like people who all have another")}
}

// forecast states the algorithm used, and why: "your column has a 64-bit domain: …".
func (f chosenFinder) forecast(q *ask.Query) ask.Forecast {
	text := ""
	if advice, err := ask.Remember(q, f.by, threshold.Advise); err == nil { // one was made for it
		text = q.Say.Format("your column has %s", advice.Text)
		if f.asked {
			text += q.Say.Format("; you chose %s, which needs %d", f.Name(), f.Needs())
		}
	}
	return ask.Forecast{Label: q.Say.Text("Used"), Value: q.Say.Phrase(f.Name()), Detail: text}
}
