package task

import (
	"math"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/domain"
	"hush/core/privacy"
)

var meanFigure = figure{
	name: "mean", short: true,
	before: func(e *estimate) float64 { return e.width() / 4 }, known: "a quarter of the range",
	after: func(e *estimate, value float64) float64 {
		return min(e.width()/4, e.fromEnd(value))
	},
	found: "the mean itself, or a quarter of the range",
	sizes: func(e *estimate, about float64) float64 {
		lo, hi := e.ends()
		if math.Abs(lo) <= math.Abs(hi) {
			return lo + about
		}
		return hi - about
	},
	exact: func(people []ask.Person) float64 {
		n, sum, _ := exactSums(people)
		return sum / n
	},
}

// fromEnd is the distance of a mean from the end of the range that is nearer to 0: a mean of
// incomes from 0 is judged by its own size, and a mean of years from 1900 on is counted from 1900.
func (e *estimate) fromEnd(value float64) float64 {
	lo, hi := e.ends()
	if math.Abs(lo) <= math.Abs(hi) {
		return value - lo
	}
	return hi - value
}

var meanTask = ask.Task{
	ID:        "mean",
	Title:     "Mean",
	Question:  "How much is it on average?",
	Sentence:  "What is the mean {column} {group}{and}?",
	Heading:   "Mean {column} {group}{and}",
	Synonyms:  "average, arithmetic mean, expected value, mean by group",
	Answer:    "the mean over the people who have a value, for everybody or for each group",
	Algorithm: "discrete Laplace mechanism on a sum about the middle and a count",
	How: "Releases two numbers together, with noise, for one price: the sum about the middle of " +
		"the bounds, and the number of people with a value. The mean is one divided by the " +
		"other. The wider the bounds, the more noise.",
	Simple: "This is the simple mechanism: an exact sum between public bounds, with noise, and a " +
		"count. Narrow bounds matter more than any choice of algorithm.",
	Source: "Dwork, McSherry, Nissim, Smith 2006",
	Limits: "Few people, or bounds far wider than the values, leave little but noise.",
	Judged: "Before release: the error against a quarter of the range, which stands for the " +
		"standard deviation; left open if an answer a thousandth of that size would not be good, " +
		"unless a typical size is stated. After: against the same, or against the distance of " +
		"the mean from the end of the range nearer to 0, if that is less. Groups are rough if " +
		"half of them are not good, and noise if more than half are noise.",
	Domains: numberKinds,
	ByGroup: true,
	Others:  []ask.Role{roleAnd},
	Params:  []ask.Param{typicalParam, ask.DeltaParam},
	Example: &ask.Example{
		Sample: "pay",
		Recipe: ask.Recipe{Column: 4, Label: "salary",
			Domain: domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "20000", Step: "0.01"}}},
	Films: []string{"laplace", "topup"},
	Costs: ask.Costs{"": "basic.Mean"},
	Prepare: func(q *ask.Query) (ask.Prepared, error) {
		return newEstimate(q, meanFigure, func(epsilon privacy.Epsilon) (asked, error) {
			s, delta, err := scaleAndDelta(q)
			if err != nil {
				return nil, err
			}
			return basic.NewMean(
				basic.MeanParams{Epsilon: epsilon, Delta: delta, Scale: s, People: q.People})
		})
	},
}
