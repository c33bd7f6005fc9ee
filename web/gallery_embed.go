package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
)

// embedSpecimens is the document that other sites frame, and the dialog that writes how.
func embedSpecimens() []Specimen {
	demo := func(state, fragment string, change func(*Learn)) Specimen {
		return Specimen{State: state, Draw: func(b *browser) app.UI {
			e := &Embed{model: exhibit(nil), browser: b}
			e.model.Network = Network{Able: true}
			e.show(fragment)
			e.model.Learn.Progress = nil
			if change != nil {
				change(&e.model.Learn)
			}
			return e.body()
		}}
	}
	dialog := func(state string, d Demo, words string) Specimen {
		return Specimen{State: state, Draw: func(b *browser) app.UI {
			return &EmbedDialog{ID: "embed-shown", Shown: true, Demo: d, Words: words, Browser: b}
		}}
	}
	drawn := func(state string) func(*Learn) {
		return func(l *Learn) {
			for _, a := range answers() {
				if a.state == state {
					l.Taught = &task.Taught{Quiet: a.release, Draws: []*task.Release{a.release}}
				}
			}
		}
	}
	return []Specimen{
		demo("being drawn", "task=mean", nil),
		demo("one number", "task=mean&epsilon=0.6", drawn("one number")),
		demo("counts", "task=histogram", drawn("histogram")),
		demo("refused", "task=mean", func(l *Learn) {
			l.Fault = &engine.Fault{Code: engine.Refused, Message: "refused", Field: "epsilon", Want: say.Text("a number above 0")}
		}),
		demo("no such task", "task=unheard-of", nil),
		dialog("to be embedded", Demo{Task: "mean", Data: "pay", Epsilon: "1"}, "Mean, with differential privacy, on made-up data."),
		dialog("a long question to be embedded", Demo{Task: "mean", Data: "pay", Epsilon: "1", Question: encodeRecipe(ask.Recipe{Label: longName})}, manyWays),
	}
}
