// Package explore draws what can be asked of a release beyond its chart and its table: it works on
// the release alone and costs nothing or, if votes were paid for, asks the engine for the rest of
// them.
package explore

import (
	"errors"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	corask "hush/core/ask"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/task"
	"hush/web/parts"
	"hush/web/say"
)

// DistributionAsk answers questions about thresholds from a release. They cost nothing, whatever is
// asked and however often.
type DistributionAsk struct {
	app.Compo

	Release  *task.Release // a release of a distribution
	Revision int           // Model.Revision

	changed        func()        // draws it again
	asked          *task.Release // the release that the answers are about
	below, percent asking
}

// asking is a question as typed, with its answer or its fault.
type asking struct{ text, answer, fault string }

// OnMount stores how to redraw the component.
func (a *DistributionAsk) OnMount(ctx app.Context) { a.changed = func() { ctx.Update() } }

// Render draws two fields, each with its answer.
func (a *DistributionAsk) Render() app.UI {
	below, percent := a.below, a.percent
	if a.asked != a.Release {
		below, percent = asking{}, asking{}
	}
	return app.Section().Class("more no-print").Aria("labelledby", "ask-title").Body(
		app.H3().ID("ask-title").Text(say.Text("Ask it anything")),
		app.P().Class("small soft").Text(say.Text("Every answer is made from the release alone: "+
			"it costs no privacy, and you may ask as often as you like.")),
		app.Div().Class("fields").Body(
			a.field("ask-below", say.Text("How many are below…"),
				say.Text("a possible value, such as 18"), below, &a.below,
				(*task.Distribution).Below),
			a.field("ask-percent", say.Text("Which value has this percentage at or below it?"),
				say.Text("a number from 0 to 100, such as 90"), percent, &a.percent,
				(*task.Distribution).Reaching),
		),
		app.P().ID("ask-below-answer").Class("answer-line").Role("status").Text(below.answer),
		app.P().ID("ask-percent-answer").Class("answer-line").Role("status").Text(percent.answer),
	)
}

func (a *DistributionAsk) field(id, label, help string, shown asking, kept *asking,
	ask func(*task.Distribution, corask.Voice, domain.Spec, string) (string, error)) app.UI {
	return parts.TextField(id, label, shown.text, help, shown.fault, func(text string) {
		defer a.changed()
		if a.asked != a.Release {
			a.asked, a.below, a.percent = a.Release, asking{}, asking{}
		}
		*kept = asking{text: text}
		if text == "" {
			return
		}
		var err error
		if kept.answer,
			err = ask(a.Release.Answer.Result.(*task.Distribution), a.Release.Voice(say.Language()),
			a.Release.Recipe.Domain, text); err != nil {
			kept.fault = say.Format("Wanted: %s.", wantOf(err))
		}
	})
}

// wantOf returns what a refusal asks for.
func wantOf(err error) string {
	var refused *param.Error
	if errors.As(err, &refused) {
		return say.Phrase(refused.Want)
	}
	return say.Error(err)
}
