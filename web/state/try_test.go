package state_test

import (
	"testing"

	"hush/core/ask"
	"hush/web/state"
	"hush/web/state/form"
)

// TestTryTravels: what is ticked and typed becomes parameters of the recipe, and comes back from
// one.
func TestTryTravels(t *testing.T) {
	m := state.NewModel()
	m.Question.Task = "density"
	method := m.Tunable()[0]
	if method.Name != "method" {
		t.Fatalf("the first parameter to tune is %s", method.Name)
	}
	m.Question.Params[form.ParamTry] = "16"
	if _, has := m.Recipe().Params[form.ParamTry]; has {
		t.Error("a number of combinations travels without any value to try")
	}
	m.Question.Try(method, "histogram", true)
	m.Question.Try(method, "merr", true)
	m.Question.Try(method, "tree", true)
	m.Question.Try(method, "tree", false)
	m.Question.Params[ask.TryName("pieces")] = " 5 to 9 "
	params := m.Recipe().Params
	if params["try-method"] != "merr, histogram" || params["try-pieces"] != "5 to 9" ||
		params[form.ParamTry] != "16" {
		t.Errorf("%q", params)
	}
	m.Question.Task = "mean"
	if params := m.Recipe().Params; len(params) != 0 {
		t.Errorf("a mean has nothing to tune: %q", params)
	}
}
