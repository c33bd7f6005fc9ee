package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/learn"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/state/lesson"
)

// embedSpecimens shows the document that other sites frame, and the dialog that explains how.
func embedSpecimens() []Specimen {
	demo := func(name, fragment string, change func(*lesson.Lesson)) Specimen {
		return Specimen{State: name, Draw: func(b *parts.Browser) app.UI {
			m := exhibit.Model(nil)
			m.Network = state.Network{Able: true}
			return learn.Framed(m, b, fragment, func(l *lesson.Lesson) {
				l.Progress = nil
				if change != nil {
					change(l)
				}
			})
		}}
	}
	dialog := func(state string, d lesson.Demo, words string) Specimen {
		return Specimen{State: state, Draw: func(b *parts.Browser) app.UI {
			return &parts.EmbedDialog{ID: "embed-shown", Shown: true, Demo: d, Words: words,
				Browser: b}
		}}
	}
	drawn := func(name string) func(*lesson.Lesson) {
		return func(l *lesson.Lesson) {
			for _, a := range exhibit.Answers() {
				if a.State == name {
					l.Taught = &task.Taught{Quiet: a.Release, Draws: []*task.Release{a.Release}}
				}
			}
		}
	}
	return []Specimen{
		demo("being drawn", "task=mean", nil),
		demo("one number", "task=mean&epsilon=0.6", drawn("one number")),
		demo("counts", "task=histogram", drawn("histogram")),
		demo("refused", "task=mean", func(l *lesson.Lesson) {
			l.Fault = &engine.Fault{Code: engine.Refused, Message: "refused", Field: "epsilon",
				Want: say.Text("a number above 0")}
		}),
		demo("a lesson", "lesson=2", nil),
		demo("no such lesson", "lesson=7", nil),
		demo("no such task", "task=unheard-of", nil),
		dialog("to be embedded", lesson.Demo{Task: "mean", Data: "pay", Epsilon: "1"},
			"Mean, with differential privacy, on made-up data."),
		dialog("a long question to be embedded",
			lesson.Demo{Task: "mean", Data: "pay", Epsilon: "1",
				Question: form.EncodeRecipe(ask.Recipe{Label: exhibit.LongName})},
			exhibit.ManyWays),
	}
}
