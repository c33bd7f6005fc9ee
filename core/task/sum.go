package task

import (
	"math"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/domain"
	"hush/core/privacy"
)

var sumFigure = figure{
	name:   "sum",
	scale:  func(lo, hi, n float64) (float64, float64) { return min(n*lo, 0), max(n*hi, 0) },
	before: func(e *estimate) float64 { return float64(e.typical()) * e.width() / 4 },
	known:  "as much as a quarter of the range adds up to",
	after:  sumAbout, found: againstIts,
	exact: func(people []ask.Person) float64 {
		_, sum, _ := exactSums(people)
		return sum
	},
}

// sumAbout is the size that the error of a sum is judged against: the sum itself. Where values lie
// on both sides of 0 they may cancel, and a sum near 0 is known as well as another.
func sumAbout(e *estimate, value float64) float64 {
	if lo, hi := e.ends(); lo < 0 && hi > 0 {
		return max(math.Abs(value), float64(e.typical())*e.width()/4)
	}
	return math.Abs(value)
}

var sumTask = ask.Task{
	ID:        "sum",
	Title:     "Sum",
	Question:  "How much is it in all?",
	Sentence:  "What is the sum of {column} {group}{and}?",
	Heading:   "Sum of {column} {group}{and}",
	Synonyms:  "total, add up, altogether, sum by group",
	Answer:    "the sum of a column, for everybody or for each group",
	Algorithm: "discrete Laplace mechanism on an exact sum",
	How: "Adds up the values exactly, then adds noise that hides the largest change one person " +
		"can make. That is why bounds matter: the wider they are, the more noise.",
	Simple: "This is the simple mechanism: an exact sum between public bounds, with noise. " +
		"Narrow bounds matter more than any choice of algorithm.",
	Source: "Dwork, McSherry, Nissim, Smith 2006",
	Limits: "One person can change the sum by as much as the bounds allow, so a column with a " +
		"few huge values is summed badly.",
	Judged: "Before release: the error against a quarter of the range times the number of people " +
		"summed; left open if an answer a thousandth of that size would not be good, unless a " +
		"typical size is stated. After: against the sum. Groups are judged as for a mean.",
	Domains: numberKinds,
	ByGroup: true,
	Others:  []ask.Role{roleAnd},
	Params:  []ask.Param{typicalParam, ask.DeltaParam},
	Example: &ask.Example{
		Sample: "clinic",
		Recipe: ask.Recipe{Column: 5, Label: "visits",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "40"}}},
	Films: []string{"laplace", "topup"},
	Costs: ask.Costs{"": "basic.Sum"},
	Prepare: func(q *ask.Query) (ask.Prepared, error) {
		return newEstimate(q, sumFigure, func(epsilon privacy.Epsilon) (asked, error) {
			s, delta, err := scaleAndDelta(q)
			if err != nil {
				return nil, err
			}
			return basic.NewSum(
				basic.SumParams{Epsilon: epsilon, Delta: delta, Scale: s, People: q.People})
		})
	},
}
