// Package publish draws the way from a file to a release in stages: the landing, the workbench with
// the stages that are done, and the bar that stays. The content of the stages is in packages of
// their own: data, question, answer.
package publish

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/engine"
	"hush/web/parts"
	"hush/web/publish/answer"
	"hush/web/publish/data"
	"hush/web/publish/question"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/dataset"
	"hush/web/state/stage"
)

const lastStep = 4

// Revisions are the model's revisions (Model.Revision) that the parts of the workbench show: the
// data and their columns, the question, its price, the answer; 0 is a part that is not drawn yet.
type Revisions [lastStep]int

// Behind returns a step, from one on, that does not show a revision yet.
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

	// Model.Data.Progress and Model.Release.Progress: a change of progress redraws only what shows
	// it
	Reading, Running engine.Progress
}

// title is the heading of a stage whose parts make it superfluous on the screen.
func title(text string) app.UI { return app.H1().Class("unseen").Text(text) }

// Render draws the open stage below those that are done, and the bar that stays.
func (w *Workbench) Render() app.UI {
	m, drawn := w.Model, w.Drawn
	part := func(i int, draw func() app.UI) app.UI { return app.If(drawn[i] > 0, draw) }
	folded := part(0, func() app.UI { return &Folded{Model: m, Revision: drawn[0]} })
	pane := part(3, func() app.UI {
		return &answer.Pane{Model: m, Revision: drawn[3], Browser: w.Browser, Progress: w.Running}
	})
	bar := part(3, func() app.UI {
		return &Bar{Model: m, Revision: drawn[3], Browser: w.Browser, Progress: w.Running}
	})
	open := func(class string, body ...app.UI) app.UI {
		return app.Div().Class("stage " + class).Body(body...)
	}
	switch m.Way.Stage() {
	case stage.Columns:
		return open("codebook", folded, part(0, func() app.UI {
			return &data.CodebookStep{Model: m, Revision: drawn[0], Browser: w.Browser}
		}))
	case stage.Question:
		return open("", folded, app.Div().Class("ask").Body(
			app.Div().Class("stack wide").Body(
				part(1, func() app.UI {
					return &question.Step{Model: m, Revision: drawn[1], Browser: w.Browser}
				}),
				part(2, func() app.UI {
					return &question.PrivacyStep{Model: m, Revision: drawn[2], Browser: w.Browser}
				}),
			),
			pane,
		), bar)
	case stage.Answer:
		return open("", title(say.Text("The answer")), folded, pane, bar)
	}
	return open("", app.If(m.Data.Phase == dataset.Opening, func() app.UI {
		return title(say.Text("How the file is read"))
	}), part(0, func() app.UI {
		return &data.Step{Model: m, Revision: drawn[0], Progress: w.Reading, Browser: w.Browser}
	}))
}
