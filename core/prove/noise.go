package prove

import (
	"math/big"

	"hush/core/basic"
	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/message"
	"hush/core/phrase"
)

// Noisy numbers that lie edge or more beyond the range of the exact ones are shown together: the
// ratio of two tails equals the ratio of their first values, so nothing is hidden by it, and the
// laws are exact.
const edge = 2

const subjectNoise = "Noise on numbers"

var halfNoise = Bug{"half", "Half the noise",
	"The base is squared, so that noise of twice the size is half as likely as it should be."}

var noisyCount = Demonstration{
	ID: "count", Title: "A count with noise", Subject: subjectNoise,
	What: "Each person answers yes or no. The number of yes answers is released, plus discrete " +
		"Laplace noise: each further step away from the truth is r times less likely.",
	Promise: "One person moves the count by at most 1, so every result becomes at most r times " +
		"as likely: e^ε = r.",
	Values: []phrase.Key{"yes"}, None: "no",
	Persons: Range{1, 8, 4}, Domain: Range{1, 1, 1}, Bases: []string{"3/2", "5/4", "2", "3"},
	Bugs: []Bug{
		halfNoise,
		{"last-place", "The base from a floating-point number", "The base is too large by one in " +
			"the last place of a double, as happens when e^ε is computed in floating point."},
		{"upwards", "Noise only upwards",
			"Noise is never negative, “so that no count is too small”."},
		{"zero", "No noise on a count of 0",
			"A count of 0 is published as it is: “there is nobody to protect”."},
		{"small", "Less noise on small counts",
			"Counts below 2 get half the noise, so that they do not drown."},
	},
	prepare: func(s setting) trial {
		laplace := func(r coin.Base) *mechanism.Laplace {
			return must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: r, L1Sensitivity: 1}))
		}
		sound := laplace(s.base)
		used := sound
		switch s.bug {
		case "half":
			used = laplace(s.base.Pow(2))
		case "last-place":
			// of doubles from 1 to 2; those from 2 to 4 lie twice as far apart
			unit := big.NewRat(1, 1<<52)
			if s.base.Rat().Cmp(big.NewRat(2, 1)) >= 0 {
				unit.Add(unit, unit)
			}
			used = laplace(must(coin.BaseFromRat(unit.Add(unit, s.base.Rat()))))
		}
		low, high := int64(-edge), int64(s.persons+edge)
		return trial{
			claim:  claimOf(sound),
			limits: coin.Limits{Top: uint64(high)},
			run: func(src coin.Source, rows []int) (outcome, error) {
				exact := counts(rows, 1)
				m := used
				switch {
				case s.bug == "upwards":
					return outcome{clamped(exact[0]+int64(src.Geometric(s.base)), low, high)}, nil
				case s.bug == "zero" && exact[0] == 0:
					return outcome{0}, nil
				case s.bug == "small" && exact[0] < 2:
					m = laplace(s.base.Pow(2))
				}
				noisy, err := m.Release(src, exact, nil)
				if err != nil {
					return outcome{}, err
				}
				return outcome{clamped(noisy[0], low, high)}, nil
			},
			show: func(_ *message.Language, o outcome) string {
				return showClamped(o[0], low, high)
			},
		}
	},
}

var noisyHistogram = Demonstration{
	ID: "histogram", Title: "A histogram with noise", Subject: subjectNoise,
	What: "Each person is in one of the bins, or in none. The number in each bin is released, " +
		"with noise of its own on each.",
	Promise: "A replaced person leaves one bin and joins another, so two counts move by 1 each: " +
		"e^ε = r².",
	Values: []phrase.Key{"red", "blue"}, None: "none",
	Persons: Range{1, 3, 2}, Domain: Range{2, 2, 2}, Bases: []string{"3/2", "5/4", "2"},
	Bugs: []Bug{
		{"one-bin", "Noise for adding or removing a person", "The noise is that for one bin, as " +
			"if a person could only appear or vanish. One who is replaced changes two bins."},
		{"once", "One draw for both bins", "The same noise is added to every bin."},
		{"empty", "Empty bins stay empty", "A bin without anybody is published as 0."},
	},
	prepare: func(s setting) trial {
		laplace := func(r coin.Base) *mechanism.Laplace {
			return must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: r, L1Sensitivity: 2}))
		}
		sound := laplace(s.base)
		used := sound
		if s.bug == "one-bin" {
			used = laplace(s.base.Pow(2))
		}
		low, high := int64(-1), int64(s.persons+1)
		return trial{
			claim:  claimOf(sound),
			limits: coin.Limits{Top: uint64(high)},
			run: func(src coin.Source, rows []int) (o outcome, err error) {
				exact := counts(rows, 2)
				drawn := exact
				if s.bug == "once" {
					drawn = []int64{0}
				}
				noisy, err := used.Release(src, drawn, nil)
				if err != nil {
					return o, err
				}
				for i, c := range exact {
					switch {
					case s.bug == "once":
						o[i] = clamped(c+noisy[0], low, high)
					case s.bug == "empty" && c == 0:
						o[i] = 0
					default:
						o[i] = clamped(noisy[i], low, high)
					}
				}
				return o, nil
			},
			show: func(_ *message.Language, o outcome) string {
				return showClamped(o[0], low, high) + ", " + showClamped(o[1], low, high)
			},
		}
	},
}

var boundedSum = Demonstration{
	ID: "sum", Title: "A sum between public bounds", Subject: subjectNoise,
	What: "Each person has the number 1 or 2, or none, which adds 0. The sum is released with " +
		"the algorithm that the workbench uses.",
	Promise: "Between none and 2 a person moves the sum by at most 2: e^ε = r².",
	Values:  digits[1:3], None: "none",
	Persons: Range{1, 5, 3}, Domain: Range{2, 2, 2}, Bases: []string{"3/2", "5/4", "2"},
	Bugs: []Bug{
		halfNoise,
		{"range", "A claim that forgets who has no number",
			"From 1 to 2 is a step of 1, so e^ε = r is claimed. A person without a number adds 0."},
		{"own-bounds", "Bounds from the data", "Where nobody has a 2, the largest number is " +
			"taken to be 1 and the noise is made for that."},
	},
	prepare: func(s setting) trial {
		sum := func(r coin.Base) *basic.Sum {
			return must(basic.NewSum(basic.SumParams{Base: r, People: int64(s.persons),
				Scale: basic.Scale{Size: big.NewInt(2), First: big.NewRat(1, 1),
					Step: big.NewRat(1, 1)}}))
		}
		sound, loud := sum(s.base), sum(s.base.Pow(2))
		claim := claimOf(sound)
		if s.bug == "range" {
			claim.Odds = s.base.Rat()
		}
		low, high := int64(-edge), int64(2*s.persons+edge)
		return trial{
			claim:  claim,
			limits: coin.Limits{Top: uint64(high)},
			run: func(src coin.Source, rows []int) (outcome, error) {
				m, exact := sound, counts(rows, 2)
				if s.bug == "half" || s.bug == "own-bounds" && exact[1] == 0 && exact[0] > 0 {
					m = loud
				}
				estimate, err := m.Release(src, column(rows), nil)
				if err != nil {
					return outcome{}, err
				}
				if !estimate.Value.IsInt() {
					return outcome{},
						phrase.Errorf("prove: a sum of whole numbers is %v", estimate.Value)
				}
				return outcome{clamped(estimate.Value.Num().Int64(), low, high)}, nil
			},
			show: func(_ *message.Language, o outcome) string {
				return showClamped(o[0], low, high)
			},
		}
	},
}
