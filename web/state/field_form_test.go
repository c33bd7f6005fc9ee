package state_test

import (
	"reflect"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
	"hush/web/state/form"
	"hush/web/webtest"
)

func TestFurtherColumnsInTheForm(t *testing.T) {
	m, f := webtest.WithRoles(t)
	roles := func() (list []string) {
		for _, o := range m.Question.Others {
			list = append(list, o.Role)
		}
		return list
	}
	if !reflect.DeepEqual(roles(), []string{"outcome", "feature"}) {
		t.Fatalf("the form begins with %q", roles())
	}
	if got := m.Missing(); got != "Choose a column: the outcome." {
		t.Errorf("missing: %q", got)
	}
	m.Edit("", func(q *form.Question) {
		q.Others[0].Column, q.Others[0].Domain.Categories = 4, "eyes\nheart"
	})
	m.Edit("", func(q *form.Question) { q.AddField(m.Task(), m.Task().Others[1]) })
	m.Edit("", func(q *form.Question) {
		q.Others[1].Column, q.Others[1].Domain.Lo, q.Others[1].Domain.Hi = 1, "0", "100"
	})
	if got := m.Missing(); got != "Choose a column: features." {
		t.Errorf("missing: %q", got)
	}
	m.Edit("", func(q *form.Question) {
		q.Others[2].Column, q.Others[2].Domain.NoBounds, q.Others[2].Label = 2, true, "wait"
	})
	m.Edit("others-1-cuts", func(q *form.Question) { q.Others[1].Cuts = "18, 65" })
	f.Settle()
	if m.Missing() != "" || !reflect.DeepEqual(roles(), []string{"outcome", "feature", "feature"}) {
		t.Fatalf("%q, missing: %q", roles(), m.Missing())
	}
	r := m.Recipe()
	if r.Column != 0 || r.Domain.Kind != "" || len(r.Others) != 3 ||
		!reflect.DeepEqual(r.Others[1].Cuts, []string{"18", "65"}) {
		t.Errorf("recipe %+v", r)
	}
	m.Undo()
	if m.Question.Others[1].Cuts != "" {
		t.Error("undone, and still there")
	}

	// Another task forgets them; and takes a column of a kind that it can ask about.
	m.Edit("", func(q *form.Question) { q.Task = "median" })
	if len(m.Question.Others) != 0 || m.Recipe().Others != nil || m.Recipe().Column != 1 {
		t.Errorf("%+v", m.Recipe())
	}
	m.Adopt(r)
	if again := m.Recipe(); !reflect.DeepEqual(again, r) {
		t.Errorf("the recipe comes back as %+v, want %+v", again, r)
	}
	saved := m.RecipeAddress()
	if !strings.Contains(saved, "?q=") {
		t.Error("the address does not hold the question")
	}

	// A recipe from elsewhere that does not fit the task is made to.
	r.Others = []ask.Field{{Role: "nonsense", Column: 1},
		{Role: "feature", Column: 3, Domain: domain.Spec{Kind: domain.Float64}}}
	m.Adopt(r)
	if !reflect.DeepEqual(roles(), []string{"outcome", "feature"}) ||
		m.Question.Others[1].Domain.Kind != domain.Integer {
		t.Errorf("%+v", m.Question.Others)
	}
}

func TestRepairOfAFurtherColumn(t *testing.T) {
	m, _ := webtest.WithRoles(t)
	m.Edit("", func(q *form.Question) { q.Others[1].Column = 2 })
	if err := m.Accept(table.Repair{Column: 2, Field: "missing", Value: "NA"}); err != nil {
		t.Fatal(err)
	}
	if m.Question.Others[1].Domain.Missing != "NA" || m.Question.Domain.Missing != "" {
		t.Errorf("%+v", m.Question)
	}
}
