package asking_test

import (
	"maps"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/sample"
	"hush/core/table"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/webtest"
)

// TestRecipeComesBack: by address and by text a recipe restores every field, on a page that has
// seen nothing yet.
func TestRecipeComesBack(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Codebook.Describe(1)
	m.Codebook.EditColumn(func(c *form.ColumnForm) {
		c.Name, c.Unit, c.Missing, c.Clamp = "years", "a", "NA, -", true
	})
	m.Codebook.DescribeAs(codebook.Unanswered)
	m.Codebook.Edit("", func(b *form.BookForm) {
		*b = form.BookForm{Name: "Visits", Source: "A clinic", One: "patient", Many: "patients",
			Each: codebook.Counted, Column: 5}
	})
	m.Question.Edit("", func(q *form.Question) {
		q.Epsilon = "0.25"
		q.Filter = []form.ConditionForm{{Column: 3, Test: form.TestNoneOf, List: "Hill\nMill"},
			{Column: 2, Test: form.TestNumbers, From: "1"}}
		q.Params["width"] = "20"
	})
	f.Settle()
	want, text := engine.Encode(m.Question.Recipe()), m.Question.Text()
	m.Question.Share()
	f.Settle()
	address := f.Addressed
	if !strings.Contains(address, "?q=") || strings.Contains(address, "clinic") {
		t.Fatalf("the address is %q", address)
	}
	for name, bring := range map[string]func(m *state.Model){
		"address": func(m *state.Model) { m.Go(address) },
		"text":    func(m *state.Model) { m.Saved.AdoptText(text) },
		"release": func(m *state.Model) {
			m.Saved.AdoptText(`{"version":1,"recipe":` + text + `}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			m, f := webtest.Started(t)
			bring(m)
			if m.Saved.Waiting == nil {
				t.Fatalf("no recipe waits: %s", m.Saved.Fault)
			}
			m.Data.Open(webtest.FakeFile("clinic.csv"))
			f.Settle()
			if got := engine.Encode(m.Question.Recipe()); got != want {
				t.Errorf("it came back as\n%s\nwant\n%s", got, want)
			}
			if name == "address" && f.Addressed != address {
				t.Errorf("the address becomes %q, want what it was", f.Addressed)
			}
			if m.Forecast.Failure != nil && m.Forecast.Failure.Code != engine.Refused {
				t.Errorf("not priced: %+v", m.Forecast.Failure)
			}
		})
	}
}

// condition is one that a form can show, and filterOf a question with another.
const condition = `{"column":2,"spec":{"kind":"category","categories":["Hill"]}}`

func filterOf(condition string) string {
	return `{"version":1,"task":"count","filter":[` + condition + `]}`
}

func TestBrokenRecipesAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":       "hello",
		"cut off":       `{"version":1,"task":"hist`,
		"other version": `{"version":7,"task":"histogram"}`,
		"unknown task":  `{"version":1,"task":"oracle"}`,
		"unknown field": `{"version":1,"task":"median","secret":1}`,
		"a list":        `[1,2]`,
		"too long":      `{"version":1,"task":"count","label":"` + strings.Repeat("x", 8<<20) + `"}`,
		"many conditions": `{"version":1,"task":"count","filter":[` +
			strings.TrimSuffix(strings.Repeat(condition+",", 51), ",") + `]}`,
		"a condition of numbers turned round": filterOf(
			`{"column":2,"spec":{"kind":"float64"},"from":"1","not":true}`),
		"a condition on other kinds of values": filterOf(
			`{"column":2,"spec":{"kind":"integer","lo":"0","hi":"9"},"from":"1"}`),
		"a condition that must have any value": filterOf(`{"column":2,"spec":{"kind":"float64"}}`),
		"a value with a line end in it": filterOf(
			`{"column":2,"spec":{"kind":"category","categories":["Hill\nMill"]}}`),
	} {
		m, _ := webtest.Started(t)
		before := engine.Encode(m.Question.Recipe())
		m.Saved.AdoptText(text)
		if m.Saved.Fault == "" || m.Saved.Waiting != nil ||
			engine.Encode(m.Question.Recipe()) != before {
			t.Errorf("%s: fault %q", name, m.Saved.Fault)
		}
	}
	m, _ := webtest.Started(t)
	if m.Saved.AdoptText(filterOf(condition)); m.Saved.Fault != "" || m.Saved.Waiting == nil {
		t.Errorf("a condition that can be shown is refused: %s", m.Saved.Fault)
	}
	m, _ = webtest.Started(t)
	if m.Go("/?q=***"); m.Saved.Fault == "" {
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
		form.QuestionOf(r, state.NewModel().Question.Tasks, r.Domain)
	})
}

// TestFilterStaysOutOfTheAddress: what is typed into a filter stands in the address only once a
// link is asked for, and no other filter does then.
func TestFilterStaysOutOfTheAddress(t *testing.T) {
	m, f := webtest.Asked(t)
	holds := func() bool {
		f.Settle()
		return strings.Contains(f.Addressed, "?q=")
	}
	filter := func(value string) {
		m.Question.Edit("", func(q *form.Question) {
			q.Filter = []form.ConditionForm{{Column: 2, Test: form.TestNumbers, From: value}}
		})
	}
	if !holds() {
		t.Fatal("a question without a filter is not in the address")
	}
	if filter("41"); holds() || !m.Question.Unshared() {
		t.Errorf("unasked, the address is %q", f.Addressed)
	}
	if m.Question.Share(); !holds() || m.Question.Unshared() {
		t.Errorf("asked for, the address is %q", f.Addressed)
	}
	if m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0.25" }); !holds() {
		t.Error("a question with another ε and the same filter is not in the address")
	}
	if filter("42"); holds() {
		t.Errorf("with another value the address is %q", f.Addressed)
	}
}

// TestLinkOfEveryQuestion: each question of the catalogue, with each choice and flag that it
// offers, comes back from its address as it was asked, on a page that has seen nothing yet. With
// -short, each question as it is taught.
func TestLinkOfEveryQuestion(t *testing.T) {
	// by is what a page that comes by an address asks about a file.
	by := func(address string, file []byte) (*state.Model, *webtest.Fake) {
		m, f := webtest.Started(t)
		f.File = file
		m.Go(address)
		m.Data.Open(webtest.FakeFile("people.csv"))
		f.Settle()
		return m, f
	}
	links, least := 0, 100
	if testing.Short() {
		least = 20
	}
	for _, kind := range task.Catalogue() {
		if kind.Example == nil {
			continue
		}
		set, ok := sample.Named(kind.Example.Sample)
		if !ok {
			t.Fatalf("%s is taught on %q", kind.ID, kind.Example.Sample)
		}
		file := set.CSV()
		asked := kind.Example.Recipe
		asked.Version, asked.Task, asked.Epsilon = ask.RecipeVersion, kind.ID, "0.5"
		asked.Table = table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
			Columns: len(set.Columns)}
		ways := waysOf(kind)
		if testing.Short() {
			ways = ways[:1]
		}
		for _, params := range ways {
			r := asked
			r.Params = maps.Clone(asked.Params)
			if r.Params == nil {
				r.Params = map[string]string{}
			}
			maps.Copy(r.Params, params)
			m, f := by(place.ViewWorkbench.Path()+"?q="+form.EncodeRecipe(r), file)
			first := m.Question.Recipe()
			if engine.Encode(first.Params) != engine.Encode(r.Params) ||
				engine.Encode(first.Others) != engine.Encode(r.Others) ||
				first.Task != r.Task || first.Column != r.Column || first.Epsilon != r.Epsilon {
				t.Errorf("%s with %v comes back as\n%s\nwant\n%s", kind.ID, params,
					engine.Encode(first), engine.Encode(r))
			}
			m.Question.Share()
			f.Settle()
			again, _ := by(f.Addressed, file)
			if got, want := engine.Encode(again.Question.Recipe()),
				engine.Encode(first); got != want {
				t.Errorf("%s with %v: shared once more it is\n%s\nwant\n%s", kind.ID, params,
					got, want)
			}
			links++
		}
	}
	if links < least {
		t.Errorf("%d links, want at least %d", links, least)
	}
}

// waysOf are settings of a question: as it is taught, and with each choice and flag by itself.
func waysOf(kind ask.Task) []map[string]string {
	ways := []map[string]string{{}}
	for _, p := range kind.Params {
		switch p.Kind {
		case ask.Chosen:
			for _, c := range p.Choices {
				ways = append(ways, map[string]string{p.Name: c.Value})
			}
		case ask.Flag:
			ways = append(ways, map[string]string{p.Name: "true"},
				map[string]string{p.Name: "false"})
		}
	}
	return ways
}
