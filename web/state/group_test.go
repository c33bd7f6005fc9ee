package state_test

import (
	"strings"
	"testing"

	"hush/core/task"
	"hush/web/engine"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestGroupsAreFoundFromTheForm: the form's fields reach the recipe and come back, and what core
// refuses stands at its field.
func TestGroupsAreFoundFromTheForm(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Edit("", func(q *form.Question) { q.Task, q.Group = "mean", 3 })
	if !strings.Contains(m.Missing(), "groups") {
		t.Errorf("no list of groups is missed: %q", m.Missing())
	}
	m.Edit("", func(q *form.Question) { q.Find, q.FindShare = true, " 40 % " })
	f.Settle()
	if r := m.Recipe(); r.Group == nil || r.Group.Find == nil || r.Group.Find.Share != 40 ||
		r.Group.Names != nil || !m.Priced() {
		t.Fatalf("the recipe is %s (%+v)", engine.Encode(m.Recipe()), m.Forecast.Failure)
	}
	if got := engine.Encode((&state.Publish{Tasks: m.Tasks, Question: m.QuestionOf(m.Recipe())}).
		Recipe()); got != engine.Encode(m.Recipe()) {
		t.Errorf("it comes back as\n%s\nwant\n%s", got, engine.Encode(m.Recipe()))
	}
	for field, change := range map[string]func(*form.Question){
		"findShare": func(q *form.Question) { q.FindShare = "half" },
		"findDelta": func(q *form.Question) { q.FindShare, q.FindDelta = "50", "0.1" },
	} {
		m.Edit("", change)
		f.Settle()
		if m.Fault(field) == "" {
			t.Errorf("no fault at %s: %+v", field, m.Forecast.Failure)
		}
		m.Undo()
		f.Settle()
	}
	m.Run()
	f.Settle()
	if e, ok := m.Release.Result.Answer.Result.(*task.Estimates); !ok || !e.Found ||
		len(e.Rows) < 2 || m.Account.Delta == "0" {
		t.Errorf("released: %+v, ledger δ %s", m.Release, m.Account.Delta)
	}
}
