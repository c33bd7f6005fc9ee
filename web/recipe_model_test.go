package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/sample"
	"hush/core/table"
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

// TestRecipeWithoutDefaults: what a recipe leaves out of how a file is read is the default, unless that is for the file to say.
func TestRecipeWithoutDefaults(t *testing.T) {
	const text = `{"version":1,"task":"mean","table":{%s},"column":1,"domain":{"kind":"integer","lo":"0","hi":"100"},"epsilon":"1"}`
	for said, confirmed := range map[string]bool{
		`"encoding":"utf-8","delimiter":",","header":"yes","columns":2`:                   true,
		`"encoding":"utf-8","delimiter":",","header":"yes"`:                               false,
		`"delimiter":",","header":"yes","columns":2`:                                      false,
		`"encoding":"utf-8","delimiter":",","header":"yes","columns":2,"skip":1`:          true,
		`"encoding":"utf-8","delimiter":",","header":"yes","columns":2,"quotes":"double"`: true,
	} {
		m, f := started(t)
		f.file = []byte("a,cost\nage,cost\n34,5\n71,6\n")
		m.AdoptText(fmt.Sprintf(text, said))
		m.Open(fakeFile("two.csv"))
		f.settle()
		shown := strings.Contains(app.HTMLString(&DataStep{Model: m}), string(otherReading))
		if m.Data.Confirmed != confirmed || m.Priced() != confirmed || shown == confirmed {
			t.Errorf("%s: confirmed %v, priced %v, and a word about it %v", said, m.Data.Confirmed, m.Priced(), shown)
		}
	}
}

// TestRecipeRefusesAFileOfAnotherShape: rows of another width would all count as without values, and the release be paid for nothing.
func TestRecipeRefusesAFileOfAnotherShape(t *testing.T) {
	one, two := []byte("age\n34\n71\n"), []byte("age,cost\n34,5\n71,6\n")
	m, f := started(t)
	f.file = one
	m.Open(fakeFile("one.csv"))
	f.settle()
	m.Confirm()
	m.Edit("", func(q *Question) { q.Column, q.Domain.Lo, q.Domain.Hi = 1, "0", "100" })
	f.settle()
	r, want := m.Recipe(), encode(m.Recipe())

	for name, bring := range map[string]func(m *Model, f *fakeEngine){
		"before the file": func(m *Model, _ *fakeEngine) { m.Adopt(r); m.Open(fakeFile("two.csv")) },
		"after the file":  func(m *Model, f *fakeEngine) { m.Open(fakeFile("two.csv")); f.settle(); m.Adopt(r) },
		"twice": func(m *Model, f *fakeEngine) {
			m.Open(fakeFile("two.csv"))
			f.settle()
			m.Adopt(r)
			f.settle()
			m.Adopt(r)
		},
		"a sample": func(m *Model, _ *fakeEngine) { m.Adopt(r); m.OpenSample(sample.Sets()[0]) },
	} {
		t.Run(name, func(t *testing.T) {
			m, f := started(t)
			f.file = two
			bring(m, f)
			f.settle()
			shown := app.HTMLString(&DataStep{Model: m})
			if !m.Data.Misfit || m.Priced() || m.Data.Confirmed || !strings.Contains(shown, "its rows have 2 columns, and the question was saved for 1 column") {
				t.Fatalf("misfit %v, priced %v, confirmed %v: %s", m.Data.Misfit, m.Priced(), m.Data.Confirmed, shown)
			}
			m.Confirm()
			m.Edit("", func(*Question) {})
			f.settle()
			if m.Run(); m.Priced() || m.Data.Confirmed || f.spent > 0 {
				t.Fatal("it is read all the same")
			}
			f.file = one
			m.Open(fakeFile("one.csv"))
			f.settle()
			if got := encode(m.Recipe()); got != want || !m.Priced() {
				t.Errorf("its own file then gives\n%s\nwant\n%s, priced %v", got, want, m.Priced())
			}
			f.file = two
			m.Adopt(r)
			m.Open(fakeFile("two.csv"))
			f.settle()
			m.Adopt(r)
			f.settle()
			m.AskAnew()
			f.settle()
			if m.Confirm(); !m.Data.Confirmed || m.Waiting != nil || m.Data.Opened.Options.Columns != 2 || m.Question.Column != 0 {
				t.Errorf("asked anew: confirmed %v, %d columns, column %d", m.Data.Confirmed, m.Data.Opened.Options.Columns, m.Question.Column)
			}
		})
	}
	kept := r
	kept.Table.Ragged = table.Keep
	m, f = started(t)
	f.file = two
	m.Adopt(kept)
	m.Open(fakeFile("two.csv"))
	if f.settle(); m.Data.Misfit || !m.Priced() {
		t.Error("a recipe that takes rows of any width refuses them")
	}
}
