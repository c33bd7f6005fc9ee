package web

import (
	"reflect"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
)

// withRoles is a model that has a made-up task of several columns beside the catalogue's.
func withRoles(t *testing.T) (*Model, *fakeEngine) {
	m, f := asked(t)
	m.Tasks = append(m.Tasks, ask.Task{ID: "made-up", Title: "Made up", Others: []ask.Role{
		{Name: "outcome", Label: "the outcome", Help: "Yes or no.", Domains: []domain.Kind{domain.Category}, Min: 1, Max: 1, Values: 2},
		{Name: "feature", Label: "features", Help: "What may tell them apart.", Domains: []domain.Kind{domain.Integer, domain.Category}, Min: 1, Max: 3, Cuts: true},
	}, Params: []ask.Param{{Name: "algorithm", Label: "Algorithm", Kind: ask.Chosen, Default: "auto", Choices: []ask.Choice{{Value: "auto", Label: "the best"}, {Value: "tree", Label: "a tree"}}},
		{Name: "depth", Label: "Depth", Kind: ask.Integer, Default: "3", Min: 1, Max: 9}}})
	m.Edit("", func(q *Question) { q.Task = "made-up" })
	f.settle()
	return m, f
}

func TestFurtherColumnsInTheForm(t *testing.T) {
	m, f := withRoles(t)
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
	m.Edit("", func(q *Question) { q.Others[0].Column, q.Others[0].Domain.Categories = 4, "eyes\nheart" })
	m.Edit("", func(q *Question) { q.addField(m.Task(), m.Task().Others[1]) })
	m.Edit("", func(q *Question) { q.Others[1].Column, q.Others[1].Domain.Lo, q.Others[1].Domain.Hi = 1, "0", "100" })
	if got := m.Missing(); got != "Choose a column: features." {
		t.Errorf("missing: %q", got)
	}
	m.Edit("", func(q *Question) {
		q.Others[2].Column, q.Others[2].Domain.NoBounds, q.Others[2].Label = 2, true, "wait"
	})
	m.Edit("others-1-cuts", func(q *Question) { q.Others[1].Cuts = "18, 65" })
	f.settle()
	if m.Missing() != "" || !reflect.DeepEqual(roles(), []string{"outcome", "feature", "feature"}) {
		t.Fatalf("%q, missing: %q", roles(), m.Missing())
	}
	r := m.Recipe()
	if r.Column != 0 || r.Domain.Kind != "" || len(r.Others) != 3 || !reflect.DeepEqual(r.Others[1].Cuts, []string{"18", "65"}) {
		t.Errorf("recipe %+v", r)
	}
	m.Undo()
	if m.Question.Others[1].Cuts != "" {
		t.Error("undone, and still there")
	}

	// Another task forgets them; and takes a column of a kind that it can ask about.
	m.Edit("", func(q *Question) { q.Task = "median" })
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
	r.Others = []ask.Field{{Role: "nonsense", Column: 1}, {Role: "feature", Column: 3, Domain: domain.Spec{Kind: domain.Float64}}}
	m.Adopt(r)
	if !reflect.DeepEqual(roles(), []string{"outcome", "feature"}) || m.Question.Others[1].Domain.Kind != domain.Integer {
		t.Errorf("%+v", m.Question.Others)
	}
}

func TestRepairOfAFurtherColumn(t *testing.T) {
	m, _ := withRoles(t)
	m.Edit("", func(q *Question) { q.Others[1].Column = 2 })
	if err := m.Accept(table.Repair{Column: 2, Field: "missing", Value: "NA"}); err != nil {
		t.Fatal(err)
	}
	if m.Question.Others[1].Domain.Missing != "NA" || m.Question.Domain.Missing != "" {
		t.Errorf("%+v", m.Question)
	}
}

func TestFurtherColumnsDrawn(t *testing.T) {
	m, _ := withRoles(t)
	m.Edit("", func(q *Question) { q.Others[0].Column, q.Others[1].Column = 4, 1 })
	m.Edit("", func(q *Question) { q.addField(m.Task(), m.Task().Others[1]) })
	m.Forecast.Failure = failure([]byte(`{"field":"others.1.lo","want":"a number"}`))
	golden(t, "page-roles.html", inOrder(app.HTMLString(&QuestionStep{Model: m})))
}

// TestTooLongNamesAreNotOffered: what would be refused as a published name is not proposed.
func TestTooLongNamesAreNotOffered(t *testing.T) {
	for length, want := range map[int]bool{ask.MaxLabel: true, ask.MaxLabel + 1: false} {
		m := exhibit(func(m *Model) { m.Data.Opened.Fields[0].Name = strings.Repeat("x", length) })
		shown := app.HTMLString((&ColumnFields{Model: m}).label())
		if strings.Contains(shown, "use-name") != want || strings.Contains(shown, "is not offered") == want {
			t.Errorf("a name of %d bytes: %s", length, shown)
		}
	}
}
