package task_test

import (
	"errors"
	"maps"
	"math/big"
	"testing"

	"hush/core/ask"
	"hush/core/param"
	"hush/core/privacy"
	"hush/core/task"
)

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
