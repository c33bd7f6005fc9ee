package state_test

import (
	"slices"
	"strings"
	"testing"

	"hush/core/task"
	"hush/web/engine"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestGroupsAreFoundFromTheForm: the form's fields reach the recipe and come back, and what core
// refuses stands at its field.
func TestGroupsAreFoundFromTheForm(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Edit("", func(q *form.Question) { q.Task, q.Group = "mean", 3 })
	if !strings.Contains(m.Missing(), "Describe district first") || m.Lacks() != 3 {
		t.Errorf("no list of groups is missed: %q", m.Missing())
	}
	m.Edit("", func(q *form.Question) { q.Find, q.FindShare = true, " 40 % " })
	f.Settle()
	if r := m.Recipe(); r.Group == nil || r.Group.Find == nil || r.Group.Find.Share != 40 ||
		r.Group.Names != nil || !m.Priced() {
		t.Fatalf("the recipe is %s (%+v)", engine.Encode(m.Recipe()), m.Forecast.Failure)
	}
	want := engine.Encode(m.Recipe())
	if m.Adopt(m.Recipe()); engine.Encode(m.Recipe()) != want {
		t.Errorf("it comes back as\n%s\nwant\n%s", engine.Encode(m.Recipe()), want)
	}
	f.Settle()
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
		len(e.Rows) < 2 || m.Data.Account.Delta == "0" {
		t.Errorf("released: %+v, ledger δ %s", m.Release, m.Data.Account.Delta)
	}
}

// TestGroupsOfAColumn: the groups are the public list of the column that was chosen, and of no
// other one.
func TestGroupsOfAColumn(t *testing.T) {
	m, f := webtest.Asked(t)
	webtest.DescribeList(m, 3, "Hill", "Mill")
	webtest.DescribeList(m, 4, "eyes", "heart")
	m.ChooseTask("mean")
	m.ChooseGroup(3)
	f.Settle()
	if r := m.Recipe(); !slices.Equal(r.Group.Names, []string{"Hill", "Mill"}) || !m.Priced() {
		t.Fatalf("%+v, %+v", r.Group, m.Forecast.Failure)
	}
	m.ChooseGroup(4)
	if r := m.Recipe(); !slices.Equal(r.Group.Names, []string{"eyes", "heart"}) {
		t.Errorf("%+v", r.Group)
	}
	m.ChooseGroup(5)
	if m.Missing() == "" || m.Recipe().Group.Names != nil {
		t.Errorf("a column without a list has the groups %q", m.Recipe().Group.Names)
	}
}
