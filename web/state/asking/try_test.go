package asking_test

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
	m.Question.Form.Task = "density"
	method := m.Question.Tunable()[0]
	if method.Name != "method" {
		t.Fatalf("the first parameter to tune is %s", method.Name)
	}
	m.Question.Form.Params[form.ParamTry] = "16"
	if _, has := m.Question.Recipe().Params[form.ParamTry]; has {
		t.Error("a number of combinations travels without any value to try")
	}
	m.Question.Form.Try(method, "histogram", true)
	m.Question.Form.Try(method, "merr", true)
	m.Question.Form.Try(method, "tree", true)
	m.Question.Form.Try(method, "tree", false)
	m.Question.Form.Params[ask.TryName("pieces")] = " 5 to 9 "
	params := m.Question.Recipe().Params
	if params["try-method"] != "merr, histogram" || params["try-pieces"] != "5 to 9" ||
		params[form.ParamTry] != "16" {
		t.Errorf("%q", params)
	}
	m.Question.Form.Task = "mean"
	if params := m.Question.Recipe().Params; len(params) != 0 {
		t.Errorf("a mean has nothing to tune: %q", params)
	}
}
