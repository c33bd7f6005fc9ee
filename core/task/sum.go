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
	Sentence:  "What is the sum of {column} {group}{and}?",
	Synonyms:  "total, add up, altogether, sum by group",
	Answer:    "the sum of a column, for everybody or for each group",
	Algorithm: "discrete Laplace mechanism on an exact sum",
	How: "The values are added up exactly, and noise is added that hides the largest " +
		"change one person can make. That is why the bounds matter: the wider they are, the more " +
		"noise.",
	Simple: "This is the simple mechanism: an exact sum between public bounds, with noise. " +
		"Bounds no wider than needed matter more than any choice of algorithm.",
	Source: "Dwork, McSherry, Nissim, Smith 2006",
	Limits: "One person can change the sum by as much as the bounds allow, so a column with a " +
		"few huge values is summed badly.",
	Judged: "Before: the error against a quarter of the range times the people it is a sum " +
		"over. After: against the sum. Groups as those of a mean.",
	Domains: numberKinds,
	ByGroup: true,
	Others:  []ask.Role{roleAnd},
	Params:  []ask.Param{ask.DeltaParam},
	Example: &ask.Example{
		Sample: "clinic",
		Recipe: ask.Recipe{Column: 5, Label: "visits",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "40"}}},
	Films: []string{"laplace"},
	Prepare: func(q *ask.Query) (ask.Prepared, error) {
		return newEstimate(q, "sum", "", func(epsilon privacy.Epsilon) (asked, error) {
			s, delta, err := scaleAndDelta(q)
			if err != nil {
				return nil, err
			}
			return basic.NewSum(
				basic.SumParams{Epsilon: epsilon, Delta: delta, Scale: s, People: q.People})
		})
	},
}
