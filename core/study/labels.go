package study

import (
	"math"

	"hush/core/classify"
	"hush/core/coin"
	"hush/core/privacy"
)

const (
	labelValues = 1000 // by how much the chance of a yes rises, evenly, from 1/10 to 9/10
	labelCases  = 20
	labelPeople = 100_000 // as the cases grow
	ruleRuns    = 10
	voteRuns    = 3
)

var four = must(privacy.ParseEpsilon("4"))

var labels = Study{
	ID: "labels", Source: "Nandi, Bassily 2019",
	Title: "Labels for new cases, from people with some wrong labels",
	Asked: "How many new cases can private data label, where no rule fits all the people?",
	Found: "About as many as with labels that fit. One rule, chosen privately, relabels the " +
		"people, who then agree with it; many rules, each learned from other people, vote on " +
		"each case. Cases on which they agree are nearly free; only close votes use up privacy.",
	Simple: "A published rule, chosen by the exponential mechanism, needs thousands of times " +
		"fewer people, and labels any number of cases. Votes are for rules that must stay secret " +
		"or cannot be listed; with fewer than about 100 000 people they refuse.",
	Least: "The paper proves no lower bound of its own, and none with known constants is drawn.",
	Made: "Made-up people with a value from 0 to 999; the chance of a yes rises from 1 to 9 in " +
		"10, so no rule fits. 20 cases, or 100 000 people where the number of cases grows. Each " +
		"point is the mean of 10 rules, or of 3 votes. ε = 4, δ = 10⁻⁸.",
	Y: "more mistakes than the best rule, %",
	Lines: []Line{
		{"a rule, proved", Bound, -1},
		{"a rule, measured", Measured, 0},
		{"votes of relabelled people, proved", Bound, -1},
		{"votes of relabelled people, measured", Measured, 2},
	},
	Axis: Axis{"people", []int{100, 1000, 10_000, labelPeople, 200_000}, labelsOfPeople},
	More: []Axis{{"cases", []int{1, 5, 20, 40}, labelsOfCases}},
	Task: "classify", Params: map[string]string{"release": "labels"},
	Films: []string{"votes", "relabelling"},
}

func labelsOfPeople(n int, seed coin.Seed, tell func(float64) error) ([]float64, error) {
	return measureLabels(n, labelCases, seed, tell)
}

func labelsOfCases(count int, seed coin.Seed, tell func(float64) error) ([]float64, error) {
	return measureLabels(labelPeople, count, seed, tell)
}

func measureLabels(n, count int, seed coin.Seed, tell func(float64) error) ([]float64, error) {
	class := must(classify.NewStumps(
		classify.StumpsParams{Sizes: []uint64{labelValues}, Direction: classify.Above}))
	var anchors, cases []classify.Point
	for x := range uint64(labelValues) {
		anchors = append(anchors, classify.Point{x})
		if x%uint64(labelValues/count) == 0 {
			cases = append(cases, classify.Point{x})
		}
	}
	dice := coin.NewSeeded(13) // the same people for every seed
	examples := make([]classify.Example, n)
	for i := range examples {
		x := dice.Uniform(labelValues)
		examples[i] = classify.Example{Point: classify.Point{x},
			Yes: dice.Uniform(10*labelValues) < labelValues+8*x}
	}
	rule := must(classify.NewSemiPrivate(
		classify.SemiPrivateParams{Class: class, Anchors: anchors, Epsilon: four}))
	bound := 100 * min(rule.ErrorBound(beta)/float64(n), 1)
	best := fewestMistakes(examples)
	more := 0.0
	for run := range coin.Seed(ruleRuns) {
		if err := tell(float64(run) / (2 * ruleRuns)); err != nil {
			return nil, err
		}
		found, err := rule.Learn(coin.NewSeeded(ruleRuns*seed+run), examples, nil)
		if err != nil {
			return nil, err
		}
		more += 100 * float64(mistakes(found, examples)-best) / float64(n) / ruleRuns
	}
	lines := []float64{bound, more, None, None}
	votes, err := classify.NewAnswers(classify.AnswersParams{Class: class, Epsilon: four,
		Delta: must(privacy.ParseDelta("0.00000001")), Persons: uint64(n),
		Queries: uint64(count)})
	if err != nil {
		return lines, nil // so few people cannot teach this many answers
	}
	lines[2], lines[3] = 100*votes.Forecast().Excess(), 0
	for run := range coin.Seed(voteRuns) {
		if err := tell(0.5 + float64(run)/(2*voteRuns)); err != nil {
			return nil, err
		}
		ballot, err := votes.Start(coin.NewSeeded(voteRuns*seed+run), examples, nil)
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			lines[3] += 100 * lost(ballot, c) / float64(voteRuns*count)
		}
	}
	return lines, nil
}

// lost returns how much likelier a case's label is wrong than the best rule's; 1 where there is no
// label, for example because the unstable ones are used up.
func lost(b *classify.Ballot, c classify.Point) float64 {
	answer, err := b.Answer(c)
	switch {
	case err != nil || !answer.Stable:
		return 1
	case answer.Yes == (c[0] >= labelValues/2):
		return 0
	}
	return 2 * math.Abs(0.5-(0.1+0.8*float64(c[0])/labelValues))
}

// mistakes counts the people whose label a rule gets wrong.
func mistakes(r classify.Rule, examples []classify.Example) (wrong int) {
	for _, e := range examples {
		if r.Says(e.Point) != e.Yes {
			wrong++
		}
	}
	return wrong
}

// fewestMistakes returns the number of mistakes of the best cut.
func fewestMistakes(examples []classify.Example) int {
	var yes, no [labelValues]int
	wrong := 0 // of the cut below all values, which says yes to everybody
	for _, e := range examples {
		if e.Yes {
			yes[e.Point[0]]++
		} else {
			no[e.Point[0]]++
			wrong++
		}
	}
	fewest := math.MaxInt
	for x := range labelValues {
		fewest = min(fewest, wrong)
		wrong += yes[x] - no[x]
	}
	return min(fewest, wrong)
}
