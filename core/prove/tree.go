package prove

import (
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/threshold"
)

const subjectSteps = "Algorithms of many steps"

var treeValue = Demonstration{
	ID: "treelog", Title: "TreeLog", Subject: subjectSteps,
	What: "Each person has one of the values, or none. A value between theirs is released. The " +
		"values are the leaves of a tree; a random walk down prefers the half with more persons. " +
		"A few numbers say how far the persons follow it, however large the tree is.",
	Promise: "ε is divided among the walk, the choice of a level and the choices at it. At that " +
		"level only nodes with somebody in them take part, which fails with probability at most " +
		"δ. The walk itself is never shown.",
	Values: digits, None: "none",
	Persons: Range{2, 4, 3}, Domain: Range{3, 8, 4}, Epsilon: []string{"1", "4", "8"},
	Deltas: []string{"1/50", "1/200"},
	Bugs:   append([]Bug{rangeOfData}, valueBugs...),
	prepare: func(s setting) trial {
		return finding(s, coin.Limits{}, func(size int64) (threshold.Finder, error) {
			return threshold.NewTreeLog(threshold.TreeLogParams{
				Epsilon: s.epsilon, Delta: s.delta, Size: big.NewInt(size), Rounds: 1})
		})
	},
}

var wholeEpsilon = Bug{"whole", "The whole ε for each part",
	"Each part gets all of ε, as if losses did not add up."}

var rangeOfData = Bug{"range", "The range of the data",
	"Only the values from the smallest to the largest that somebody has are looked at."}

// finding returns a trial of a Finder, which make builds for this many values.
func finding(s setting, limits coin.Limits,
	make func(size int64) (threshold.Finder, error)) trial {
	sound, sizes := must(make(int64(s.values))), map[int64]threshold.Finder{}
	claim := claimOf(sound)
	if limits.Tail != nil {
		claim.Delta = new(big.Rat).Add(claim.Delta, limits.Tail)
	}
	return trial{
		claim:  claim,
		limits: limits,
		run: func(src coin.Source, rows []int) (outcome, error) {
			list, from, size, used := codes(rows), uint64(0), int64(s.values), sound
			if s.bug == "range" && len(list) > 0 {
				from = slices.Min(list)
				if size = int64(slices.Max(list)-from) + 1; size == 1 {
					return outcome{int64(from)}, nil
				}
				list = slices.Clone(list)
				for i := range list {
					list[i] -= from
				}
				if sizes[size] == nil {
					sizes[size] = must(make(size))
				}
				used = sizes[size]
			}
			x, err := used.Release(
				src, domain.SortedCodes(list, big.NewInt(size-1).BitLen()), nil)
			if err != nil {
				return outcome{}, err
			}
			return outcome{int64(moved(s.bug, from+x.Uint64(), codes(rows)))}, nil
		},
		show: showDigit,
	}
}

var heavyValue = Demonstration{
	ID: "heavypaths", Title: "HeavyPaths", Subject: subjectSteps,
	What: "Like TreeLog, but along fixed paths that turn to the side with more persons. A noisy " +
		"count of the persons who leave a path at any one place shows whether the path is safe; " +
		"where it is not, a random path is walked instead.",
	Promise: "ε is divided among the test of the paths, the random path and the choices at one " +
		"level. Each share is so small that tiny data can be followed only for a large ε: the " +
		"noise of a small ε reaches too far.",
	Values: digits, None: "none",
	Persons: Range{1, 2, 2}, Domain: Range{3, 4, 4}, Epsilon: []string{"16"},
	Deltas: []string{"1/50"},
	Bugs:   append([]Bug{rangeOfData}, valueBugs...),
	prepare: func(s setting) trial {
		t := finding(s, coin.Limits{Tail: farOut}, func(size int64) (threshold.Finder, error) {
			return threshold.NewHeavyPaths(threshold.HeavyPathsParams{
				Epsilon: s.epsilon, Delta: s.delta, Size: big.NewInt(size), Rounds: 1})
		})
		t.cut = cutAdded
		return t
	},
}
