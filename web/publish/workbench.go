// Package publish draws the way from a file to a release in stages, and what can be done with an
// answer.
package publish

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
)

const lastStep = 4

// Revisions are those of the model (Model.Revision) that the parts of the workbench show: the data
// and their columns, the question, its price, the answer; 0 is a part that is not drawn yet.
type Revisions [lastStep]int

// Behind is a step that does not show a revision, from one on.
func (r Revisions) Behind(revision, from int) (step int, is bool) {
	for i := range r {
		if at := (from + i) % lastStep; r[at] != revision {
			return at, true
		}
	}
	return 0, false
}

// Workbench is the main view: the stages from a file to a release, of which one is open and those
// before it are folded to a line.
type Workbench struct {
	app.Compo

	Model   *state.Model   // read and changed
	Drawn   Revisions      // Model.Revision of each part; 0 for one that is drawn later
	Browser *parts.Browser // for files, charts and downloads

	// Model.Data.Progress and Model.Release.Progress: progress alone draws only what shows it
	Reading, Running engine.Progress
}

// Render draws the open stage below those that are done.
func (w *Workbench) Render() app.UI {
	m, drawn := w.Model, w.Drawn
	folded := app.If(drawn[0] > 0, func() app.UI { return &Folded{Model: m, Revision: drawn[0]} })
	switch m.Stage() {
	case state.StageColumns:
		return app.Div().Class("stage codebook").Body(folded,
			app.If(drawn[0] > 0, func() app.UI {
				return &CodebookStep{Model: m, Revision: drawn[0], Browser: w.Browser}
			}))
	case state.StageQuestion, state.StageAnswer:
		return app.Div().Class("stage").Body(folded,
			app.Div().Class("ask").Body(
				app.Div().Class("stack wide").Body(
					app.If(drawn[1] > 0, func() app.UI {
						return &QuestionStep{Model: m, Revision: drawn[1], Browser: w.Browser}
					}),
				),
				app.Div().Class("stack wide").Body(
					app.If(drawn[2] > 0, func() app.UI {
						return &PrivacyStep{Model: m, Revision: drawn[2], Browser: w.Browser}
					}),
					w.answer(),
				),
			))
	}
	return app.Div().Class("stage").Body(
		app.If(m.Data.Phase == state.DataNone, w.intro).Else(func() app.UI {
			return app.H1().Class("unseen").Text(say.Text("How the file is read"))
		}),
		app.Div().Class("bench").Body(
			app.Div().Class("column").Body(app.If(drawn[0] > 0, func() app.UI {
				return &DataStep{Model: m, Revision: drawn[0], Progress: w.Reading,
					Browser: w.Browser}
			})),
			w.answer(),
		))
}

// answer is what stands beside the question.
func (w *Workbench) answer() app.UI {
	return app.Div().Class("column answer").Body(app.If(w.Drawn[3] > 0, func() app.UI {
		return &ReleaseStep{Model: w.Model, Revision: w.Drawn[3], Browser: w.Browser,
			Progress: w.Running}
	}))
}

func (w *Workbench) intro() app.UI {
	return app.Div().Class("intro").Body(
		app.H1().Text(say.Text("Publish figures about people, not the people")),
		app.P().Text(say.Text("Drop a table, ask a question, choose how much privacy loss to "+
			"accept. The answer is safe to publish, "+
			"with its guarantee and its error. Everything runs in this tab: the file never "+
			"leaves it.")),
	)
}
