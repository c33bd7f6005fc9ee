package task

import (
	"fmt"
	"maps"
	"math/big"
	"testing"

	"hush/core/ask"
	"hush/core/privacy"
	"hush/core/table"
)

// TestSoughtRunPaysItsScore: a run of a search for a good enough answer costs its answer and its
// score together, all that it may and no more.
func TestSoughtRunPaysItsScore(t *testing.T) {
	r := ask.Recipe{Version: ask.RecipeVersion, Task: "distribution", Column: 1, Epsilon: "60",
		Domain: hundredDomain,
		Params: ask.Params{"try-method": "hierarchy, sparse, each",
			ask.ParamGood: "search 12000"}}
	_, p, err := ask.Prepare(All{}, r, 400)
	if err != nil {
		t.Fatal(err)
	}
	tried := p.(*tuned)
	run, score := tried.each.Rat(), tried.noise.Rat()
	if one, _ := tried.one.Epsilon(); one.Cmp(run) != 0 ||
		new(big.Rat).Mul(score, big.NewRat(4, 1)).Cmp(run) != 0 {
		t.Errorf("a run may cost %v, costs %v, its score %v", run, one, score)
	}
}

// TestRuleAfterVotesHasHalf: where votes come before a rule, the forecasts of both are for half of
// ε each, as they are planned.
func TestRuleAfterVotesHasHalf(t *testing.T) {
	r := lessonOf(classifyTask).Recipe
	r.Version, r.Task, r.Epsilon = ask.RecipeVersion, "classify", "4"
	r.Params = maps.Clone(r.Params)
	r.Params[paramRelease], r.Params[ask.ParamDelta] = releaseBoth, "1e-8"
	_, p, err := ask.Prepare(All{}, r, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	c, two := p.(*labelling), big.NewRat(2, 1)
	if e, _ := must(c.rule.Loss(1)).Epsilon(); e.Cmp(two) != 0 ||
		c.voting.Epsilon.Rat().Cmp(two) != 0 {
		t.Errorf("of ε = 4 the votes have %v, the rule %v", c.voting.Epsilon, e)
	}
}

// TestPersonsNoiseCostsWhatIsGranted: Gaussian noise made for a person's groups costs a person what
// was granted, and hardly less.
func TestPersonsNoiseCostsWhatIsGranted(t *testing.T) {
	var names []string
	for i := range 100 {
		names = append(names, fmt.Sprint(i))
	}
	r := with(ask.Recipe{Version: ask.RecipeVersion, Task: "count", Person: 1, Epsilon: "1",
		Column: 3, Domain: xy,
		Params: ask.Params{ask.ParamDelta: "1e-6"},
		Group:  &ask.Group{Column: 2, Names: names}}, table.Use{Rows: 1, Groups: 40, Column: 2})
	plan := must(ask.Price(nil, All{}, r, 10_000))
	granted := privacy.ApproximateLoss(must(privacy.ParseEpsilon("1")),
		must(privacy.ParseDelta("1e-6")))
	_, p, err := ask.Prepare(All{}, r, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	of, less, err := p.(*estimate).OfPerson()
	if err != nil || !less {
		t.Fatalf("no noise for a person: %v", err)
	}
	if e, _ := of.Epsilon(); !plan.Loss.AtMost(granted) || e.Cmp(big.NewRat(9, 10)) < 0 {
		t.Errorf("ε = 1 was granted: the plan %v, the noise %v", plan.Loss, of)
	}
}
