package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/parts"
	"hush/web/publish/editor"
	"hush/web/state"
	"hush/web/state/edit"
)

// editorSpecimens shows the page of figures while it is made.
func editorSpecimens() []Specimen {
	words := func(m *state.Model) {
		m.Page.Title = "Clinic visits: who comes, and when"
		m.Page.Lead = "One patient in five is a child under ten."
		m.Page.Publisher, m.Page.Source = "Health Office", "Clinic visits, made up"
	}
	// questions puts three questions on the page, each with a grade.
	questions := func(m *state.Model, grades ...ask.Grade) {
		words(m)
		m.Page.AddWords(edit.Heading)
		m.Page.Write(m.Page.Pieces[len(m.Page.Pieces)-1].ID, "Who comes")
		t := ask.Together{Apart: exhibit.Loss("2.2", "0")}
		for i, g := range grades {
			r := m.Question.Recipe()
			r.Epsilon = ""
			m.Page.AddQuestion(r)
			plan := exhibit.Plan("Histogram")
			plan.Verdict, plan.Frame = exhibit.Judged(g), &exhibit.Frames()[i%len(exhibit.Frames())]
			t.Plans, t.Epsilons = append(t.Plans, plan), append(t.Epsilons, "0.4")
		}
		t.Total.Loss = exhibit.Loss("1.4", "0.0000001")
		m.Page.Price(t, map[ask.Division]edit.Offer{
			ask.LeastTotal:   {Loss: t.Total.Loss},
			ask.ByImportance: {Loss: t.Total.Loss, Rough: 1, Noise: 1},
		})
	}
	answers := func(m *state.Model) {
		words(m)
		for _, a := range exhibit.Answers()[:3] {
			m.Page.Take(a.Release)
		}
	}
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &editor.Page{Model: m, Browser: b}
	}, []variant{
		{"an empty page", func(*state.Model) {}},
		{"one of them would be noise", func(m *state.Model) {
			questions(m, ask.Good, ask.Noise, ask.Rough)
			m.Page.Division = ask.ByImportance
		}},
		{"questions and answers", func(m *state.Model) {
			answers(m)
			questions(m, ask.Good)
		}},
		{"answers alone", answers},
		{"being drawn", func(m *state.Model) {
			questions(m, ask.Good, ask.Good)
			m.Page.Run = edit.Run{Running: true, Progress: engine.Progress{Phase: "computing",
				Done: 1, Total: 3, Question: 1, Questions: 2}}
		}},
		{"stopped, and paid for", func(m *state.Model) {
			questions(m, ask.Good, ask.Good)
			for i, piece := range m.Page.Planned() {
				piece.Paid = i + 1
			}
			m.Page.Run = edit.Run{Entry: "entry", Failure: &engine.Fault{Code: engine.Cancelled}}
		}},
		{"questions for another file", func(m *state.Model) {
			questions(m, ask.Good)
			m.Page.About = "another"
		}},
	})
}
