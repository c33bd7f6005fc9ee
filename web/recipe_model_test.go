package web

import (
	"strings"
	"testing"

	"hush/web/engine"
)

// TestRecipeComesBack: by address and by text a recipe restores every field, on a page that has seen nothing yet.
func TestRecipeComesBack(t *testing.T) {
	m, f := asked(t)
	m.Edit("", func(q *Question) {
		q.Who, q.WhoColumn, q.Label, q.Epsilon = Counts, 5, "years", "0.25"
		q.Filter = []ConditionForm{{Column: 3, Test: TestNoneOf, List: "Hill\nMill"}, {Column: 2, Test: TestNumbers, From: "1"}}
		q.Domain.Missing, q.Domain.Clamp, q.Params["width"] = "NA, -", true, "20"
	})
	f.settle()
	want, text, address := encode(m.Recipe()), m.RecipeText(), f.address
	if !strings.Contains(address, "?q=") || strings.Contains(address, "clinic") {
		t.Fatalf("the address is %q", address)
	}
	for name, bring := range map[string]func(m *Model){
		"address": func(m *Model) { m.Go(address) },
		"text":    func(m *Model) { m.AdoptText(text) },
		"release": func(m *Model) { m.AdoptText(`{"version":1,"recipe":` + text + `}`) },
	} {
		t.Run(name, func(t *testing.T) {
			m, f := started(t)
			bring(m)
			if m.Waiting == nil {
				t.Fatalf("no recipe waits: %s", m.RecipeFault)
			}
			m.Open(fakeFile("clinic.csv"))
			f.settle()
			if got := encode(m.Recipe()); got != want {
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
		m, _ := started(t)
		before := encode(m.Recipe())
		m.AdoptText(text)
		if m.RecipeFault == "" || m.Waiting != nil || encode(m.Recipe()) != before {
			t.Errorf("%s: fault %q", name, m.RecipeFault)
		}
	}
	m, _ := started(t)
	if m.Go("/?q=***"); m.RecipeFault == "" {
		t.Error("a broken address is not told")
	}
}

func FuzzReadRecipe(f *testing.F) {
	f.Add(`{"version":1,"task":"histogram","table":{},"column":1,"domain":{"kind":"integer"},"epsilon":"1"}`)
	f.Add("{}")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ReadRecipe(text)
		if err != nil {
			return
		}
		again, err := ReadRecipe(encode(r))
		if err != nil || encode(again) != encode(r) {
			t.Errorf("%q is not stable: %v", text, err)
		}
		NewModel().questionOf(r)
	})
}
