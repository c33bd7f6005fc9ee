package query

import (
	"testing"

	"hush/core/internal/audittest"
	"hush/core/privacy"
)

// splitting is the part of Pieces that tests, whose loss is SplitLoss.
type splitting struct{ *Pieces }

func (s splitting) Loss(d privacy.Distance) (privacy.Loss, error) { return s.SplitLoss(d) }

func TestReleasesInGroups(t *testing.T) {
	learner := must(NewExhaustive(LearnerParams{Epsilon: epsilon("1"), Width: 3}))
	audittest.InGroups(t, "boosting", must(NewBoosting(BoostingParams{Learner: learner,
		Epsilon: epsilon("1"), Gap: rat(1, 50), Rounds: 40})))
	audittest.InGroups(t, "local", must(NewLocal(LocalParams{Base: base(3, 1)})))
	audittest.InGroups(t, "a released rule", releasedRule())
	audittest.InGroups(t, "tests of pieces", splitting{must(NewPieces(PiecesParams{
		Epsilon: epsilon("1"), Delta: delta("1e-6"), Most: 3, Threshold: rat(1, 4),
		Workloads: []Workload{OfWidth(1)}}))})
	audittest.InGroups(t, "residuals", must(NewResiduals(ResidualsParams{Epsilon: epsilon("1"),
		Delta: delta("1e-6"), Columns: categorical(2, 3, 4, 2), Margins: margins(4, 2)})))
}
