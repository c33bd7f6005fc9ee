package task

import (
	"hush/core/ask"
	"hush/core/basic"
	"hush/core/domain"
	"hush/core/privacy"
)

var countFigure = figure{
	name: countName, many: countMany, of: ask.OfPeople,
	exact: func(people []ask.Person) float64 { return exactCount(people, ask.Person.Valued) },
}

var countTask = ask.Task{
	ID:        "count",
	Title:     "Count",
	Question:  "How many people have one of these values?",
	Sentence:  "How many {many} have {column} {values} {group}{and}?",
	Heading:   "{many} with {column} {values} {group}{and}",
	Synonyms:  "number, total, how many, headcount, size, count by group",
	Answer:    "a number of people, for everybody or for each group",
	Algorithm: "discrete Laplace mechanism on a count",
	How: "Counts the people whose value is within the bounds or among the categories and who " +
		"meet the conditions, then adds a random whole number; small ones are likelier than " +
		"large ones.",
	Simple: "This is the simple mechanism: one count, with noise. For a single count no " +
		"mechanism with the same guarantee does better.",
	Source: "Dwork, McSherry, Nissim, Smith 2006; Ghosh, Roughgarden, Sundararajan 2009",
	Limits: "A group smaller than the error looks the same as an empty one.",
	Judged: "Before release: the error against n, or for groups against n divided by their " +
		"number; left open if an answer a thousandth of that size would not be good, unless a " +
		"typical size is stated. After: each count's error against that count, and all groups " +
		"together against the largest count.",
	Domains: anyKind,
	ByGroup: true,
	Counts:  true,
	Others:  []ask.Role{roleAnd},
	Params:  []ask.Param{typicalParam, ask.DeltaParam},
	Example: &ask.Example{
		Sample: "clinic",
		Recipe: ask.Recipe{Column: 2, Label: "wait_minutes",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "120", Hi: "300"}}},
	Films: []string{"laplace", "topup"},
	Costs: ask.Costs{"": "basic.Count"},
	Prepare: func(q *ask.Query) (ask.Prepared, error) {
		return newEstimate(q, countFigure,
			func(epsilon privacy.Epsilon) (asked, error) {
				delta, err := q.Delta()
				if err != nil {
					return nil, err
				}
				return basic.NewCount(basic.CountParams{Epsilon: epsilon, Delta: delta})
			})
	},
}
