package prove

import (
	"math/big"
	"strings"

	"hush/core/audit"
	"hush/core/classify"
	"hush/core/coin"
	"hush/core/message"
	"hush/core/phrase"
)

const subjectLabels = "Labels and rules"

// vote is the rule of a person who has learned yes, or no.
type vote bool

func (v vote) Says(classify.Point) bool { return bool(v) }

func (v vote) String() string {
	if v {
		return "yes"
	}
	return "no"
}

// ballots returns the rules of the persons, and one more, which says no, where their number is
// even.
func ballots(rows []int) []classify.Rule {
	rules := make([]classify.Rule, len(rows)|1)
	for i := range rules {
		rules[i] = vote(i < len(rows) && rows[i] != audit.None)
	}
	return rules
}

const cutAdded = "Noise on the threshold in the far tail, with probability below 2⁻²⁴, is not " +
	"followed. It may do anything, so the claim is checked with that much added to δ."

// asked is the number of times that a vote is held on the same case.
const asked = 3

// answers of a vote, as the digits of a number
const (
	stableNo = 1 + iota
	stableYes
	unstableNo
	unstableYes
)

var stableVotes = Demonstration{
	ID: "stable-votes", Title: "Votes of rules on new cases", Subject: subjectLabels,
	What: "Each person has learned whether a new case is a yes or a no. The majority decides " +
		"three such cases, each only if many persons, with noise, would have to change their " +
		"vote to turn it. Otherwise the answer is a coin, marked ≈, and no case is answered " +
		"after it. With an even number of persons, one extra vote is always no.",
	Promise: "Replacing a person changes by 1 the number who would have to change their vote. " +
		"The noise on the threshold costs r, the noise on the cases r²: e^ε = r³ for all answers " +
		"together. A majority of one vote passes as safe with probability at most δ.",
	Values: []phrase.Key{"yes"}, None: "no",
	Persons: Range{2, 9, 5}, Domain: Range{1, 1, 1}, Bases: []string{"2", "3/2", "4"},
	Deltas: []string{"1/5", "1/20"},
	Bugs: []Bug{
		{"always", "No test", "The majority always answers: “it is only the majority”."},
		{"tells", "The majority instead of the coin",
			"An unsafe case is marked as such, and answered by the majority all the same."},
		{"exact", "A test without noise",
			"A majority passes if two would have to change, counted exactly."},
	},
	prepare: func(s setting) trial {
		m := must(classify.NewStableVotes(classify.StableVotesParams{
			BaseThreshold: s.base, BaseQueries: s.base, Delta: s.delta, Queries: asked,
			Unstable: 1}))
		claim := claimOf(m)
		claim.Delta = new(big.Rat).Add(claim.Delta, farOut)
		return trial{
			claim:  claim,
			limits: coin.Limits{Tail: farOut},
			cut:    cutAdded,
			run: func(src coin.Source, rows []int) (outcome, error) {
				rules := ballots(rows)
				yes := counts(rows, 1)[0]
				most := 2*yes > int64(len(rules))
				safe := max(yes, int64(len(rules))-yes)-int64(len(rules)+1)/2 >= 1
				ballot, err := m.Start(src, rules)
				o := outcome{}
				for i := 0; i < asked && err == nil; i++ {
					var a classify.Answer
					switch {
					case s.bug == "always", s.bug == "exact" && safe:
						a = classify.Answer{Yes: most, Stable: true}
					case s.bug == "exact":
						a = classify.Answer{Yes: src.Uniform(2) == 1}
					default:
						a, err = ballot.Answer(nil)
					}
					if err != nil {
						break
					}
					if s.bug == "tells" && !a.Stable {
						a.Yes = most
					}
					o[i] = answered(a)
					if !a.Stable {
						break
					}
				}
				return o, err
			},
			show: func(say *message.Language, o outcome) string {
				var list []string
				for _, a := range o {
					switch a {
					case stableNo:
						list = append(list, say.Text("no"))
					case stableYes:
						list = append(list, say.Text("yes"))
					case unstableNo:
						list = append(list, "≈ "+say.Text("no"))
					case unstableYes:
						list = append(list, "≈ "+say.Text("yes"))
					}
				}
				return strings.Join(list, ", ")
			},
		}
	},
}

// answered returns an answer as a number.
func answered(a classify.Answer) int64 {
	switch {
	case a.Stable && a.Yes:
		return stableYes
	case a.Stable:
		return stableNo
	case a.Yes:
		return unstableYes
	}
	return unstableNo
}
