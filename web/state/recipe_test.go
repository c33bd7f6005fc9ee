package state_test

import (
	"strings"
	"testing"

	"hush/core/codebook"
	"hush/web/engine"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestRecipeComesBack: by address and by text a recipe restores every field, on a page that has
// seen nothing yet.
func TestRecipeComesBack(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Describe(1)
	m.EditColumn(func(c *form.ColumnForm) {
		c.Name, c.Unit, c.Missing, c.Clamp = "years", "a", "NA, -", true
	})
	m.DescribeAs(codebook.Unanswered)
	m.EditBook("", func(b *form.BookForm) {
		*b = form.BookForm{Name: "Visits", Source: "A clinic", One: "patient", Many: "patients",
			Each: codebook.Counted, Column: 5}
	})
	m.Edit("", func(q *form.Question) {
		q.Epsilon = "0.25"
		q.Filter = []form.ConditionForm{{Column: 3, Test: form.TestNoneOf, List: "Hill\nMill"},
			{Column: 2, Test: form.TestNumbers, From: "1"}}
		q.Params["width"] = "20"
	})
	f.Settle()
	want, text, address := engine.Encode(m.Recipe()), m.RecipeText(), f.Addressed
	if !strings.Contains(address, "?q=") || strings.Contains(address, "clinic") {
		t.Fatalf("the address is %q", address)
	}
	for name, bring := range map[string]func(m *state.Model){
		"address": func(m *state.Model) { m.Go(address) },
		"text":    func(m *state.Model) { m.AdoptText(text) },
		"release": func(m *state.Model) { m.AdoptText(`{"version":1,"recipe":` + text + `}`) },
	} {
		t.Run(name, func(t *testing.T) {
			m, f := webtest.Started(t)
			bring(m)
			if m.Waiting == nil {
				t.Fatalf("no recipe waits: %s", m.RecipeFault)
			}
			m.Open(webtest.FakeFile("clinic.csv"))
			f.Settle()
			if got := engine.Encode(m.Recipe()); got != want {
				t.Errorf("it came back as\n%s\nwant\n%s", got, want)
			}
			if m.Forecast.Failure != nil && m.Forecast.Failure.Code != engine.Refused {
				t.Errorf("not priced: %+v", m.Forecast.Failure)
			}
		})
	}
}

func TestBrokenRecipesAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":       "hello",
		"cut off":       `{"version":1,"task":"hist`,
		"other version": `{"version":7,"task":"histogram"}`,
		"unknown task":  `{"version":1,"task":"oracle"}`,
		"unknown field": `{"version":1,"task":"median","secret":1}`,
		"a list":        `[1,2]`,
	} {
		m, _ := webtest.Started(t)
		before := engine.Encode(m.Recipe())
		m.AdoptText(text)
		if m.RecipeFault == "" || m.Waiting != nil || engine.Encode(m.Recipe()) != before {
			t.Errorf("%s: fault %q", name, m.RecipeFault)
		}
	}
	m, _ := webtest.Started(t)
	if m.Go("/?q=***"); m.RecipeFault == "" {
		t.Error("a broken address is not told")
	}
}

func FuzzReadRecipe(f *testing.F) {
	f.Add(`{"version":1,"task":"histogram","table":{},"column":1,"domain":{"kind":"integer"},"epsilon":"1"}`)
	f.Add("{}")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := form.ReadRecipe(text)
		if err != nil {
			return
		}
		again, err := form.ReadRecipe(engine.Encode(r))
		if err != nil || engine.Encode(again) != engine.Encode(r) {
			t.Errorf("%q is not stable: %v", text, err)
		}
		state.NewModel().QuestionOf(r)
	})
}
