package mechanism

import (
	"testing"

	"hush/core/internal/audittest"
	"hush/core/privacy"
)

func TestSparseVectorInGroups(t *testing.T) {
	r := base(3, 2)
	audittest.InGroups(t, "sparse vector", must(NewAboveThreshold(AboveThresholdParams{
		BaseThreshold: r, BaseQueries: r, Sensitivity: 4})))
}

// TestStatedIsMetered: a release debits to the meter the loss that it states.
func TestStatedIsMetered(t *testing.T) {
	r := base(3, 2)
	clipped := must(NewClippedThreshold(ClippedThresholdParams{Cap: 100, Delta: delta("1/1000"),
		AboveThresholdParams: AboveThresholdParams{BaseThreshold: r, BaseQueries: r,
			Sensitivity: 1}}))
	groups := must(NewStabilityHistogram(StabilityHistogramParams{Base: r, Delta: delta("1/1000"),
		Groups: 3}))
	for name, c := range map[string]struct {
		m    Mechanism
		told privacy.Loss
	}{"clipped sparse vector": {clipped, clipped.slip.Loss},
		"stability histogram": {groups, groups.spend.Person.Loss}} {
		if stated := must(c.m.Loss(1)); !stated.AtMost(c.told) || !c.told.AtMost(stated) {
			t.Errorf("%s states %v and debits %v", name, stated, c.told)
		}
	}
}
