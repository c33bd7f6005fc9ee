package task

import (
	"hush/core/ask"
	"hush/core/basic"
	"hush/core/domain"
	"hush/core/privacy"
)

var varianceFigure = figure{
	name:   "variance",
	scale:  func(lo, hi, _ float64) (float64, float64) { return 0, (hi - lo) * (hi - lo) / 4 },
	before: func(e *estimate) float64 { return e.width() * e.width() / 16 },
	known:  "the square of a quarter of the range",
	after:  itself, found: againstIts,
	exact: func(people []ask.Person) float64 {
		n, sum, squares := exactSums(people)
		return squares/n - sum/n*sum/n
	},
}

var varianceTask = ask.Task{
	ID:        "variance",
	Title:     "Variance",
	Question:  "How much do people differ?",
	Sentence:  "How much does {column} vary {group}{and}?",
	Heading:   "Variance of {column} {group}{and}",
	Synonyms:  "standard deviation, spread, dispersion, scatter, variability",
	Answer:    "the mean square distance from the mean, for everybody or for each group",
	Algorithm: "discrete Laplace mechanism on three sums",
	How: "One price covers the sum of squares and the sum, both about the middle of the bounds, " +
		"and the number of people with a value. The square root of the answer is the standard " +
		"deviation.",
	Simple: "This is the simple mechanism: exact sums between public bounds, with noise. Narrow " +
		"bounds matter more than any choice of algorithm.",
	Source: "Dwork, Roth 2014, Section 3.3",
	Limits: "The noise grows with the square of the distance between the bounds: few people, " +
		"or wide bounds, leave little but noise.",
	Judged: "Before release: the error against the square of a quarter of the range; left open " +
		"if an answer a thousandth of that size would not be good. After: against the variance. " +
		"Groups are judged as for a mean.",
	Domains: numberKinds,
	ByGroup: true,
	Others:  []ask.Role{roleAnd},
	Example: &ask.Example{
		Sample: "clinic",
		Recipe: ask.Recipe{
			Column: 1, Label: "age",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}}},
	Films: []string{"laplace"},
	Costs: ask.Costs{"": "basic.Variance"},
	Prepare: func(q *ask.Query) (ask.Prepared, error) {
		p, err := preparedVariance(q, false)
		if e, is := p.(*estimate); is {
			e.widely = func() (ask.Prepared, error) { return preparedVariance(q, true) }
		}
		return p, err
	},
}

// preparedVariance returns the question or, with before, the one that states the intervals of
// versions up to November 2026.
func preparedVariance(q *ask.Query, before bool) (ask.Prepared, error) {
	return newEstimate(q, varianceFigure, func(epsilon privacy.Epsilon) (asked, error) {
		s, err := scale(q.Domain)
		if err != nil {
			return nil, err
		}
		return basic.NewVariance(basic.VarianceParams{Epsilon: epsilon, Scale: s,
			People: q.People, Before: before})
	})
}
