package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/parts"
	"hush/web/publish/question"
	"hush/web/state"
	"hush/web/state/asking"
	"hush/web/state/form"
)

// wards lists the wards of the exhibit, which are public.
var wards = domain.Spec{Kind: domain.Category, Categories: []string{"Hill", "Mill", "Park"}}

// kindOfQuestion begins the name of the state in which a question of the catalogue is asked.
const kindOfQuestion = "kind of question: "

// questionSpecimens shows the question: one of each kind, and some with faults.
func questionSpecimens() []Specimen {
	type kind struct {
		name        string
		ask         func(*state.Model) // its price is then not known
		fault, want string
	}
	asked := []kind{
		{"no column yet", func(m *state.Model) { m.Question.Form.Column = 0 }, "", ""},
		{"a column to be described first", func(m *state.Model) {
			m.Question.Form.Column = 2
		}, "", ""},
		{"a column that does not fit", func(m *state.Model) {
			m.Question.Form.Task, m.Question.Form.Column = "mean", 3
			exhibit.Describe(m, 3, wards)
		}, "", ""},
		{"by a list of groups", func(m *state.Model) {
			exhibit.Describe(m, 3, wards)
			m.Question.Form.Task, m.Question.Form.Group = "mean", 3
		}, "", ""},
		{"groups at fault", func(m *state.Model) {
			m.Question.Form.Task, m.Question.Form.Group = "mean", 3
		}, "groupColumn", "another column"},
		{"groups to be found", func(m *state.Model) {
			m.Question.Form.Task, m.Question.Form.Group, m.Question.Form.Find = "mean", 3, true
		}, "", ""},
		{"finding at fault", func(m *state.Model) {
			q := &m.Question.Form
			q.Task, q.Group, q.Find, q.FindShare, q.FindDelta = "mean", 3, true, "all", "0.1"
		}, "findDelta", "a number below 1/n = 1/3000, where n is the number of persons"},
		{"answers to be chosen", func(m *state.Model) {
			exhibit.Describe(m, 3, wards)
			m.Question.ChooseTask("cutoff")
			m.Question.Form.Others[0].Column = 3
		}, "", ""},
		{"with conditions", func(m *state.Model) {
			m.Question.Form.Filter = []form.ConditionForm{
				{Column: 3, Test: form.TestNoneOf, List: "Hill\nMill"},
				{Column: 2, Test: form.TestNumbers, From: "1", To: "1000000000000000000"}}
		}, "", ""},
		{"counts, no column yet", func(m *state.Model) { m.Codebook.Form.Each = codebook.Counted },
			"", ""},
		{"values to try", func(m *state.Model) {
			m.Question.Form.Task, m.Question.Form.Params = "density",
				ask.Params{"try-method": "merr, tree", "try-pieces": "auto, 5 to 20", "try": "16"}
		}, "", ""},
		{"values to try at fault", func(m *state.Model) {
			m.Question.Form.Params = ask.Params{"try-width": "1 to 40"}
		}, "try", "a number of them from 2 to 32, to be drawn at random, or fewer values"},
		{"ε at fault", func(m *state.Model) { m.Question.Form.Epsilon = "much" },
			"epsilon", "an exact number from 0.000000001 to 100"},
		{"ε between the stops", func(m *state.Model) { m.Question.Form.Epsilon = "0.123456789" },
			"", ""},
		{"weak protection", func(m *state.Model) { m.Question.Form.Epsilon = "10" }, "", ""},
	}
	for _, t := range state.NewModel().Question.Tasks {
		asked = append(asked,
			kind{kindOfQuestion + string(t.Title), func(m *state.Model) {
				m.Question.Form.Task = t.ID
				m.Question.Form.Fit(&t)
			}, "", ""})
	}
	states := []variant{
		{"ready", nil},
		{"cells being read", func(m *state.Model) {
			m.Cells.Progress = &engine.Progress{Done: 7, Total: 10}
		}},
		{"every cell read", func(m *state.Model) { m.Cells.Read = true }},
		{"cells without a value", func(m *state.Model) {
			m.Cells.Seen = asking.Seen{
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
			m.Saved.Fault = "This is no question saved by Hush: it has version 7, and this is " +
				"version 1."
		}},
	}
	for _, a := range asked {
		states = append(states, variant{a.name, func(m *state.Model) {
			a.ask(m)
			m.Forecast.Estimate = asking.Estimate{}
			if a.fault != "" {
				m.Forecast.Failure = &engine.Fault{Code: engine.Refused, Message: "refused",
					Field: a.fault, Want: a.want}
			}
		}})
	}
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &question.Step{Model: m, Browser: b}
	}, states)
}
