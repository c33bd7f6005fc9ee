package engine

import (
	"testing"

	"hush/core/ask"
	"hush/core/privacy"
)

// several is a plan of two questions about the same column, of one total.
func several(r ask.Recipe) ask.Several {
	median := r
	median.Task = "median"
	return ask.Several{Parts: []ask.Part{{Recipe: r}, {Recipe: median}}, Division: ask.Evenly,
		Total: "1", Delta: "0"}
}

// TestTogether: a plan of several questions is priced from public facts, before any column is read.
func TestTogether(t *testing.T) {
	h := newHost(t, ages())
	var priced ask.Together
	h.must("together", several(question(h.open())), &priced)
	if len(priced.Plans) != 2 || priced.Epsilons[0] != priced.Epsilons[1] ||
		priced.Total.Rule != privacy.Basic || priced.Total.Loss.String() != "ε = 1" {
		t.Errorf("the plan is %+v", priced)
	}
	f := h.ask("together", ask.Several{Delta: "0"}, nil)
	if f == nil || f.Code != Refused || f.Field != "parts" {
		t.Errorf("no question: %+v, want refused at parts", f)
	}
}
