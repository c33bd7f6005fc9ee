package task

import (
	"hush/core/ask"
	"hush/core/basic"
	"hush/core/domain"
	"hush/core/privacy"
)

var numberKinds = []domain.Kind{domain.Integer, domain.Decimal}

var sumTask = ask.Task{
	ID:        "sum",
	Title:     "Sum",
	Question:  "How much is it in all?",
	Answer:    "the sum of a column, for everybody or for each group",
	Algorithm: "discrete Laplace mechanism on an exact sum",
	How: "The values are added up exactly, and noise is added that hides the largest change one person can make. " +
		"That is why the bounds matter: the wider they are, the more noise.",
	Simple:  "This is the simple mechanism: an exact sum between public bounds, with noise. Bounds no wider than needed matter more than any choice of algorithm.",
	Source:  "Dwork, McSherry, Nissim, Smith 2006",
	Limits:  "One person can change the sum by as much as the bounds allow, so a column with a few huge values is summed badly.",
	Domains: numberKinds,
	ByGroup: true,
	Params:  []ask.Param{ask.DeltaParam},
	Example: &ask.Example{Sample: "clinic", Recipe: ask.Recipe{Column: 5, Label: "visits", Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "40"}}},
	Films:   []string{"laplace"},
	Prepare: func(q *ask.Query) (ask.Prepared, error) {
		return newEstimate(q, "sum", "", func(epsilon privacy.Epsilon) (asked, error) {
			s, delta, err := scaleAndDelta(q)
			if err != nil {
				return nil, err
			}
			return basic.NewSum(basic.SumParams{Epsilon: epsilon, Delta: delta, Scale: s, People: q.People})
		})
	},
}

var meanTask = ask.Task{
	ID:        "mean",
	Title:     "Mean",
	Question:  "How much is it on average?",
	Answer:    "the mean over the people who have a value, for everybody or for each group",
	Algorithm: "discrete Laplace mechanism on a sum about the middle and a count",
	How: "The sum about the middle of the bounds and the number of people with a value are released together, with noise, for one price, " +
		"and divided. The wider the bounds, the more noise.",
	Simple:  "This is the simple mechanism: an exact sum between public bounds, with noise, and a count. Bounds no wider than needed matter more than any choice of algorithm.",
	Source:  "Dwork, McSherry, Nissim, Smith 2006",
	Limits:  "Few people, or bounds far wider than the values, leave little but noise.",
	Domains: numberKinds,
	ByGroup: true,
	Params:  []ask.Param{ask.DeltaParam},
	Example: &ask.Example{Sample: "pay", Recipe: ask.Recipe{Column: 4, Label: "salary", Domain: domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "20000", Step: "0.01"}}},
	Films:   []string{"laplace"},
	Prepare: func(q *ask.Query) (ask.Prepared, error) {
		return newEstimate(q, "mean", "", func(epsilon privacy.Epsilon) (asked, error) {
			s, delta, err := scaleAndDelta(q)
			if err != nil {
				return nil, err
			}
			return basic.NewMean(basic.MeanParams{Epsilon: epsilon, Delta: delta, Scale: s, People: q.People})
		})
	},
}

var varianceTask = ask.Task{
	ID:        "variance",
	Title:     "Variance",
	Question:  "How much do people differ?",
	Answer:    "the mean square distance from the mean, for everybody or for each group",
	Algorithm: "discrete Laplace mechanism on three sums",
	How: "Released together, for one price, are the sum of squares and the sum, both about the middle of the bounds, and the number of people " +
		"with a value. The square root of the answer is the standard deviation.",
	Simple:  "This is the simple mechanism: exact sums between public bounds, with noise. Bounds no wider than needed matter more than any choice of algorithm.",
	Source:  "Dwork, Roth 2014, Section 3.3",
	Limits:  "The noise grows with the square of the distance between the bounds: few people, or wide bounds, leave little but noise.",
	Domains: numberKinds,
	ByGroup: true,
	Example: &ask.Example{Sample: "clinic", Recipe: ask.Recipe{Column: 1, Label: "age", Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}}},
	Films:   []string{"laplace"},
	Prepare: func(q *ask.Query) (ask.Prepared, error) {
		return newEstimate(q, "variance", "", func(epsilon privacy.Epsilon) (asked, error) {
			s, err := scale(q.Domain)
			if err != nil {
				return nil, err
			}
			return basic.NewVariance(basic.VarianceParams{Epsilon: epsilon, Scale: s, People: q.People})
		})
	},
}
