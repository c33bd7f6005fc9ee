package study

import (
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/density"
	"hush/core/domain"
)

const (
	densityPeople = 30_000
	densityBits   = 32
	densityRounds = 16
	densityRuns   = 9
	densityPlaces = 1000 // where the error anywhere is looked for
)

var densities = Study{
	ID: "densities", Source: "Diakonikolas, Hardt, Schmidt 2015",
	Title: "A distribution, however large its domain",
	Asked: "How well can a distribution be learned privately if nobody knows beforehand where in " +
		"a huge domain the people are?",
	Found: "As well as without privacy, except for an error that shrinks like 1/n. The maximum " +
		"error rule privately finds the place where its curve is furthest from the people, " +
		"measures there, and bends the curve, so that its places follow the people. Few pieces, " +
		"or few polynomials, are then fitted for free.",
	Simple: "If you know in advance where the people are, use ranges made for that: with a known " +
		"partition, a plain histogram is better than anything else. With equal ranges, most of " +
		"them empty, no number of people helps.",
	Least: "The paper proves no lower bound; the error of sampling alone, about √(k/n) for k " +
		"ranges, cannot be avoided.",
	Made: "30 000 people, values from 0 to 2³² − 1 and 16 rounds, except where one of these " +
		"grows; half of the people are within the lowest 0.07 % of the values. The error is the " +
		"largest of a run, at the places measured or at 1 000 others: the median of 9 runs. ε = 1.",
	Y: "largest error of a count, % of the people",
	Lines: []Line{
		{"maximum error rule at its places, proved", Bound, -1},
		{"maximum error rule at its places, measured", Measured, 0},
		{"maximum error rule anywhere, measured", Measured, -1},
		{"64 equal ranges anywhere, measured", Measured, -1},
		{"known partition anywhere, measured", Measured, -1},
	},
	Axis: Axis{"people", []int{1000, 3000, 10_000, densityPeople, 100_000}, densityOfPeople},
	More: []Axis{{"bits of the domain", []int{12, 16, 32, 60}, densityOfBits},
		{"rounds", []int{4, 8, 16, 32, 64}, densityOfRounds}},
	Also: "People of several kinds, each with one peak, are a mixture of families: the same " +
		"curve is then fitted with two or more shapes at once, which is free, too. For two such " +
		"kinds, one log-concave shape was off by 24 % of the people however many there were. A " +
		"mixture of two was off by 4 % at 10 000 people, and by 3 % at 100 000. In the form this " +
		"is “How many of that shape are mixed”.",
	Task: "density", Params: map[string]string{"method": "merr"},
	Films: []string{"merr"},
}

func densityOfPeople(n int, seed coin.Seed, tell func(float64) error) ([]float64, error) {
	return measureDensities(n, densityBits, densityRounds, seed, tell)
}

func densityOfBits(bits int, seed coin.Seed, tell func(float64) error) ([]float64, error) {
	return measureDensities(densityPeople, bits, densityRounds, seed, tell)
}

func densityOfRounds(rounds int, seed coin.Seed, tell func(float64) error) ([]float64, error) {
	return measureDensities(densityPeople, densityBits, rounds, seed, tell)
}

func measureDensities(n, bits, rounds int, seed coin.Seed,
	tell func(float64) error) ([]float64, error) {
	size := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	values := make([]uint64, n)
	for i := range values {
		x := -math.Log1p(-(float64(i)+0.5)/float64(n)) / 1000
		values[i] = min(uint64(math.Ldexp(x, bits)), 1<<bits-1)
	}
	codes := domain.SortedCodes(values, bits)
	rule := must(density.NewMERR(density.MERRParams{Epsilon: one, Size: size, Persons: uint64(n),
		Rounds: rounds}))
	equal := must(density.NewHistogram(density.HistogramParams{Epsilon: one, Size: size,
		Persons: uint64(n), Cells: 64}))
	bounds, _, err := density.Peak(density.PeakParams{Size: size, Peak: new(big.Int), Epsilon: one,
		Persons: uint64(n)})
	if err != nil {
		return nil, err
	}
	known := must(density.NewHistogram(density.HistogramParams{Epsilon: one, Size: size,
		Persons: uint64(n), Bounds: bounds}))
	var off [4][]float64
	for run := range coin.Seed(densityRuns) {
		src := coin.NewSeeded(densityRuns*seed + run)
		for i, m := range []density.Learner{rule, equal, known} {
			if err := tell((float64(run) + float64(i)/3) / densityRuns); err != nil {
				return nil, err
			}
			d, err := m.Release(src, codes, nil)
			if err != nil {
				return nil, err
			}
			if i == 0 {
				off[0] = append(off[0], offAtPlaces(d, codes))
			}
			off[i+1] = append(off[i+1], offAnywhere(d, values))
		}
	}
	lines := []float64{100 * min(rule.Forecast().Within/float64(n), 1)}
	for _, runs := range off {
		slices.Sort(runs)
		lines = append(lines, 100*runs[densityRuns/2]/float64(n))
	}
	return lines, nil
}

// offAtPlaces returns the largest error of a count up to the end of a cell.
func offAtPlaces(d *density.Distribution, codes domain.Sorted) (worst float64) {
	for i := range d.Cells() {
		_, last, _ := d.Cell(i)
		truth, _ := codes.Rank(new(big.Int).Add(last, big.NewInt(1)))
		worst = max(worst, math.Abs(d.Count(last)-float64(truth)))
	}
	return worst
}

// offAnywhere returns the largest error at the values of persons at regular steps.
func offAnywhere(d *density.Distribution, values []uint64) (worst float64) {
	for i := range densityPlaces {
		at := (2*i + 1) * len(values) / (2 * densityPlaces)
		last := at // of those with the same value
		for last+1 < len(values) && values[last+1] == values[at] {
			last++
		}
		count := d.Count(new(big.Int).SetUint64(values[at]))
		worst = max(worst, math.Abs(count-float64(last+1)))
	}
	return worst
}
