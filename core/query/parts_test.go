package query

import (
	"fmt"
	"testing"

	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// TestPartsWithinAsked: what each method costs is added up from its parts, and is never more than
// what was asked, nor much less.
func TestPartsWithinAsked(t *testing.T) {
	for _, epsilon := range []string{"0.1", "1", "8"} {
		for _, delta := range []string{"0", "1e-6"} {
			e, d := must(privacy.ParseEpsilon(epsilon)), must(privacy.ParseDelta(delta))
			check := func(name string, m mechanism.Mechanism, delta privacy.Delta) {
				t.Helper()
				audittest.InGroups(t, name, m)
				loss, asked := must(m.Loss(1)), privacy.ApproximateLoss(e, delta)
				spent, known := loss.Epsilon()
				if least := e.Part(99, 100).Rat(); !loss.AtMost(asked) || !known ||
					spent.Cmp(least) < 0 {
					t.Errorf("%s: %v where %v was asked", name, loss, asked)
				}
			}
			for _, size := range []int{1, 2, 3, 7} {
				with := fmt.Sprintf("ε = %s, δ = %s, %d: ", epsilon, delta, size)
				check(with+"MWEM", must(NewMWEM(
					MWEMParams{Epsilon: e, Delta: d, Width: 2, Rounds: size})), d)
				check(with+"oracle", must(NewOracle(
					OracleParams{Epsilon: e, Delta: d, Queries: size})), d)
				check(with+"pieces", must(NewPieces(
					PiecesParams{Epsilon: e, Delta: d, Most: size, Threshold: rat(1, 4),
						Workloads: []Workload{OfWidth(1)}})), d)
				check(with+"marginals", must(NewMarginals(
					MarginalsParams{Epsilon: e, Delta: d, Width: size})), d)
				check(with+"tables", must(NewTables(
					TablesParams{Epsilon: e, Delta: d, Width: size})), d)
				check(with+"sampled", must(NewSampled(
					SampledParams{Epsilon: e, Delta: d, Workload: OfWidth(1),
						Threshold: rat(1, 4), Updates: size, Checks: 3})), d)
				check(with+"sampled, many updates", must(NewSampled(
					SampledParams{Epsilon: e, Delta: d, Workload: OfWidth(1),
						Threshold: rat(1, 4), Updates: 100 * size, Checks: 3})), d)
				learner := LearnerParams{Epsilon: e, Width: size}
				check(with+"greedy", must(NewGreedy(learner)), privacy.Delta{})
				check(with+"exhaustive", must(NewExhaustive(learner)), privacy.Delta{})
				for _, greedy := range []bool{false, true} {
					check(with+fmt.Sprint("rule, greedy ", greedy), must(NewRuleLearner(
						RuleParams{Epsilon: e, Width: size, Greedy: greedy})), privacy.Delta{})
				}
			}
		}
	}
}
