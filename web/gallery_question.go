package web

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/domain"
	"hush/core/table"
	"hush/web/engine"
)

// questionSpecimens is step 2: without a file, with each kind of question and each kind of column, and with faults.
func questionSpecimens() []Specimen {
	show := func(state string, changes ...func(*Model)) Specimen {
		return Specimen{State: state, Draw: func(b *browser) app.UI { return &QuestionStep{Model: exhibit(changes...), Browser: b} }}
	}
	list := []Specimen{
		show("no file yet", func(m *Model) { m.Data = Data{} }),
		show("no column yet", question(func(q *Question) { q.Column = 0 })),
		show("ready"),
	}
	for _, t := range NewModel().Tasks {
		list = append(list, show("kind of question: "+t.Title, question(func(q *Question) {
			q.Task = t.ID
			q.Domain.setKind(t.Domains[0])
		})))
	}
	for _, k := range kindNames {
		for _, t := range NewModel().Tasks { // the first that takes such a column
			if kind := domain.Kind(k.value); slices.Contains(t.Domains, kind) {
				list = append(list, show("column of "+k.text, question(func(q *Question) { q.Task, q.Domain = t.ID, domainFormOf(domain.Spec{Kind: kind, Lo: "1", Hi: "9"}) })))
				break
			}
		}
	}
	fault := func(field, want string) func(*Model) {
		return func(m *Model) {
			m.Forecast = Forecast{Failure: &engine.Fault{Code: engine.Refused, Message: "refused", Field: field, Want: want}}
		}
	}
	return append(list,
		show("bounds unknown", question(func(q *Question) { q.Task, q.Domain.NoBounds = "median", true })),
		show("a guess is offered", question(func(q *Question) { q.Column = 2 })),
		show("a bound at fault", question(func(q *Question) { q.Domain.Lo = "few" }), fault("lo", "a whole number, such as -5 or 120")),
		show("by a list of groups", question(func(q *Question) { q.Task, q.Group, q.Groups = "mean", 3, "Hill\nMill" })),
		show("groups at fault", question(func(q *Question) { q.Task, q.Group, q.Groups = "mean", 3, "Hill\nHill" }), fault("groups", "each category once")),
		show("groups to be found", question(func(q *Question) { q.Task, q.Group, q.Find = "mean", 3, true })),
		show("finding at fault", question(func(q *Question) { q.Task, q.Group, q.Find, q.FindShare, q.FindDelta = "mean", 3, true, "all", "0.1" }),
			fault("findDelta", "a number below 1/n = 1/3000, where n is the number of persons")),
		show("persons by a column, with conditions", question(func(q *Question) {
			q.Who, q.WhoColumn = Persons, 3
			q.Filter = []ConditionForm{{Column: 3, Test: TestNoneOf, List: "Hill\nMill"}, {Column: 2, Test: TestNumbers, From: "1", To: "1000000000000000000"}}
		})),
		show("counts, no column yet", question(func(q *Question) { q.Who = Counts })),
		show("cells being read", func(m *Model) { m.Cells.Progress = &engine.Progress{Done: 7, Total: 10} }),
		show("every cell read", func(m *Model) { m.Cells.Read = true }),
		show("cells without a value", func(m *Model) {
			m.Cells = Cells{Read: true, Problems: []table.Problem{{Kind: "cell", Column: 1, Text: "“n/a” is no whole number", Advice: "it counts as missing", Count: 2,
				Places: []table.Place{{Row: 4, Line: 4, Column: 1, Byte: 71, Cell: "n/a"}, {Row: 9, Line: 9, Column: 1, Byte: 171, Cell: "n/a"}},
				Repair: &table.Repair{Label: "Let “n/a” mean no value", Field: "missing", Value: "n/a", Column: 1}}}}
		}),
		show("cells unreadable", func(m *Model) {
			m.Cells.Failure = &engine.Fault{Code: engine.FileChanged, Message: "The file has changed since it was opened: open it again."}
		}),
		show("a recipe at fault", func(m *Model) {
			m.RecipeFault = "This is no question saved by Hush: it has version 7, and this is version 1."
		}),
		show("long texts", question(func(q *Question) {
			q.Label, q.Domain.Lo, q.Domain.Hi = longName, "-99999999999999999999999999999999", "99999999999999999999999999999999"
		})),
	)
}
