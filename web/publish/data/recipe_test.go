package data

import (
	"fmt"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/sample"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/state"
	"hush/web/state/asking"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestRecipeWithoutDefaults: what a recipe leaves out of how a file is read is the default, unless
// that is for the file to say.
func TestRecipeWithoutDefaults(t *testing.T) {
	const text = `{"version":1,"task":"mean","table":{%s},"column":1,"domain":{"kind":"integer","lo":"0","hi":"100"},"epsilon":"1"}`
	for said, confirmed := range map[string]bool{
		`"encoding":"utf-8","delimiter":",","header":"yes","columns":2`:                   true,
		`"encoding":"utf-8","delimiter":",","header":"yes"`:                               false,
		`"delimiter":",","header":"yes","columns":2`:                                      false,
		`"encoding":"utf-8","delimiter":",","header":"yes","columns":2,"skip":1`:          true,
		`"encoding":"utf-8","delimiter":",","header":"yes","columns":2,"quotes":"double"`: true,
	} {
		m, f := webtest.Started(t)
		f.File = []byte("a,cost\nage,cost\n34,5\n71,6\n")
		m.Saved.AdoptText(fmt.Sprintf(text, said))
		m.Data.Open(webtest.FakeFile("two.csv"))
		f.Settle()
		m.Claims.Agree()
		f.Settle()
		shown := strings.Contains(app.HTMLString(&Step{Model: m}), string(asking.OtherReading))
		if m.Data.Confirmed != confirmed || m.Forecast.Priced() != confirmed || shown == confirmed {
			t.Errorf("%s: confirmed %v, priced %v, and a word about it %v", said, m.Data.Confirmed,
				m.Forecast.Priced(), shown)
		}
	}
}

// TestRecipeRefusesAFileOfAnotherShape: rows of another width would all count as without values,
// and the release be paid for nothing.
func TestRecipeRefusesAFileOfAnotherShape(t *testing.T) {
	one, two := []byte("age\n34\n71\n"), []byte("age,cost\n34,5\n71,6\n")
	m, f := webtest.Started(t)
	f.File = one
	m.Data.Open(webtest.FakeFile("one.csv"))
	f.Settle()
	webtest.Confirm(m)
	webtest.Describe(m, 1, "0", "100")
	m.Question.Ask()
	f.Settle()
	r, want := m.Question.Recipe(), engine.Encode(m.Question.Recipe())

	for name, bring := range map[string]func(m *state.Model, f *webtest.Fake){
		"before the file": func(m *state.Model, _ *webtest.Fake) {
			m.Saved.Adopt(r)
			m.Data.Open(webtest.FakeFile("two.csv"))
		},
		"after the file": func(m *state.Model, f *webtest.Fake) {
			m.Data.Open(webtest.FakeFile("two.csv"))
			f.Settle()
			m.Saved.Adopt(r)
		},
		"twice": func(m *state.Model, f *webtest.Fake) {
			m.Data.Open(webtest.FakeFile("two.csv"))
			f.Settle()
			m.Saved.Adopt(r)
			f.Settle()
			m.Saved.Adopt(r)
		},
		"a sample": func(m *state.Model, _ *webtest.Fake) {
			m.Saved.Adopt(r)
			m.Data.OpenSample(sample.Sets()[0])
		},
	} {
		t.Run(name, func(t *testing.T) {
			m, f := webtest.Started(t)
			f.File = two
			bring(m, f)
			f.Settle()
			shown := app.HTMLString(&Step{Model: m})
			if !m.Data.Misfit || m.Forecast.Priced() || m.Data.Confirmed ||
				!strings.Contains(
					shown, "its rows have 2 columns; the question was saved for 1 column") {
				t.Fatalf("misfit %v, priced %v, confirmed %v: %s", m.Data.Misfit,
					m.Forecast.Priced(),
					m.Data.Confirmed, shown)
			}
			webtest.Confirm(m)
			m.Question.Edit("", func(*form.Question) {})
			f.Settle()
			if m.Answer.Run(); m.Forecast.Priced() || m.Data.Confirmed || f.Spent > 0 {
				t.Fatal("it is read all the same")
			}
			f.File = one
			m.Data.Open(webtest.FakeFile("one.csv"))
			f.Settle()
			if got := engine.Encode(m.Question.Recipe()); got != want || !m.Forecast.Priced() {
				t.Errorf("its own file then gives\n%s\nwant\n%s, priced %v", got, want,
					m.Forecast.Priced())
			}
			f.File = two
			m.Saved.Adopt(r)
			m.Data.Open(webtest.FakeFile("two.csv"))
			f.Settle()
			m.Saved.Adopt(r)
			f.Settle()
			m.Saved.AskAnew()
			f.Settle()
			if webtest.Confirm(m); !m.Data.Confirmed || m.Saved.Waiting != nil ||
				m.Data.Opened.Options.Columns != 2 || m.Question.Form.Column != 0 {
				t.Errorf("asked anew: confirmed %v, %d columns, column %d", m.Data.Confirmed,
					m.Data.Opened.Options.Columns, m.Question.Form.Column)
			}
		})
	}
	kept := r
	kept.Table.Ragged = table.Keep
	m, f = webtest.Started(t)
	f.File = two
	m.Saved.Adopt(kept)
	m.Data.Open(webtest.FakeFile("two.csv"))
	f.Settle()
	m.Claims.Agree()
	if f.Settle(); m.Data.Misfit || !m.Forecast.Priced() {
		t.Error("a recipe that takes rows of any width refuses them")
	}
}
