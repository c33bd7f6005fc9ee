package prove

import (
	"math/big"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/query"
)

var attributes = []phrase.Key{"tea", "milk"}

// records of tea, of milk, of both; without a value of neither
var drinks = []phrase.Key{"tea", "milk", "tea and milk"}

func recordsOf(rows []int) *query.Records {
	r := must(query.NewRecords(len(rows), len(attributes)))
	for i, v := range rows {
		for x := range attributes {
			if (v+1)>>x&1 == 1 {
				r.Yes(i, x)
			}
		}
	}
	return r
}

var pieces = Demonstration{
	ID: "pieces", Title: "Pieces of few influential attributes", Subject: subjectSteps,
	What: "Each person takes tea, milk, both or neither. A few means are to answer every " +
		"question “How many take one of…”. Each attribute is tested: does it add, with noise, " +
		"more than a quarter of all persons? The first that does splits the questions into those " +
		"with it and those without. That attribute is released.",
	Promise: "Noise is added to the threshold once and to each test separately: all answers up " +
		"to the first yes together cost as much as one. The means use the other half of ε and " +
		"are not shown.",
	Values: drinks, None: "neither",
	Persons: Range{1, 3, 2}, Domain: Range{3, 3, 3}, Epsilon: []string{"4", "8"},
	Bugs: []Bug{
		wholeEpsilon,
		{"exact", "Tests without noise", "An attribute splits if it adds more than a quarter."},
		{"unasked", "Attributes that nobody has are not tested",
			"What nobody takes cannot split: “it adds nothing”."},
		{"told", "The number that splits is released",
			"How many persons it adds is released, too."},
	},
	prepare: func(s setting) trial {
		splitter := func(epsilon privacy.Epsilon) *query.Pieces {
			return must(query.NewPieces(query.PiecesParams{Epsilon: epsilon, Most: 2,
				Threshold: big.NewRat(1, 4), Workloads: []query.Workload{query.OfWidth(1)}}))
		}
		m := splitter(s.epsilon)
		claim := must(audit.ClaimOf(must(m.SplitLoss(1))))
		if s.bug == wholeEpsilon.ID {
			m = splitter(twice(s.epsilon))
		}
		claim.Delta = new(big.Rat).Add(claim.Delta, farOut)
		return trial{
			claim:  claim,
			limits: coin.Limits{Tail: farOut},
			cut:    cutAdded,
			run: func(src coin.Source, rows []int) (outcome, error) {
				have := query.Coverage{Records: recordsOf(rows)}
				adds := have.Marginals(query.Piece{}, 0)
				if s.bug == "exact" {
					for x, n := range adds {
						if 4*n > int64(len(rows)) {
							return outcome{int64(x)}, nil
						}
					}
					return outcome{nothing}, nil
				}
				d, err := m.ReleasePieces(src, have, nil)
				if err != nil || len(d) < 2 {
					return outcome{nothing}, err
				}
				x := splitBy(d)
				switch {
				case s.bug == "unasked" && adds[x] == 0:
					return outcome{nothing}, nil
				case s.bug == "told":
					return outcome{x, adds[x] + 1}, nil
				}
				return outcome{x}, nil
			},
			show: func(say *message.Language, o outcome) string {
				switch {
				case o[0] == nothing:
					return say.Text("one piece")
				case o[1] > 0:
					return say.Format("split by %s, which adds %d", say.Text(attributes[o[0]]),
						o[1]-1)
				}
				return say.Format("split by %s", say.Text(attributes[o[0]]))
			},
		}
	},
}

// splitBy returns the attribute that splits the records into two pieces.
func splitBy(d query.Decomposition) int64 {
	for x := range attributes {
		if d[1].In.Has(x) {
			return int64(x)
		}
	}
	panic("prove: internal error: two pieces that no attribute splits")
}
