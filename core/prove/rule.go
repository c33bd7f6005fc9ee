package prove

import (
	"hush/core/classify"
	"hush/core/coin"
	"hush/core/message"
)

var publicRule = Demonstration{
	ID: "semi-private", Title: "A rule from public points", Subject: subjectLabels,
	What: "Each person has a point 0, 1 or 2 and a label yes or no. The points 0 and 2 are " +
		"public. Each way to label the public points has one rule “yes below a cut”. One of " +
		"these rules is released, r times less likely for each person whose label it gets wrong.",
	Promise: "The set of rules depends on public points only. Replacing a person changes each " +
		"rule's number of mistakes by at most 1, and the sum of all weights in the other " +
		"direction: e^ε = r².",
	Values: labelled, None: "no point",
	Persons: Range{1, 4, 3}, Domain: Range{6, 6, 6}, Bases: []string{"3/2", "2", "3"},
	Bugs: []Bug{
		halfNoise,
		{"own", "The persons' own points",
			"There is a rule for each way to label the points of the persons themselves."},
		{"right", "A rule without mistakes is taken",
			"Where a rule is right about everybody, the first such rule is released at once."},
	},
	prepare: func(s setting) trial {
		public := []classify.Point{{0}, {2}}
		learner := func(r coin.Base, anchors []classify.Point) *classify.SemiPrivate {
			return must(classify.NewSemiPrivate(
				classify.SemiPrivateParams{Class: cuts(), Anchors: anchors, Base: r}))
		}
		sound := learner(s.base, public)
		used := sound
		if s.bug == "half" {
			used = learner(s.base.Pow(2), public)
		}
		return trial{
			claim: claimOf(sound),
			run: func(src coin.Source, rows []int) (outcome, error) {
				given, m := examplesOf(rows), used
				switch {
				case s.bug == "right" && consistent(given):
					least := int64(0)
					for _, e := range given {
						if e.Yes {
							least = max(least, int64(e.Point[0])+1)
						}
					}
					return outcome{least}, nil
				case s.bug == "own":
					var own []classify.Point
					for _, e := range given {
						if e.Point != nil {
							own = append(own, e.Point)
						}
					}
					if own == nil {
						return outcome{0}, nil
					}
					m = learner(s.base, own)
				}
				rule, err := m.Learn(src, given, nil)
				if err != nil {
					return outcome{}, err
				}
				cut := int64(0)
				for rule.Says(classify.Point{uint64(cut)}) && cut < pointsLabelled {
					cut++
				}
				return outcome{cut}, nil
			},
			show: func(say *message.Language, o outcome) string {
				return say.Format("yes below %d", o[0])
			},
		}
	},
}
