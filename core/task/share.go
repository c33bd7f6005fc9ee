package task

import (
	"hush/core/ask"
	"hush/core/basic"
	"hush/core/domain"
	"hush/core/privacy"
)

var shareFigure = figure{
	name: shareName, many: shareMany, of: ask.OfShare,
	before: func(*estimate) float64 { return 0.5 }, known: "half of all",
	after: itself, found: againstIts,
	exact: func(people []ask.Person) float64 {
		return exactCount(people, ask.Person.Valued) /
			exactCount(people, func(ask.Person) bool { return true })
	},
}

var shareTask = ask.Task{
	ID:        "share",
	Title:     "Share",
	Question:  "What part of all people has one of these values?",
	Sentence:  "What share of {many} have {column} {values} {group}{and}?",
	Heading:   "Share of {many} with {column} {values} {group}{and}",
	Synonyms:  "percentage, proportion, rate, fraction, part",
	Answer:    "a number from 0 to 1, for everybody or for each group",
	Algorithm: "discrete Laplace mechanism on a count",
	How: "Releases a count and divides it by the number of people, which is public. For groups " +
		"the size of each is private too, so both are released together for one price.",
	Simple: "This is the simple mechanism: counts, with noise. For a single count no " +
		"mechanism of the same guarantee does better.",
	Source: "Dwork, McSherry, Nissim, Smith 2006",
	Limits: "Of small groups little can be said: their size is private too.",
	Judged: "Before release: the error against one half; left open if an answer a thousandth of " +
		"that size would not be good, unless a typical size is stated. After: against the share.",
	Domains: anyKind,
	ByGroup: true,
	OfAll:   true,
	Counts:  true,
	Others:  []ask.Role{roleAnd},
	Params:  []ask.Param{typicalParam, ask.DeltaParam},
	Example: &ask.Example{
		Sample: "clinic",
		Recipe: ask.Recipe{
			Column: 1, Label: "age",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "65", Hi: "100"}}},
	Films: []string{"laplace", "topup"},
	Costs: ask.Costs{"": "basic.Share"},
	Prepare: func(q *ask.Query) (ask.Prepared, error) {
		return newEstimate(q, shareFigure, func(epsilon privacy.Epsilon) (asked, error) {
			delta, err := q.Delta()
			if err != nil {
				return nil, err
			}
			return basic.NewShare(
				basic.ShareParams{Epsilon: epsilon, Delta: delta, People: q.People})
		})
	},
}
