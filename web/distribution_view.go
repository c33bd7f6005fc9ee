package web

import (
	"errors"
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/domain"
	"hush/core/message"
	"hush/core/param"
	"hush/core/task"
	"hush/web/say"
)

// distributionView shows a distribution function as a rising line with its band, and answers questions about it.
type distributionView struct{}

// chart draws at each point where the line arrives and where it goes on.
func (distributionView) chart(r *task.Release) (object, bool) {
	d := r.Answer.Result.(*task.Distribution)
	values := make([]string, len(d.Points))
	for i, p := range d.Points {
		values[i] = p.Value
	}
	x, place := valueAxis(r.Recipe.Domain.Kind, r.Plan.Column, values)
	y := upward(say.Text("people at or below"))
	y["min"] = 0
	var line, low, height [][]any
	off := float64(d.Error)
	for i, p := range d.Points {
		for _, count := range []float64{p.Below, p.UpTo} {
			at, from := place(i), max(count-off, 0)
			line = append(line, []any{at, count})
			low = append(low, []any{at, from})
			height = append(height, []any{at, count + off - from})
		}
	}
	return object{
		"grid":    object{"left": 8, "right": 24, "top": 56, "bottom": 36, "containLabel": true},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x,
		"yAxis":   y,
		"series":  band(r.Plan.Column, line, low, height),
	}, true
}

func (distributionView) figures(r *task.Release) (list []figure) {
	d := r.Answer.Result.(*task.Distribution)
	for _, percent := range []int{10, 25, 50, 75, 90} {
		list = append(list, figure{fmt.Sprintf("%d %%", percent), say.Format("%s (± %s people)", d.At(say.Language(), r.Recipe.Domain, float64(percent)/100), grouped(d.Error))})
	}
	return list
}

// compare draws the function of each release as a line.
func (v distributionView) compare(chosen []*Past) (object, bool) {
	var series []any
	var o object
	for i, p := range chosen {
		if p.Release.Recipe.Domain.Kind != chosen[0].Release.Recipe.Domain.Kind {
			return nil, false
		}
		o, _ = v.chart(p.Release)
		if x := o["xAxis"].(object); x["type"] == "category" {
			return nil, false // each has places of its own
		}
		series = append(series, comparedLine(o["series"].([]object), i, p))
	}
	o["series"] = series
	return legend(o), true
}

func (distributionView) explore(r *task.Release, revision int, _ *browser) app.UI {
	return &DistributionAsk{Release: r, Revision: revision}
}

// DistributionAsk answers questions about thresholds from a release. They cost nothing, whatever is asked and however often.
type DistributionAsk struct {
	app.Compo

	Release  *task.Release // of a distribution
	Revision int           // Model.Revision

	changed        func()        // draws it again
	asked          *task.Release // what the answers are about
	below, percent asking
}

// asking is a question as typed, and its answer or what is wrong with it.
type asking struct{ text, answer, fault string }

// OnMount learns how to be drawn again.
func (a *DistributionAsk) OnMount(ctx app.Context) { a.changed = func() { ctx.Update() } }

// Render draws two fields, each with its answer.
func (a *DistributionAsk) Render() app.UI {
	below, percent := a.below, a.percent
	if a.asked != a.Release {
		below, percent = asking{}, asking{}
	}
	return app.Section().Class("more no-print").Aria("labelledby", "ask-title").Body(
		app.H3().ID("ask-title").Text(say.Text("Ask it anything")),
		app.P().Class("small soft").Text(say.Text("Every answer is made from the release alone: it costs no privacy, and you may ask as often as you like.")),
		app.Div().Class("fields").Body(
			a.field("ask-below", say.Text("How many are below…"), say.Text("a possible value, such as 18"), below, &a.below, (*task.Distribution).Below),
			a.field("ask-percent", say.Text("Which value has this percentage at or below it?"), say.Text("a number from 0 to 100, such as 90"), percent, &a.percent, (*task.Distribution).Reaching),
		),
		app.P().ID("ask-below-answer").Class("answer-line").Role("status").Text(below.answer),
		app.P().ID("ask-percent-answer").Class("answer-line").Role("status").Text(percent.answer),
	)
}

func (a *DistributionAsk) field(id, label, help string, shown asking, kept *asking, ask func(*task.Distribution, *message.Language, domain.Spec, string) (string, error)) app.UI {
	return textField(id, label, shown.text, help, shown.fault, func(text string) {
		defer a.changed()
		if a.asked != a.Release {
			a.asked, a.below, a.percent = a.Release, asking{}, asking{}
		}
		*kept = asking{text: text}
		if text == "" {
			return
		}
		var err error
		if kept.answer, err = ask(a.Release.Answer.Result.(*task.Distribution), say.Language(), a.Release.Recipe.Domain, text); err != nil {
			kept.fault = say.Format("Wanted: %s.", wantOf(err))
		}
	})
}

// wantOf is what a refusal asks for.
func wantOf(err error) string {
	var refused *param.Error
	if errors.As(err, &refused) {
		return say.Phrase(refused.Want)
	}
	return say.Error(err)
}
