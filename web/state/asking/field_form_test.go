package asking_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/table"
	"hush/web/state/form"
	"hush/web/state/stage"
	"hush/web/webtest"
)

func TestFurtherColumnsInTheForm(t *testing.T) {
	m, f := webtest.WithRoles(t)
	roles := func() (list []string) {
		for _, o := range m.Question.Form.Others {
			list = append(list, o.Role)
		}
		return list
	}
	if !reflect.DeepEqual(roles(), []string{"outcome", "feature"}) {
		t.Fatalf("the form begins with %q", roles())
	}
	if got := m.Question.Missing(); got != "Choose a column: the outcome." {
		t.Errorf("missing: %q", got)
	}
	webtest.DescribeList(m, 4, "eyes", "heart")
	m.Question.ChooseColumn(1, 4)
	m.Question.Edit("", func(q *form.Question) {
		q.AddField(m.Question.Task(), m.Question.Task().Others[1])
	})
	m.Question.ChooseColumn(2, 1)
	if got := m.Question.Missing(); got != "Choose a column: features." {
		t.Errorf("missing: %q", got)
	}
	m.Question.ChooseColumn(3, 2)
	if column, _ := m.Question.Lacks(); column != 2 || m.Way.Stage() != stage.Question {
		t.Fatalf("column %d is to be described, at stage %d", column, m.Way.Stage())
	}
	m.Codebook.Describe(2)
	m.Codebook.EditColumn(func(c *form.ColumnForm) { c.NoBounds, c.Name = true, "wait" })
	m.Codebook.DescribeAs(codebook.Unanswered)
	if m.Way.Stage() != stage.Question {
		t.Error("described, and the question is not back")
	}
	m.Question.Edit("others-1-cuts", func(q *form.Question) { q.Others[1].Cuts = "18, 65" })
	f.Settle()
	if m.Question.Missing() != "" ||
		!reflect.DeepEqual(roles(), []string{"outcome", "feature", "feature"}) {
		t.Fatalf("%q, missing: %q", roles(), m.Question.Missing())
	}
	r := m.Question.Recipe()
	if r.Column != 0 || r.Domain.Kind != "" || len(r.Others) != 3 ||
		!reflect.DeepEqual(r.Others[1].Cuts, []string{"18", "65"}) ||
		r.Others[1].Label != "age" || r.Others[2].Label != "wait" {
		t.Errorf("recipe %+v", r)
	}
	m.Question.Undo()
	if m.Question.Form.Others[1].Cuts != "" {
		t.Error("undone, and still there")
	}

	// Another column takes nothing of it along.
	m.Question.Edit("others-1-cuts", func(q *form.Question) { q.Others[1].Cuts = "18, 65" })
	r = m.Question.Recipe()
	m.Question.ChooseColumn(2, 2)
	if m.Question.Form.Others[1].Cuts != "" {
		t.Error("another column keeps the cuts of the last one")
	}

	// Another task forgets them; and takes a column of a kind that it can ask about.
	m.Question.ChooseTask("median")
	if len(m.Question.Form.Others) != 0 || m.Question.Recipe().Others != nil ||
		m.Question.Recipe().Column != 1 {
		t.Errorf("%+v", m.Question.Recipe())
	}
	m.Saved.Adopt(r)
	if again := m.Question.Recipe(); !reflect.DeepEqual(again, r) {
		t.Errorf("the recipe comes back as %+v, want %+v", again, r)
	}
	saved := m.Question.Address()
	if !strings.Contains(saved, "?q=") {
		t.Error("the address does not hold the question")
	}

	// A recipe from elsewhere that does not fit the task is made to.
	r.Others = []ask.Field{{Role: "nonsense", Column: 1},
		{Role: "feature", Column: 3, Domain: domain.Spec{Kind: domain.Float64}}}
	m.Saved.Adopt(r)
	if !reflect.DeepEqual(roles(), []string{"outcome", "feature"}) ||
		!strings.Contains(m.Question.Missing(), "district does not fit") {
		t.Errorf("%+v, missing %q", m.Question.Form.Others, m.Question.Missing())
	}
}

func TestRepairOfAFurtherColumn(t *testing.T) {
	m, _ := webtest.WithRoles(t)
	webtest.Describe(m, 2, "0", "300")
	m.Question.ChooseColumn(2, 2)
	err := m.Codebook.Accept(table.Repair{Column: 2, Field: "missing", Value: "NA"})
	if err != nil {
		t.Fatal(err)
	}
	two, _ := m.Codebook.Column(2)
	one, _ := m.Codebook.Column(1)
	if !slices.Equal(two.Values().Missing, []string{"NA"}) || one.Values().Missing != nil ||
		!slices.Equal(m.Question.Recipe().Others[1].Domain.Missing, []string{"NA"}) {
		t.Errorf("%+v, %+v", one, two)
	}
}

// TestAnswersThatCount: where a role takes two answers, those are chosen of the column's public
// list, and the codebook stays as it is.
func TestAnswersThatCount(t *testing.T) {
	m, _ := webtest.WithRoles(t)
	webtest.DescribeList(m, 4, "children", "eyes", "general", "heart", "injuries")
	m.Question.ChooseColumn(1, 4)
	m.Question.ChooseColumn(2, 1)
	if !m.Question.Picks(1) || !strings.Contains(m.Question.Missing(), "answers that count") {
		t.Fatalf("missing: %q", m.Question.Missing())
	}
	m.Question.Edit("", func(q *form.Question) {
		q.Other(1).Pick(0, "heart", 2)
		q.Other(1).Pick(1, "eyes", 2)
	})
	r := m.Question.Recipe()
	if only := r.Others[0].Domain.Categories; m.Question.Missing() != "" ||
		!slices.Equal(only, []string{"heart", "eyes"}) {
		t.Fatalf("missing %q, %+v", m.Question.Missing(), r.Others[0])
	}
	m.Saved.Adopt(r)
	c, _ := m.Codebook.Column(4)
	if again := m.Question.Recipe(); !reflect.DeepEqual(again, r) ||
		len(c.Values().Categories) != 5 {
		t.Errorf("it comes back as %+v, and the codebook has %+v", again, c.Values())
	}
}
