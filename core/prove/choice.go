package prove

import (
	"math/big"
	"slices"
	"strconv"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/selection"
	"hush/core/threshold"
)

const subjectChoice = "Choices"

var candidates = []phrase.Key{"Ada", "Bea", "Cyd", "Dee"}

func showCandidate(say *message.Language, o outcome) string {
	if o[0] == nothing {
		return say.Text("nothing")
	}
	return say.Text(candidates[o[0]])
}

var addRemove = Bug{"add-remove", "Noise for adding or removing a person", "It counts on all " +
	"votes moving one way. A voter who is replaced takes a vote from one and gives one to another."}

// choiceBugs lists the bugs that can be planted in every choice by score.
var choiceBugs = []Bug{
	addRemove,
	{"named", "Only candidates with votes", "Candidates whom nobody voted for are left out."},
	{"ties", "Ties are broken by the data",
		"If the two best have the same number of votes, the first of them is published without " +
			"noise."},
}

// chooser is a mechanism that chooses among candidates by score.
type chooser interface {
	mechanism.Mechanism
	Release(src coin.Source, scores []int64, step coin.Step) (int, error)
}

// election is a trial of a chooser.
func election(s setting, make func(r coin.Base, oneSigned bool) chooser) trial {
	sound := make(s.base, false)
	used := sound
	if s.bug == "add-remove" {
		used = make(s.base.Pow(2), true)
	}
	return trial{
		claim: claimOf(sound),
		run: func(src coin.Source, rows []int) (outcome, error) {
			votes := counts(rows, s.values)
			which := upTo(s.values)
			switch s.bug {
			case "named":
				which = slices.DeleteFunc(which, func(c int) bool { return votes[c] == 0 })
			case "ties":
				if best := slices.Max(votes); len(votes)-len(without(votes, best)) > 1 {
					return outcome{int64(slices.Index(votes, best))}, nil
				}
			}
			if len(which) == 0 {
				return outcome{0}, nil
			}
			scores := []int64{}
			for _, c := range which {
				scores = append(scores, votes[c])
			}
			i, err := used.Release(src, scores, nil)
			if err != nil {
				return outcome{}, err
			}
			return outcome{int64(which[i])}, nil
		},
		show: showCandidate,
	}
}

// upTo returns the numbers 0 … n−1.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func without(list []int64, x int64) []int64 {
	return slices.DeleteFunc(slices.Clone(list), func(y int64) bool { return x == y })
}

var bestCandidate = Demonstration{
	ID: "exponential", Title: "The exponential mechanism", Subject: subjectChoice,
	What: "Each person votes for one candidate, or for none. One candidate is released, r " +
		"times as likely for each vote more.",
	Promise: "A replaced vote moves every score by at most 1, and the sum of all weights the " +
		"other way: e^ε = r².",
	Values: candidates, None: "no vote",
	Persons: Range{2, 5, 3}, Domain: Range{2, 4, 3}, Bases: []string{"3/2", "5/4", "2"},
	Bugs: choiceBugs,
	prepare: func(s setting) trial {
		return election(s, func(r coin.Base, oneSigned bool) chooser {
			return must(
				mechanism.NewExponential(
					mechanism.ExponentialParams{Base: r, Sensitivity: 1, OneSigned: oneSigned}))
		})
	},
}

var flippedCandidate = Demonstration{
	ID: "permute-and-flip", Title: "Permute and flip", Subject: subjectChoice,
	What: "The same vote. The candidates are visited in random order, with a coin for each, and " +
		"the first whose coin says yes is released. The best candidate's coin always does; each " +
		"vote behind the best makes a yes r times less likely.",
	Promise: "e^ε = r², with a better winner on average than the exponential mechanism.",
	Values:  candidates, None: "no vote",
	Persons: Range{2, 5, 3}, Domain: Range{2, 4, 3}, Bases: []string{"3/2", "5/4", "2"},
	Bugs: choiceBugs,
	prepare: func(s setting) trial {
		return election(s, func(r coin.Base, oneSigned bool) chooser {
			return must(
				mechanism.NewPermuteAndFlip(
					mechanism.PermuteAndFlipParams{Base: r, Sensitivity: 1, OneSigned: oneSigned}))
		})
	},
}

// digits names the values of an ordered domain.
var digits = func() (list []phrase.Key) {
	for d := range 8 {
		list = append(list, phrase.Key(strconv.Itoa(d)))
	}
	return list
}()

func showDigit(say *message.Language, o outcome) string { return say.Text(digits[o[0]]) }

// valueBugs lists the bugs that alter a value after it was found.
var valueBugs = []Bug{
	{"nearest", "The nearest value that somebody has",
		"The answer is moved to the nearest value in the data: “so that it is a real one”."},
	{"within", "Never outside the data",
		"An answer below the smallest or above the largest value in the data is moved there."},
}

// moved returns a value as one of these bugs alters it.
func moved(bug string, x uint64, list []uint64) uint64 {
	if len(list) == 0 {
		return x
	}
	switch bug {
	case "nearest":
		far := func(y uint64) uint64 { return max(x, y) - min(x, y) }
		return slices.MinFunc(list, func(a, b uint64) int { return int(far(a)) - int(far(b)) })
	case "within":
		return min(max(x, slices.Min(list)), slices.Max(list))
	}
	return x
}

var middleValue = Demonstration{
	ID: "median", Title: "A median", Subject: subjectChoice,
	What: "Each person has one of the values, or none. A value near the middle is released: the " +
		"weight of each value is r to the power of the number of persons on its smaller side.",
	Promise: "A replaced person moves each of these numbers by at most 1: e^ε = r².",
	Values:  digits, None: "none",
	Persons: Range{2, 4, 3}, Domain: Range{2, 6, 5}, Bases: []string{"3/2", "5/4", "2"},
	Bugs: append([]Bug{halfNoise}, valueBugs...),
	prepare: func(s setting) trial {
		middle := func(r coin.Base) *mechanism.InteriorPoint {
			return must(
				mechanism.NewInteriorPoint(
					mechanism.InteriorPointParams{
						Base: r, DomainSize: big.NewInt(int64(s.values))}))
		}
		sound := middle(s.base)
		used := sound
		if s.bug == "half" {
			used = middle(s.base.Pow(2))
		}
		return trial{
			claim: claimOf(sound),
			run: func(src coin.Source, rows []int) (outcome, error) {
				x, err := used.Release(src, codes(rows), nil)
				return outcome{int64(moved(s.bug, x, codes(rows)))}, err
			},
			show: showDigit,
		}
	},
}

var searchedValue = Demonstration{
	ID: "binary-search", Title: "A noisy binary search", Subject: subjectChoice,
	What: "The same question, asked bit by bit: are there, with noise, more persons in the lower " +
		"or in the upper half? Then again within that half.",
	Promise: "ε is divided among the comparisons, one for each bit.",
	Values:  digits, None: "none",
	Persons: Range{1, 4, 3}, Domain: Range{3, 8, 4}, Epsilon: []string{"1", "1/2", "2"},
	Bugs: append(
		[]Bug{{"whole", "The whole ε for every comparison",
			"Each comparison gets all of ε, as if losses did not add up."}}, valueBugs...),
	prepare: func(s setting) trial {
		search := func(epsilon privacy.Epsilon) *threshold.BinarySearch {
			return must(
				threshold.NewBinarySearch(
					threshold.BinarySearchParams{
						Epsilon: epsilon, Size: big.NewInt(int64(s.values))}))
		}
		sound := search(s.epsilon)
		used, bits := sound, big.NewInt(int64(s.values-1)).BitLen()
		if s.bug == "whole" {
			used = search(
				must(privacy.NewEpsilon(
					new(big.Rat).Mul(s.epsilon.Rat(), big.NewRat(int64(bits), 1)))))
		}
		return trial{
			claim: claimOf(sound),
			run: func(src coin.Source, rows []int) (outcome, error) {
				x, err := used.Release(src, domain.SortedCodes(codes(rows), bits), nil)
				if err != nil {
					return outcome{}, err
				}
				return outcome{int64(moved(s.bug, x.Uint64(), codes(rows)))}, nil
			},
			show: showDigit,
		}
	},
}

var bestOfRuns = Demonstration{
	ID: "best-of-runs", Title: "The best of several private runs", Subject: subjectChoice,
	What: "Each person answers yes or no. The number of yes answers is drawn with noise, again " +
		"and again; each draw is the last with probability 1/2, and the third always is. The " +
		"largest number drawn is released.",
	Promise: "Each run has e^ε = r. The best run costs three times that ε, and a little more for " +
		"the limit, however many runs there are: their number is random and never shown.",
	Values: []phrase.Key{"yes"}, None: "no",
	Persons: Range{1, 3, 2}, Domain: Range{1, 1, 1}, Bases: []string{"3/2", "5/4", "2"},
	Bugs: []Bug{
		{"one", "The claim of one run",
			"The best of several runs is published at the price of one."},
		{"fixed", "Always 16 runs",
			"It always runs 16 times, since the number of runs is said not to matter."},
	},
	prepare: func(s setting) trial {
		count := must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: s.base, L1Sensitivity: 1}))
		law := must(selection.Geometric(big.NewRat(1, 2), 3))
		best := must(
			selection.NewBest(selection.BestParams{Loss: must(count.Loss(1)), Repetitions: law}))
		claim := claimOf(best)
		if s.bug == "one" {
			claim = claimOf(count)
		}
		low, high := int64(-edge), int64(s.persons+edge)
		// all from the limit of runs on is alike too, since it is lower
		limits := coin.Limits{Top: uint64(high)}
		candidate := func(rows []int) selection.Candidate[int64] {
			return func(src coin.Source) (selection.Scored[int64], error) {
				noisy, err := count.Release(src, counts(rows, 1), nil)
				if err != nil {
					return selection.Scored[int64]{}, err
				}
				x := clamped(noisy[0], low, high)
				return selection.Scored[int64]{Output: x, Score: x}, nil
			}
		}
		return trial{
			claim:  claim,
			limits: limits,
			run: func(src coin.Source, rows []int) (outcome, error) {
				if s.bug == "fixed" {
					x, err := largestOf16(src, limits, candidate(rows), low, high)
					return outcome{x}, err
				}
				result, found, err := selection.BestOf(src, best, candidate(rows), nil)
				if err == nil && !found {
					err = phrase.Errorf("prove: a selection without a run")
				}
				return outcome{result.Output}, err
			},
			show: func(_ *message.Language, o outcome) string {
				return showClamped(o[0], low, high)
			},
		}
	},
}

// largestOf16 is the largest of 16 runs, drawn as one coin for each number from high down: whether
// all runs are below it, given that none is above.
func largestOf16(src coin.Source, limits coin.Limits, candidate selection.Candidate[int64], low,
	high int64) (int64, error) {
	one, err := coin.Enumerate(limits, func(src coin.Source) (int64, error) {
		result, err := candidate(src)
		return result.Output, err
	})
	if err != nil {
		return 0, err
	}
	upTo := big.NewRat(1, 1) // the chance that a run gives at most x
	for x := high; x > low; x-- {
		below := new(big.Rat).Sub(upTo, one.Mass(x))
		miss, all := new(big.Rat).Quo(below, upTo), big.NewRat(1, 1)
		for range 16 {
			all.Mul(all, miss)
		}
		if !src.Bernoulli(coin.RatioBig(all.Num(), all.Denom())) {
			return x, nil
		}
		upTo = below
	}
	return low, nil
}
