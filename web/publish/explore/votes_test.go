package explore

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/release"
	"hush/web/webtest"
)

// voting is a model whose last release goes on: two cases by votes, and this many to be asked
// later.
func voting(t *testing.T, later int) (*state.Model, *webtest.Fake) {
	t.Helper()
	var file bytes.Buffer
	file.WriteString("age,old\n")
	for i := range 20_000 {
		fmt.Fprintf(&file, "%d,%s\n", i%100, map[bool]string{true: "yes", false: "no"}[i%100 >= 60])
	}
	f := webtest.NewFake(file.Bytes())
	m := state.NewModel()
	m.Start(f, f, func() {})
	r := ask.Recipe{Version: ask.RecipeVersion, Task: "classify", Epsilon: "20",
		Params: ask.Params{"release": "plain", "cases": "10\n90\n", "later": fmt.Sprint(later)},
		Others: []ask.Field{
			{Role: "outcome", Column: 2,
				Domain: domain.Spec{Kind: domain.Category, Categories: []string{"yes", "no"}}},
			{Role: "feature", Column: 1, Label: "age",
				Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}}}}
	opened, err := f.Open(engine.Source{})
	if err != nil {
		t.Fatal(err)
	}
	r.Table = opened.Options
	if err := f.Feed(r); err != nil {
		t.Fatal(err)
	}
	answer, err := f.Ask("run", engine.RunOf{Recipe: r})
	if err != nil {
		t.Fatal(err)
	}
	came := engine.Run.Read(answer).Release
	m.Answer.Shown = release.Shown{Phase: release.Done, Result: came}
	m.History.Add(came, "2026-01-31")
	m.Votes.Begin(came)
	f.Settle()
	return m, f
}

// TestVotes: the form asks for one case after the other; refusals stand at their field and cost no
// case; the release grows wherever it is shown; at the end it says why.
func TestVotes(t *testing.T) {
	m, f := voting(t, 2)
	ask := func(cell string) string {
		m.Votes.Label([]string{cell})
		m.Votes.Label([]string{cell}) // a second click
		f.Settle()
		return app.HTMLString((&CaseForm{Model: m, Release: m.Answer.Result}).Render())
	}
	if page := ask("old"); !strings.Contains(page, "Wanted: whole numbers from 0 to 99.") ||
		!strings.Contains(page, "2 cases more") {
		t.Error(page)
	}
	if page := ask("95"); !strings.Contains(page, "The last case, 95: ") ||
		!strings.Contains(page, "1 case more") {
		t.Error(page)
	}
	if m.History.Past[0].Release != m.Answer.Result ||
		len(m.Answer.Result.Answer.Result.(*task.Labels).Cases) != 3 {
		t.Errorf("the history has %+v", m.History.Past[0].Release.Statement)
	}
	if page := ask("5"); !strings.Contains(page, "all cases that were paid for are labelled") ||
		strings.Contains(page, `id="ask-case"`) {
		t.Error(page)
	}
}

// TestVotesEnd: with the engine, with another file, and where the engine says so.
func TestVotesEnd(t *testing.T) {
	for name, tt := range map[string]struct {
		end  func(m *state.Model, f *webtest.Fake)
		want string
	}{
		"died": {func(m *state.Model, _ *webtest.Fake) {
			m.News("died", nil)
		}, "the engine that held them stopped"},
		"asked": {func(m *state.Model, f *webtest.Fake) {
			f.Dispatcher = engine.NewDispatcher(nil, say.Language(), nil)
			m.Votes.Label([]string{"5"})
		}, "no longer in the engine"},
		"run": {func(m *state.Model, _ *webtest.Fake) { m.Votes.End("another release was begun") },
			"another release was begun"},
		"file": {func(m *state.Model, _ *webtest.Fake) {
			m.Forget()
		}, "they lasted until the next release"},
	} {
		m, f := voting(t, 2)
		r := m.Answer.Result
		tt.end(m, f)
		f.Settle()
		page := app.HTMLString((&CaseForm{Model: m, Release: r}).Render())
		if !strings.Contains(page, tt.want) || strings.Contains(page, `id="ask-case"`) {
			t.Errorf("%s: %s", name, page)
		}
		m.Votes.Label([]string{"5"})
		if len(f.Later) > 0 {
			t.Errorf("%s: the engine is asked again", name)
		}
	}
}

// TestOpenRule: a saved rule is opened without data and labels cases and files of them; one that
// was tampered with is refused.
func TestOpenRule(t *testing.T) {
	r := exhibit.Release("classify", "Label new cases", "The rule.", exhibit.Labels(true),
		exhibit.Features)
	m := state.NewModel()
	m.Start(exhibit.Still{}, exhibit.Still{}, func() {})
	m.Answer.Open(strings.Replace(r.JSON(""), `"from": "60"`, `"from": "600"`, 1))
	if m.Answer.Phase == release.Done || !strings.Contains(m.Answer.NotOpened, "ruleParts") {
		t.Errorf("tampered: %q", m.Answer.NotOpened)
	}
	m.Answer.Open(r.JSON(""))
	if m.Answer.Phase != release.Done || !m.Answer.Opened {
		t.Fatalf("not opened: %q", m.Answer.NotOpened)
	}
	c := &CaseForm{Model: m, Release: m.Answer.Result, changed: func() {}}
	c.keep()
	for _, tt := range []struct{ age, income, want string }{{"60", "0", "60, 0: owner."},
		{"59", "5000", "59, 5000: tenant."},
		{"sixty", "5", "Wanted: whole numbers from 0 to 120."}} {
		c.cells = map[int]string{0: tt.age, 1: tt.income}
		c.labelByRule()
		if page := app.HTMLString(c.Render()); !strings.Contains(page, tt.want) {
			t.Errorf("%s: %s", tt.want, page)
		}
	}
	c.labelFile("age,income\n60,1\n59,2,3\n")
	if page := app.HTMLString(c.Render()); !strings.Contains(page, "Wanted: ") {
		t.Errorf("a file of three columns: %s", page)
	}
}
