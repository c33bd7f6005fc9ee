package answer

import (
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/message"
	"hush/web/chart/preview"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/account"
	"hush/web/state/form"
	"hush/web/state/stage"
)

// Preview is the answer to come, before anything is spent: the frame of its picture, the error to
// expect, possible improvements and the cost; or what is still missing.
type Preview struct {
	app.Compo

	Model    *state.Model   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // for the picture
}

// Render draws the preview.
func (p *Preview) Render() app.UI {
	m := p.Model
	body := []app.UI{app.Div().Class("top").Body(app.Span().Body(
		app.B().Text(say.Text("Preview")), app.Text(say.Text(": it costs nothing"))))}
	if plan := m.Forecast.Plan; m.Question.Missing() == "" && m.Forecast.Progress == nil &&
		plan != nil {
		body = append(body, p.priced(plan)...)
	} else {
		body = append(body, p.unpriced())
	}
	return app.Section().ID(stage.PreviewID).TabIndex(-1).Class("card pad stack").
		Aria("label", say.Text("Preview")).Body(body...)
}

// unpriced says why there is no picture of the answer.
func (p *Preview) unpriced() app.UI {
	m := p.Model
	switch f := m.Forecast.Failure; {
	case m.Question.Missing() != "":
		return app.Div().Class("empty").Body(
			app.Img().Src("/web/icons/quiet.svg").Role("presentation").Aria("hidden", "true").
				Width(160).Height(72),
			app.P().Text(say.Text("What the answer will look like appears here.")),
		)
	case m.Forecast.Progress != nil:
		return parts.Meter(say.Text("Counting the people…"), *m.Forecast.Progress,
			m.Forecast.CancelPlan)
	case f != nil && !shown(m, f.Field):
		return parts.FailureNote(f)
	case f != nil:
		return app.P().ID("missing").Class("soft").
			Text(say.Text("What the answer will look like appears here once the marked field is " +
				"right."))
	}
	return parts.Absent()
}

// shown reports whether the question has a field with that name, which shows its fault.
func shown(m *state.Model, field string) bool {
	switch field {
	case "epsilon", "column", "kind", "groupColumn", "findShare", "findDelta", "filter", "others",
		form.ParamTry, ask.ParamGood, ask.ParamBest, ask.ParamHalves:
		return true
	}
	if strings.HasPrefix(field, "others.") && strings.HasSuffix(field, ".cuts") {
		return true
	}
	return slices.ContainsFunc(m.Question.Task().Params, func(p ask.Param) bool {
		return p.Name == field || ask.TryName(p.Name) == field
	})
}

func (p *Preview) priced(plan *ask.Plan) []app.UI {
	m := p.Model
	return []app.UI{
		app.Div().Class("figure").Body(
			app.H2().ID("preview-title").Text(p.title(plan)),
			p.picture(plan),
		),
		p.why(plan.Verdict),
		p.forecast(plan.Ahead(say.Language())),
		&HelpList{Model: m, Revision: p.Revision, Place: "preview", Browser: p.Browser},
		p.price(plan),
		exactly(plan.Guarantee),
		parts.Explain(p.texts(plan)...),
	}
}

// forecast is the error to expect; what else is known of it, and of how the answer is found, is
// folded.
func (p *Preview) forecast(list []ask.Forecast) app.UI {
	return app.Div().Class("stack tight").Body(
		parts.ForecastList("forecast", list[:min(len(list), 1)]),
		app.If(len(list) > 1, func() app.UI {
			return app.Details().ID("forecast-details").Class("more").Body(
				app.Summary().Text(say.Text("More about the error and the method")),
				parts.ForecastList("forecast-more", list[1:]))
		}))
}

// picture is the one to come, where it is known.
func (p *Preview) picture(plan *ask.Plan) app.UI {
	r := p.Model.Question.Recipe()
	option, tall := preview.Draw(*plan, r)
	if option == nil {
		return app.P().ID("frame").Class("sub").
			Text(parts.Together(frameText(plan, r.Domain.Kind)))
	}
	class := "chart short"
	if tall {
		class = "chart"
	}
	return &parts.Chart{ID: "preview-chart", Option: string(option), Class: class,
		Label: frameText(plan, r.Domain.Kind), Browser: p.Browser}
}

// texts returns the texts that the preview shows, for their explanations.
func (p *Preview) texts(plan *ask.Plan) []string {
	texts := []string{say.Text("privacy loss ε"), say.Text("of the limit"),
		say.Phrase(plan.Loss), plan.Guarantee.Exact, plan.Guarantee.Neighbours}
	for _, f := range plan.Ahead(say.Language()) {
		texts = append(texts, f.Label, f.Detail)
	}
	return texts
}

// price states what was spent on the file before, what is left of its limit, and what this release
// would leave.
func (p *Preview) price(plan *ask.Plan) app.UI {
	m := p.Model
	if m.Data.Account == nil || m.Data.Opened.StorageRefused != "" {
		return parts.Absent()
	}
	b, err := m.Data.Account.Budget()
	if err != nil { // unreachable: the engine has read this limit
		return parts.FailureNote(&engine.Fault{Message: say.Error(err)})
	}
	after, priced := m.Forecast.After()
	lines := []app.UI{
		app.P().ID("spent").Class("small").
			Text(parts.Together(account.SpentText(b, m.Data.Account.Count))),
		app.P().ID("left").Class("small soft").Text(parts.Together(account.LeftText(b))),
	}
	switch {
	case priced && after.Over:
		return app.Div().Class("stack").Body(append(lines,
			parts.Note("bad", parts.Together(account.OverText(b, plan.Loss))),
			parts.LedgerLink(say.Text("Change the limit in the ledger")))...)
	case priced && after.Limit != nil:
		lines = append(lines, app.P().ID("after").Class("small").
			Text(parts.Together(account.AfterText(after, b.Room(plan.Loss)))))
	}
	return app.Div().Class("stack").Body(
		parts.BudgetWarning(b),
		app.Details().Class("more").Body(append([]app.UI{
			app.Summary().Text(say.Text("Budget spent before and left"))},
			lines...)...),
	)
}

// why explains the verdict in advance, if it is not good.
func (p *Preview) why(v *ask.Verdict) app.UI {
	if v == nil || v.Grade == ask.Good {
		return parts.Absent()
	}
	return app.P().ID("why-before").Class("small").Text(v.Text)
}

// title is the question's title, with its conditions.
func (p *Preview) title(plan *ask.Plan) string {
	title := QuestionTitle(*plan)
	if r := p.Model.Question.Recipe(); len(r.Filter) > 0 {
		title = say.Format("%s: only %s", title, r.Whom(say.Language()))
	}
	return title
}

// QuestionTitle names a question by its content: "Histogram of age".
func QuestionTitle(plan ask.Plan) string {
	if plan.Column == "" {
		return plan.Task
	}
	return say.Format("%s of %s", plan.Task, plan.Column)
}

// frameText describes the picture to come in words.
func frameText(plan *ask.Plan, kind domain.Kind) string {
	f := plan.Frame
	if f == nil {
		return say.Format("The file has %s rows; the number is public.",
			message.Grouped(plan.People))
	}
	var text string
	value := func(x float64) string { return withUnit(message.Prose(x), f.Unit) }
	place := message.Prose // along the axis
	if kind == domain.Date || kind == domain.Timestamp {
		place = func(x float64) string { return time.Unix(int64(x), 0).UTC().Format(time.DateOnly) }
	}
	switch f.Kind {
	case ask.FrameBins:
		text = say.Count(int64(len(f.Edges)-1), "One bar along %[2]s, from %[3]s to %[4]s.",
			"%d bars along %s, from %s to %s.", len(f.Edges)-1, f.Axis, place(f.Edges[0]),
			place(f.Edges[len(f.Edges)-1]))
		text += " " + say.Format("Spread evenly, each would be %s.", value(f.Even))
	case ask.FrameBars:
		text = say.Count(int64(len(f.Labels)), "One bar.", "%d bars.", len(f.Labels)) + " " +
			say.Format("Spread evenly, each would be %s.", value(f.Even))
	case ask.FrameTable:
		text = say.Format("A table of %s, with %d columns.", f.Axis, len(f.Labels)) + " " +
			say.Format("Spread evenly, each would be %s.", value(f.Even))
	case ask.FrameCurve:
		text = say.Format("A line along %s, from %s to %s.", f.Axis, place(f.Edges[0]),
			place(f.Edges[len(f.Edges)-1]))
	default:
		text = say.Format("One number between %s and %s.", message.Prose(f.Lo), value(f.Hi))
		if f.Error < 0 { // for a value of the column
			text = say.Format("One number between %s and %s.", place(f.Lo),
				withUnit(place(f.Hi), f.Unit))
		}
	}
	if f.Error >= 0 {
		text += " " + say.Format("Give or take %s.", value(f.Error))
	}
	return text
}

func withUnit(number, unit string) string {
	if unit == "" {
		return number
	}
	return number + " " + unit
}
