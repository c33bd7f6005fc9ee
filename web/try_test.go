package web

import (
	"testing"

	"hush/core/ask"
)

// TestTryTravels: what is ticked and typed becomes parameters of the recipe, and comes back from one.
func TestTryTravels(t *testing.T) {
	m := NewModel()
	m.Question.Task = "density"
	method := m.tunable()[0]
	if method.Name != "method" {
		t.Fatalf("the first parameter to tune is %s", method.Name)
	}
	m.Question.Params[paramTry] = "16"
	if _, has := m.Recipe().Params[paramTry]; has {
		t.Error("a number of combinations travels without any value to try")
	}
	m.Question.try(method, "histogram", true)
	m.Question.try(method, "merr", true)
	m.Question.try(method, "tree", true)
	m.Question.try(method, "tree", false)
	m.Question.Params[ask.TryName("pieces")] = " 5 to 9 "
	params := m.Recipe().Params
	if params["try-method"] != "merr, histogram" || params["try-pieces"] != "5 to 9" || params[paramTry] != "16" {
		t.Errorf("%q", params)
	}
	m.Question.Task = "mean"
	if params := m.Recipe().Params; len(params) != 0 {
		t.Errorf("a mean has nothing to tune: %q", params)
	}
}
