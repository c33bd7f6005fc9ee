package task

import (
	"maps"
	"math/big"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
)

// TestMeasuringAddsNoDelta: what measures the error of an answer to persons with several rows has
// no δ, and makes that of the answer no larger: a plan states no more δ than was allowed. (Grouped
// together with the answer's, it made it 5 times as large at ε = 10.)
func TestMeasuringAddsNoDelta(t *testing.T) {
	wide := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1000000000"}
	allowed := big.NewRat(1, 1_000_000_000)
	for _, test := range []struct {
		id, epsilon string
		params      ask.Params
	}{
		{"median", "1", ask.Params{paramAlgorithm: "treelog"}},
		{"median", "10", ask.Params{paramAlgorithm: "heavypaths"}},
		{"quantiles", "1", ask.Params{paramAlgorithm: "treelog"}},
		{"quantiles", "10", ask.Params{paramAlgorithm: "treelog"}},
		{"median", "10", ask.Params{paramAlgorithm: "treelog", paramStated: spanned}},
		{"distribution", "10", ask.Params{paramMethod: methodTree}},
		{"density", "10", ask.Params{paramMethod: "capped"}},
	} {
		params := ask.Params{ask.ParamDelta: "1e-9", paramStated: given}
		maps.Copy(params, test.params)
		r := with(ask.Recipe{Version: ask.RecipeVersion, Task: test.id, Person: 1,
			Epsilon: test.epsilon, Column: 3, Domain: wide, Params: params},
			table.Use{Rows: 3})
		plan, err := ask.Price(nil, All{}, r, 1_000_000)
		switch {
		case err != nil:
			t.Error(test.id, err)
		default:
			have, _ := new(big.Rat).Quo(plan.Loss.Delta(), allowed).Float64()
			if have > 1 || have < .8 {
				t.Errorf("%s, ε = %s: the plan states %.3g times the δ allowed", test.id,
					test.epsilon, have)
			}
		}
	}
}
