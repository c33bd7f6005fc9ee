package gallery

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/parts"
	"hush/web/publish"
	"hush/web/state"
	"hush/web/state/form"
)

// questionSpecimens is step 2: without a file, with each kind of question and each kind of column,
// and with faults.
func questionSpecimens() []Specimen {
	type asking struct {
		name        string
		ask         func(*form.Question) // its price is then not known
		fault, want string
	}
	asked := []asking{
		{"no column yet", func(q *form.Question) { q.Column = 0 }, "", ""},
		{"bounds unknown", func(q *form.Question) { q.Task, q.Domain.NoBounds = "median", true },
			"", ""},
		{"a guess is offered", func(q *form.Question) { q.Column = 2 }, "", ""},
		{"a bound at fault", func(q *form.Question) {
			q.Domain.Lo = "few"
		}, "lo", "a whole number, such as -5 or 120"},
		{"by a list of groups", func(q *form.Question) {
			q.Task, q.Group, q.Groups = "mean", 3, "Hill\nMill"
		}, "", ""},
		{"groups at fault", func(q *form.Question) {
			q.Task, q.Group, q.Groups = "mean", 3, "Hill\nHill"
		}, "groups", "each category once"},
		{"groups to be found", func(q *form.Question) { q.Task, q.Group, q.Find = "mean", 3, true },
			"", ""},
		{"finding at fault", func(q *form.Question) {
			q.Task, q.Group, q.Find, q.FindShare, q.FindDelta = "mean", 3, true, "all", "0.1"
		}, "findDelta", "a number below 1/n = 1/3000, where n is the number of persons"},
		{"persons by a column, with conditions", func(q *form.Question) {
			q.Who, q.WhoColumn = form.Persons, 3
			q.Filter = []form.ConditionForm{{Column: 3, Test: form.TestNoneOf, List: "Hill\nMill"},
				{Column: 2, Test: form.TestNumbers, From: "1", To: "1000000000000000000"}}
		}, "", ""},
		{"counts, no column yet", func(q *form.Question) { q.Who = form.Counts }, "", ""},
		{"values to try", func(q *form.Question) {
			q.Task, q.Params = "density",
				ask.Params{"try-method": "merr, tree", "try-pieces": "auto, 5 to 20", "try": "16"}
		}, "", ""},
		{"values to try at fault", func(q *form.Question) {
			q.Params = ask.Params{"try-width": "1 to 40"}
		}, "try", "a number of them from 2 to 32, to be drawn at random, or fewer values"},
		{"long texts", func(q *form.Question) {
			q.Label, q.Domain.Lo, q.Domain.Hi = exhibit.LongName,
				"-99999999999999999999999999999999", "99999999999999999999999999999999"
		}, "", ""},
	}
	tasks := state.NewModel().Tasks
	for _, t := range tasks {
		asked = append(asked,
			asking{"kind of question: " + string(t.Title), func(q *form.Question) {
				q.Task = t.ID
				q.Fit(&t)
			}, "", ""})
	}
	for _, k := range form.KindNames {
		kind := domain.Kind(k.Value)
		takes := func(t ask.Task) bool { return slices.Contains(t.Domains, kind) }
		if i := slices.IndexFunc(tasks, takes); i >= 0 {
			asked = append(asked, asking{"column of " + string(k.Text), func(q *form.Question) {
				q.Task, q.Domain = tasks[i].ID,
					form.DomainFormOf(domain.Spec{Kind: kind, Lo: "1", Hi: "9"})
			}, "", ""})
		}
	}
	states := []variant{
		{"no file yet", func(m *state.Model) { m.Data = state.Data{} }},
		{"ready", nil},
		{"cells being read", func(m *state.Model) {
			m.Cells.Progress = &engine.Progress{Done: 7, Total: 10}
		}},
		{"every cell read", func(m *state.Model) { m.Cells.Read = true }},
		{"cells without a value", func(m *state.Model) {
			m.Cells = state.Cells{
				Read: true, Problems: []table.Problem{
					{Kind: "cell", Column: 1, Text: phrase.Plain("“n/a” is no whole number"),
						Advice: phrase.Plain("it counts as missing"), Count: 2,
						Places: []table.Place{{Row: 4, Line: 4, Column: 1, Byte: 71, Cell: "n/a"},
							{Row: 9, Line: 9, Column: 1, Byte: 171, Cell: "n/a"}},
						Repair: &table.Repair{Label: phrase.Plain("Let “n/a” mean no value"),
							Field: "missing", Value: "n/a", Column: 1}}}}
		}},
		{"cells unreadable", func(m *state.Model) {
			m.Cells.Failure = &engine.Fault{Code: engine.FileChanged,
				Message: "The file has changed since it was opened: open it again."}
		}},
		{"a recipe at fault", func(m *state.Model) {
			m.RecipeFault = "This is no question saved by Hush: it has version 7, and this is " +
				"version 1."
		}},
	}
	for _, a := range asked {
		states = append(states, variant{a.name, func(m *state.Model) {
			a.ask(&m.Question)
			m.Forecast = state.Forecast{}
			if a.fault != "" {
				m.Forecast.Failure = &engine.Fault{Code: engine.Refused, Message: "refused",
					Field: a.fault, Want: a.want}
			}
		}})
	}
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &publish.QuestionStep{Model: m, Browser: b}
	}, states)
}
