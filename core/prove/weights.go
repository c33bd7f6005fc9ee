package prove

import (
	"fmt"
	"strings"

	"hush/core/coin"
	"hush/core/message"
	"hush/core/query"
)

var multiplicativeWeights = Demonstration{
	ID: "mwem", Title: "Multiplicative weights", Subject: subjectSteps,
	What: "Each person takes tea, milk, both or neither. The algorithm learns a distribution " +
		"over these four, starting flat. Each of two rounds chooses the question that it gets " +
		"most wrong (who takes tea, milk, or both) and counts those people with noise. Both " +
		"choices and their counts are released.",
	Promise: "Each of two choices costs r², each of two counts r: e^ε = r⁶. Adjusting the " +
		"distribution costs nothing, since it depends only on released numbers.",
	Values: drinks, None: "neither",
	Persons: Range{1, 3, 2}, Domain: Range{3, 3, 3}, Bases: []string{"3/2", "2"},
	Bugs: []Bug{
		{"whole", "The claim of one round", "Two rounds are made for the price of one."},
		{"bare", "No noise on the last count", "The last count is published as it is."},
		{"own", "Empty counts stay empty", "What nobody takes is counted as 0, without noise."},
	},
	prepare: func(s setting) trial {
		weights := func(rounds int) *query.MWEM {
			return must(query.NewMWEM(
				query.MWEMParams{Base: s.base, Width: len(attributes), Rounds: rounds}))
		}
		m := weights(2)
		claim := claimOf(m)
		if s.bug == "whole" {
			claim = claimOf(weights(1))
		}
		return trial{
			claim:  claim,
			limits: coin.Limits{Top: uint64(s.persons)},
			run: func(src coin.Source, rows []int) (o outcome, err error) {
				r, err := m.Release(src, recordsOf(rows), nil)
				if err != nil {
					return o, err
				}
				for i, round := range r.Rounds {
					set, count := int64(0), *round.Count
					exact := int64(0)
					for x := range attributes {
						if round.Set.Has(x) {
							set |= 1 << x
						}
					}
					for _, v := range rows {
						if int64(v+1)&set == set {
							exact++
						}
					}
					if s.bug == "bare" && i == 1 || s.bug == "own" && exact == 0 {
						count = exact
					}
					o[i] = set*countsOfSet + count
				}
				return o, nil
			},
			show: func(say *message.Language, o outcome) string {
				var list []string
				for _, x := range o[:2] {
					list = append(list, fmt.Sprint(say.Text(drinks[x/countsOfSet-1]), " ",
						x%countsOfSet))
				}
				return strings.Join(list, ", ")
			},
		}
	},
}

// countsOfSet exceeds every count.
const countsOfSet = 16
