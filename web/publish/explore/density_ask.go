package explore

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/parts"
	"hush/web/say"
)

// DensityAsk answers questions about ranges and percentiles from a release, and makes up rows. All
// of it costs nothing.
type DensityAsk struct {
	app.Compo

	Release  *task.Release  // of a density
	Revision int            // Model.Revision
	Browser  *parts.Browser // saves the file

	changed          func()        // draws it again
	asked            *task.Release // the release that the answers are about
	between, percent asking
}

// OnMount stores how to redraw the component.
func (a *DensityAsk) OnMount(ctx app.Context) { a.changed = func() { ctx.Update() } }

// Render draws the fields, each with its answer.
func (a *DensityAsk) Render() app.UI {
	between, percent := a.between, a.percent
	if a.asked != a.Release {
		between, percent = asking{}, asking{}
	}
	d, spec := a.Release.Answer.Result.(*task.Density), a.Release.Recipe.Domain
	voice := a.Release.Voice(say.Language())
	return app.Section().Class("more no-print").Aria("labelledby", "ask-title").Body(
		app.H3().ID("ask-title").Text(say.Text("Ask it anything")),
		app.P().Class("small soft").Text(say.Text("Every answer is made from the release alone: "+
			"it costs no privacy, and you may ask as often as you like.")),
		app.Div().Class("fields").Body(
			parts.TextField("ask-between", say.Text("How many are from … to …?"), between.text,
				say.Text("two possible values, such as 18 to 65"), between.fault,
				func(text string) {
					a.ask(&a.between, text, func() (string, error) {
						return d.Between(voice, spec, text)
					})
				}),
			parts.TextField("ask-percent",
				say.Text("Which value has this percentage at or below it?"), percent.text,
				say.Text("a number from 0 to 100, such as 90"), percent.fault, func(text string) {
					a.ask(&a.percent, text, func() (string, error) {
						return d.Reaching(voice, spec, text)
					})
				}),
		),
		app.P().ID("ask-between-answer").Class("answer-line").Role("status").Text(between.answer),
		app.P().ID("ask-percent-answer").Class("answer-line").Role("status").Text(percent.answer),
		&MadeUpRows{Release: a.Release, Revision: a.Revision, Browser: a.Browser},
	)
}

// ask keeps a question with its answer.
func (a *DensityAsk) ask(kept *asking, text string, answer func() (string, error)) {
	defer a.changed()
	if a.asked != a.Release {
		a.asked, a.between, a.percent = a.Release, asking{}, asking{}
	}
	*kept = asking{text: text}
	if text == "" {
		return
	}
	var err error
	if kept.answer, err = answer(); err != nil {
		kept.fault = say.Format("Wanted: %s.", wantOf(err))
	}
}
