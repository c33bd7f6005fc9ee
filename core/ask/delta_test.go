package ask

import (
	"testing"

	"hush/core/privacy"
)

// TestDelta: a δ of 1/n is refused, and each of many runs gets a share of the recipe's δ.
func TestDelta(t *testing.T) {
	task := &Task{Params: []Param{AllowedDeltaParam}}
	q := &Query{Task: task, Recipe: Recipe{Params: Params{ParamDelta: "0.01"}}, People: 100}
	if delta, err := q.Delta(); err == nil {
		t.Errorf("among 100 people δ = %v is taken", delta)
	}
	q.People = 99
	if delta, err := q.Delta(); err != nil || delta.String() != "0.01" {
		t.Errorf("among 99 people: δ = %v, %v", delta, err)
	}
	share, err := privacy.ParseDelta("1e-9")
	if err != nil {
		t.Fatal(err)
	}
	q.Shared = &share
	if delta, err := q.AllowedDelta(); err != nil || delta.Cmp(share) != 0 {
		t.Errorf("a run has δ = %v, %v, where its share is %v", delta, err, share)
	}
}
