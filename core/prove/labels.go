package prove

import (
	"strings"

	"hush/core/audit"
	"hush/core/classify"
	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/message"
	"hush/core/phrase"
)

// examples of three points, each with a no and with a yes
var labelled = []phrase.Key{"0: no", "0: yes", "1: no", "1: yes", "2: no", "2: yes"}

const pointsLabelled = 3

// cuts returns the rules that say yes below a cut among three points.
func cuts() *classify.Stumps {
	return must(classify.NewStumps(
		classify.StumpsParams{Sizes: []uint64{pointsLabelled}, Direction: classify.Below}))
}

// examplesOf returns the persons as examples; a person without a value has no point.
func examplesOf(rows []int) []classify.Example {
	list := make([]classify.Example, len(rows))
	for i, v := range rows {
		if v != audit.None {
			list[i] = classify.Example{Point: classify.Point{uint64(v / 2)}, Yes: v%2 == 1}
		}
	}
	return list
}

var newLabels = Demonstration{
	ID: "relabelling", Title: "New labels for all", Subject: subjectLabels,
	What: "Each person has a point 0, 1 or 2 and a label yes or no. One rule “yes below a cut” " +
		"is drawn, r times less likely for each label that it gets wrong, and relabels every " +
		"person. The new labels stay secret; how many of them are yes is released, with noise of " +
		"base r.",
	Promise: "One person may change the rule, and with it everyone's label. The draw makes any " +
		"new labels of the others at most (1+r)² times as likely, and the noise costs another " +
		"factor r: e^ε = r·(1+r)².",
	Values: labelled, None: "no point",
	Persons: Range{1, 4, 3}, Domain: Range{6, 6, 6}, Bases: []string{"3/2", "2", "3"},
	Bugs: []Bug{
		{"told", "The new labels are published",
			"Each person's new label is published: “no old label is among them”."},
		{"bare", "No noise on the number",
			"The rule is random already, so the number of new yeses is published as it is."},
		{"fitted", "Only the label that fits the person",
			"A rule that is right about everybody is taken without a draw, and without noise."},
	},
	prepare: func(s setting) trial {
		m := must(classify.NewRelabelling(cuts(), s.base))
		noise := must(mechanism.NewLaplace(
			mechanism.LaplaceParams{Base: s.base, L1Sensitivity: 1}))
		claim := must(audit.ClaimOf(must(m.LossOf(must(noise.Loss(1))))))
		low, high := int64(-1), int64(s.persons+1)
		return trial{
			claim:  claim,
			limits: coin.Limits{Top: uint64(high)},
			run: func(src coin.Source, rows []int) (outcome, error) {
				given := examplesOf(rows)
				if s.bug == "fitted" && consistent(given) {
					return outcome{yeses(given)}, nil
				}
				renamed, err := m.Relabel(src, given, nil)
				if err != nil {
					return outcome{}, err
				}
				switch s.bug {
				case "told":
					o := outcome{0, 1}
					for _, e := range renamed {
						o[0], o[1] = 3*o[0], o[1]+1
						switch {
						case e.Yes:
							o[0] += 2
						case e.Point != nil:
							o[0]++
						}
					}
					return o, nil
				case "bare":
					return outcome{yeses(renamed)}, nil
				}
				noisy, err := noise.Release(src, []int64{yeses(renamed)}, nil)
				if err != nil {
					return outcome{}, err
				}
				return outcome{clamped(noisy[0], low, high)}, nil
			},
			show: func(say *message.Language, o outcome) string {
				if o[1] == 0 {
					return showClamped(o[0], low, high)
				}
				var list []string
				for code, left := o[0], o[1]-1; left > 0; code, left = code/3, left-1 {
					list = append([]string{
						say.Text([]phrase.Key{"none", "no", "yes"}[code%3])}, list...)
				}
				return strings.Join(list, ", ")
			},
		}
	},
}

// yeses returns the number of examples labelled yes.
func yeses(examples []classify.Example) (yes int64) {
	for _, e := range examples {
		if e.Yes {
			yes++
		}
	}
	return yes
}

// consistent tells whether some cut is right about every person.
func consistent(examples []classify.Example) bool {
	for _, no := range examples {
		for _, yes := range examples {
			if no.Point != nil && !no.Yes && yes.Yes && no.Point[0] <= yes.Point[0] {
				return false
			}
		}
	}
	return true
}
