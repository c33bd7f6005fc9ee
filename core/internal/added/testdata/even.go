package task

import (
	"math/big"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/domain"
	"hush/core/privacy"
)

// This file and a line of catalogue.go are all that is written by hand to add a question of one
// number.

var evenFigure = figure{
	name: "number of people whose value is even", many: "number of %s whose value is even",
	of: ask.OfPeople,
	exact: func(people []ask.Person) float64 {
		return exactCount(people, func(p ask.Person) bool {
			return p.Valued() && int64(p.Value)%2 == 0
		})
	},
}

var evenTask = ask.Task{
	ID: "even", Title: "Even values", Question: "How many people have an even value?",
	Sentence: "How many {many} have an even {column} {group}{and}?",
	Heading:  "{many} with an even {column} {group}{and}",
	Synonyms: "parity", Answer: "a number of people, for everybody or for each group",
	Algorithm: "discrete Laplace mechanism on a count of even values",
	How:       "People are counted whose value is even, and noise is added.",
	Simple:    "This is the simple mechanism.", Limits: "A small group looks like nobody.",
	Source: "Dwork, McSherry, Nissim, Smith 2006", Films: []string{"laplace"},
	Judged:  "The error against n, and then against the count.",
	Domains: []domain.Kind{domain.Integer}, ByGroup: true, Others: []ask.Role{roleAnd},
	Params: []ask.Param{ask.DeltaParam}, Costs: ask.Costs{"": "basic.Count"},
	Example: &ask.Example{Sample: "clinic", Recipe: ask.Recipe{Column: 1, Label: "age",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}}},
	Prepare: func(q *ask.Query) (ask.Prepared, error) {
		return newEstimate(q, evenFigure, func(epsilon privacy.Epsilon) (asked, error) {
			s, delta, err := scaleAndDelta(q)
			if err != nil {
				return nil, err
			}
			return basic.NewCount(basic.CountParams{Epsilon: epsilon, Delta: delta,
				Where: func(code uint64) bool {
					at := new(big.Rat).SetInt(new(big.Int).SetUint64(code))
					return at.Add(at.Mul(at, s.Step), s.First).Num().Bit(0) == 0
				}})
		})
	},
}
