package editor

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/state"
	"hush/web/state/edit"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestRestCanBeDrawn: a page that stopped after it was paid for has a button that draws the rest,
// says that it costs nothing, and says of a draw that failed why.
func TestRestCanBeDrawn(t *testing.T) {
	m := exhibit.Model(func(m *state.Model) {
		for range 3 {
			m.Page.AddQuestion(m.Question.Recipe())
		}
		planned := m.Page.Planned()
		planned[0].Paid, planned[1].Paid = 2, 3
		planned[2].Failed = &engine.Fault{Code: engine.TooLarge, Message: "it is too large"}
		m.Page.Run = edit.Run{Entry: "entry"}
	})
	html := app.HTMLString(&Page{Model: m, Revision: 1})
	for _, want := range []string{`id="release-page"`, "Draw the 2 figures that are left",
		"2 figures are paid for", "They cost nothing more.", "3 to be drawn",
		"Its draw failed, and is paid for: it is too large"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(html, "The page costs nothing more.") {
		t.Error("the page is said to be drawn to its end")
	}
}

// TestPlanPromises: the bar counts what depends on the size of an answer apart, its figure says
// from where on it is good and what would make sure, and the field of the total is shown where it
// rules.
func TestPlanPromises(t *testing.T) {
	plan := ask.Together{}
	m := exhibit.Model(func(m *state.Model) {
		for _, v := range []ask.Verdict{{Grade: ask.Good, Error: 3},
			{Grade: ask.Unknown, Error: 4, From: "20 years", Text: "Good from 20 years on."}} {
			m.Page.AddQuestion(m.Question.Recipe())
			plan.Plans = append(plan.Plans, ask.Plan{Verdict: &v})
			plan.Epsilons = append(plan.Epsilons, "0.5")
		}
		m.Page.Price(plan, map[ask.Division]edit.Offer{ask.LeastTotal: {Unknown: 1}})
	})
	html := app.HTMLString(&Page{Model: m, Revision: 1})
	for _, want := range []string{"1 good, 1 only if …", "Good from 20 years on.",
		"Make it good down to half of that", "One depends on how large its answer is",
		"1 good only if it is large enough"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(html, `id="page-total"`) {
		t.Error("the least ε has a field for the total, which does nothing")
	}
	m.Page.Division = ask.Evenly
	if html := app.HTMLString(&Page{Model: m, Revision: 2}); !strings.Contains(html,
		`id="page-total"`) || strings.Contains(html, "page-promise") {
		t.Error("a total cannot be typed, or the least ε is promised")
	}
}

// TestNeverGoodIsNamed: a figure that no ε makes good is named in the bar, beside the division and
// where it stands, and the others have their price.
func TestNeverGoodIsNamed(t *testing.T) {
	plan := ask.Together{Never: []int{1}}
	m := exhibit.Model(func(m *state.Model) {
		for _, v := range []ask.Verdict{{Grade: ask.Good, Error: 3},
			{Grade: ask.Rough, Error: 4, Text: "Off by up to 4."}, {Grade: ask.Good, Error: 3}} {
			m.Page.AddQuestion(m.Question.Recipe())
			plan.Plans = append(plan.Plans, ask.Plan{Verdict: &v})
			plan.Epsilons = append(plan.Epsilons, "0.5")
		}
		m.Page.Price(plan, map[ask.Division]edit.Offer{ask.LeastTotal: {Never: []int{1}}})
	})
	html := app.HTMLString(&Page{Model: m, Revision: 1})
	for _, want := range []string{"2 good, 1 that no ε makes good",
		"1 that no ε makes good: figure 2", "Off by up to 4. No ε makes it good."} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// TestNoiseIsMended: a figure that came out as noise says how far it is off, what a better one
// costs, and how to leave it out; without its file only that.
func TestNoiseIsMended(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0.001" })
	f.Settle()
	m.Answer.Run()
	f.Settle()
	m.Answer.Know(m.Answer.Result, true)
	m.Figures.Collect(m.Answer.Result)
	f.Settle()
	piece := m.Page.Pieces[0]
	html := app.HTMLString(&Page{Model: m, Revision: 1})
	for _, want := range []string{": too few people to tell.", "Off by up to ", `id="good-1"`,
		"Make it good", " more</span>", `id="leave-1"`, "Leave it out"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	m.Page.Mend(piece).Offer = nil
	m.Page.Mend(piece).Help = []ask.Help{{Text: "Bins of 20, not 10", Exact: true, Error: 9,
		Recipe: piece.Release.Recipe}}
	html = app.HTMLString(&Page{Model: m, Revision: 2})
	for _, want := range []string{`id="instead0-1"`, "Ask it coarser: Bins of 20, not 10",
		"about ε\u00a0=\u00a00.001, ±\u00a09"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	m.Forget()
	f.Settle()
	html = app.HTMLString(&Page{Model: m, Revision: 3})
	if strings.Contains(html, "instead0") || !strings.Contains(html, `id="leave-1"`) {
		t.Error("without the file another question is offered, or leaving it out is not")
	}
}

// TestTitleIsProposed: a page without a title offers what its data are called, until it has one.
func TestTitleIsProposed(t *testing.T) {
	m := exhibit.Model(func(m *state.Model) {
		r := m.Question.Recipe()
		r.Data = "Clinic visits, 2026"
		m.Page.AddQuestion(r)
	})
	draw := func(revision int) string {
		return app.HTMLString(&Page{Model: m, Revision: revision})
	}
	if html := draw(1); !strings.Contains(html, "Use the title “Clinic visits, 2026”") {
		t.Error("no title is proposed")
	}
	m.Page.Set(&m.Page.Title, m.Page.Proposed())
	if html := draw(2); strings.Contains(html, "use-title") ||
		m.Page.Title != "Clinic visits, 2026" {
		t.Errorf("a page with the title %q is offered one", m.Page.Title)
	}
}

// TestTableIsOpenedAsData: a table among saved releases is offered as data, by a button.
func TestTableIsOpenedAsData(t *testing.T) {
	m, _ := webtest.Started(t)
	m.Answer.Bring(webtest.FakeFile("clinic.csv"), m.Figures.AddSaved)("age\n30\n")
	html := app.HTMLString(&Page{Model: m, Revision: 1})
	if !strings.Contains(html, "This is a table, not a release. Open it as data?") ||
		!strings.Contains(html, `id="open-as-data"`) {
		t.Error("the page does not offer to open it as data")
	}
}
