package asking_test

import (
	"slices"
	"strings"
	"testing"

	"hush/core/domain"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestGroupsAreFoundFromTheForm: the form's fields reach the recipe and come back, and what core
// refuses stands at its field.
func TestGroupsAreFoundFromTheForm(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Question.Edit("", func(q *form.Question) { q.Task, q.Group = "mean", 3 })
	lacks, kinds := m.Question.Lacks()
	if !strings.Contains(m.Question.Missing(), "Describe district first") || lacks != 3 ||
		!slices.Equal(kinds, []domain.Kind{domain.Category}) {
		t.Errorf("no list of groups is missed: %q", m.Question.Missing())
	}
	m.Question.Edit("", func(q *form.Question) { q.Find, q.FindShare = true, " 40 % " })
	f.Settle()
	if r := m.Question.Recipe(); r.Group == nil || r.Group.Find == nil ||
		r.Group.Find.Share != 40 ||
		r.Group.Names != nil || !m.Forecast.Priced() {
		t.Fatalf("the recipe is %s (%+v)", engine.Encode(m.Question.Recipe()), m.Forecast.Failure)
	}
	want := engine.Encode(m.Question.Recipe())
	if m.Saved.Adopt(m.Question.Recipe()); engine.Encode(m.Question.Recipe()) != want {
		t.Errorf("it comes back as\n%s\nwant\n%s", engine.Encode(m.Question.Recipe()), want)
	}
	f.Settle()
	for field, change := range map[string]func(*form.Question){
		"findShare": func(q *form.Question) { q.FindShare = "half" },
		"findDelta": func(q *form.Question) { q.FindShare, q.FindDelta = "50", "0.1" },
	} {
		m.Question.Edit("", change)
		f.Settle()
		if m.Forecast.Fault(field) == "" {
			t.Errorf("no fault at %s: %+v", field, m.Forecast.Failure)
		}
		m.Question.Undo()
		f.Settle()
	}
	m.Answer.Run()
	f.Settle()
	if e, ok := m.Answer.Result.Answer.Result.(*task.Estimates); !ok || !e.Found ||
		len(e.Rows) < 2 || m.Data.Account.Delta == "0" {
		t.Errorf("released: %+v, ledger δ %s", m.Answer.Shown, m.Data.Account.Delta)
	}
}

// TestGroupsOfAColumn: the groups are the public list of the column that was chosen, and of no
// other one.
func TestGroupsOfAColumn(t *testing.T) {
	m, f := webtest.Asked(t)
	webtest.DescribeList(m, 3, "Hill", "Mill")
	webtest.DescribeList(m, 4, "eyes", "heart")
	m.Question.ChooseTask("mean")
	m.Question.ChooseGroup(3)
	f.Settle()
	if r := m.Question.Recipe(); !slices.Equal(r.Group.Names, []string{"Hill", "Mill"}) ||
		!m.Forecast.Priced() {
		t.Fatalf("%+v, %+v", r.Group, m.Forecast.Failure)
	}
	m.Question.ChooseGroup(4)
	if r := m.Question.Recipe(); !slices.Equal(r.Group.Names, []string{"eyes", "heart"}) {
		t.Errorf("%+v", r.Group)
	}
	m.Question.ChooseGroup(5)
	if m.Question.Missing() == "" || m.Question.Recipe().Group.Names != nil {
		t.Errorf("a column without a list has the groups %q", m.Question.Recipe().Group.Names)
	}
}
