package task_test

import (
	"errors"
	"maps"
	"math/big"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/privacy"
	"hush/core/task"
)

// TestTotalDeltaBelowOneOfN: whatever is asked, at whatever ε, of however few or many people, the
// loss of a person has a δ below 1/n, or the question is refused by a field of its form; and values
// that are tried spend no more δ than was asked. Each case is planned at two losses of ten, which
// take turns, and at the others too where one of its plans has a δ at all.
func TestTotalDeltaBelowOneOfN(t *testing.T) {
	planned, refusals := 0, 0
	losses := []string{"0.1", "1", "10", "40", "62", "63", "70", "80", "90", "100"}
	for i, v := range cases() {
		if v.Taught {
			continue // baselines promise nothing
		}
		spends := false
		at := func(epsilon string) {
			r := v.Recipe
			r.Epsilon = epsilon
			for _, n := range []int64{7, int64(v.Rows), 10_000} {
				plan, err := task.Price(nil, r, n)
				if refused := new(param.Error); errors.As(err, &refused) {
					refusals++
					continue
				}
				if err != nil {
					t.Errorf("%s, ε = %s, n = %d: %v", v.Name, epsilon, n, err)
					continue
				}
				planned++
				spends = spends || plan.Loss.Delta().Sign() > 0
				if plan.Loss.Check(uint64(n)) != nil {
					t.Errorf("%s, ε = %s, n = %d: %v", v.Name, epsilon, n, plan.Loss)
				}
			}
		}
		inTurn := func(k int) bool { return (i+k)%5 == 0 }
		for k, epsilon := range losses {
			if inTurn(k) {
				at(epsilon)
			}
		}
		for k, epsilon := range losses {
			if spends && !testing.Short() && !inTurn(k) {
				at(epsilon)
			}
		}
	}
	t.Logf("%d plans, %d refusals", planned, refusals)
	if planned < 1000 || refusals < 50 {
		t.Errorf("only %d plans and %d refusals", planned, refusals)
	}
}

// TestTuningSpendsTheDeltaAsked: three algorithms tried at n = 10⁴ cost no more δ than was asked,
// also where δ of all is more than 2⁶⁰ times that of one run.
func TestTuningSpendsTheDeltaAsked(t *testing.T) {
	asked := big.NewRat(1, 10_000_000)
	for _, epsilon := range []string{"1", "50", "62", "70", "80", "90", "100"} {
		for _, good := range []string{"", "500"} {
			plan, err := task.Price(nil, ask.Recipe{Version: ask.RecipeVersion, Task: "median",
				Column: 1, Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99999999"},
				Params: ask.Params{"try-algorithm": "exponential, treelog, search",
					"delta": "0.0000001", ask.ParamGood: good}, Epsilon: epsilon}, 10_000)
			if err != nil {
				t.Errorf("ε = %s, good enough %q: %v", epsilon, good, err)
				continue
			}
			most, _ := new(big.Rat).SetString(epsilon)
			if e, _ := plan.Loss.Epsilon(); e.Cmp(most) > 0 || plan.Loss.Delta().Sign() == 0 ||
				plan.Loss.Delta().Cmp(asked) > 0 {
				t.Errorf("ε = %s, good enough %q: %v", epsilon, good, plan.Loss)
			}
		}
	}
}

// TestTotalDeltaRefused: two δ, each below 1/n, that together reach it are refused at the field
// where one of them is, with what to do.
func TestTotalDeltaRefused(t *testing.T) {
	r := ask.Recipe{Version: ask.RecipeVersion, Task: "mean", Column: 1, Epsilon: "1",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"},
		Params: ask.Params{"delta": "0.0009"},
		Group:  &ask.Group{Column: 2, Find: &ask.Find{Share: 50, Delta: "0.0009"}}}
	_, err := task.Price(nil, r, 1000)
	refused := new(param.Error)
	if !errors.As(err, &refused) || refused.Field != "findDelta" ||
		!strings.Contains(err.Error(), "less than 1/1000 in total") ||
		!strings.Contains(err.Error(), "ask for a smaller δ") {
		t.Errorf("δ = 0.0018 of 1000 people: %v", err)
	}
	if _, err = task.Price(nil, r, 500); err != nil {
		t.Errorf("δ = 0.0018 of 500 people: %v", err)
	}
}

// TestPlannedWithinAsked: no question of the catalogue, with any of its options, costs more than
// was asked: ε, and the δ of the parameter or of the groups to be found. What it costs is added up
// from the parts that its release draws, before it is raised to the simpler number.
func TestPlannedWithinAsked(t *testing.T) {
	asked := 0
	losses := []string{"0.1", "1", "7"}
	if testing.Short() {
		losses = losses[1:2]
	}
	for _, v := range cases() {
		if v.Taught {
			continue // baselines promise nothing
		}
		for _, epsilon := range losses {
			r := v.Recipe
			r.Params = maps.Clone(r.Params)
			if r.Epsilon != "100" {
				r.Epsilon = epsilon
			} else if epsilon != "1" {
				continue
			}
			q, p, err := ask.Prepare(task.All{}, r, int64(v.Rows))
			var loss privacy.Loss
			if err == nil {
				loss, err = p.Loss()
			}
			if refused := new(param.Error); errors.As(err, &refused) {
				continue
			}
			if err != nil {
				t.Errorf("%s, ε = %s: %v", v.Name, r.Epsilon, err)
				continue
			}
			delta := new(big.Rat)
			for _, f := range q.Task.Params {
				if f.Name == ask.ParamDelta {
					allowed, err := q.AllowedDelta()
					if err != nil {
						t.Fatal(err)
					}
					delta = allowed.Rat()
				}
			}
			if r.Group != nil && r.Group.Find != nil {
				ofGroups, err := privacy.ParseDelta(r.Group.Find.Delta)
				if err != nil {
					t.Fatal(err)
				}
				delta.Add(delta, ofGroups.Rat())
			}
			most, err := privacy.NewLoss(q.Epsilon.Rat(), delta)
			if err != nil {
				t.Fatal(err)
			}
			if asked++; !loss.AtMost(most) {
				t.Errorf("%s: %v, more than was asked: %v", v.Name, loss, most)
			}
		}
	}
	if asked < 200*len(losses) {
		t.Errorf("only %d questions were planned", asked)
	}
}
