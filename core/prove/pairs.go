package prove

import (
	"fmt"
	"math/big"

	"hush/core/coin"
	"hush/core/joint"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
)

// pairsCoins is the number of bits in the probabilities that this demonstration enumerates.
const pairsCoins = 40

var tablesOfPairs = Demonstration{
	ID: "pairs", Title: "Tables of pairs, for made-up rows", Subject: subjectNoise,
	What: "There are three columns. The last says who smokes; the other two have a single value " +
		"each, so that everything can be followed. The first and the second are each counted " +
		"together with the last: two tables of two counts, each with its own noise. Rows are " +
		"made up from these alone.",
	Promise: "A person who is replaced leaves one count of each table and joins another. Every " +
		"table gets a part of ε for that, and the parts add up.",
	Values: []phrase.Key{"smokes"}, None: "does not",
	Persons: Range{1, 2, 1}, Domain: Range{1, 1, 1}, Epsilon: []string{"1", "2"},
	Bugs: []Bug{
		{"joins", "Noise for adding or removing a person", "The noise of each table is that for " +
			"one count, as if a person could only appear or vanish."},
		{"empty", "Empty cells stay empty", "A count of 0 is published as it is, so that no row " +
			"has a combination that nobody has."},
		{"agree", "Tables agree with the truth", "The second table is corrected, so that as many " +
			"smoke in it as in the data."},
	},
	prepare: func(s setting) trial {
		pairs := func(epsilon privacy.Epsilon) *joint.Pairs {
			return must(joint.NewPairs(joint.PairsParams{Epsilon: epsilon, Sizes: []int{1, 1, 2},
				Of: [][2]int{{0, 2}, {1, 2}}}))
		}
		sound := pairs(s.epsilon)
		used := sound
		if s.bug == "joins" {
			used = pairs(twice(s.epsilon))
		}
		claim := claimOf(sound)
		claim.Delta = new(big.Rat).Add(claim.Delta, big.NewRat(1, 1_000_000))
		low, high := int64(-1), int64(s.persons+1)
		wide := high - low + 1
		return trial{
			claim:  claim,
			limits: coin.Limits{Top: uint64(high), Bits: pairsCoins},
			cut: "Chances are enumerated to 40 bits, so the claim is checked with a δ of one in " +
				"a million in place of 0.",
			run: func(src coin.Source, rows []int) (o outcome, err error) {
				columns, smoke := make([][]uint8, 3), int64(0)
				for _, v := range rows {
					columns[0], columns[1] = append(columns[0], 0), append(columns[1], 0)
					columns[2] = append(columns[2], uint8(v+1))
					smoke += int64(v + 1)
				}
				measured, err := used.Release(src, columns, nil)
				if err != nil {
					return o, err
				}
				exact := []int64{int64(len(rows)) - smoke, smoke}
				for table, t := range measured.Tables {
					for i, count := range t.Counts {
						switch {
						case s.bug == "empty" && exact[i] == 0:
							count = 0
						case s.bug == "agree" && table == 1 && i == 1:
							count = smoke
						}
						o[table] = o[table]*wide + clamped(count, low, high) - low
					}
				}
				return o, nil
			},
			show: func(_ *message.Language, o outcome) string {
				of := func(both int64) string {
					return showClamped(both/wide+low, low, high) + ", " +
						showClamped(both%wide+low, low, high)
				}
				return fmt.Sprintf("%s | %s", of(o[0]), of(o[1]))
			},
		}
	},
}
