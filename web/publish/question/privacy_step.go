package question

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/message"
	"hush/web/chart"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
)

// PrivacyStep asks for the error that is needed, once the question has a price.
type PrivacyStep struct {
	app.Compo

	Model    *state.Model   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // for the chart
}

// Render draws the wish.
func (s *PrivacyStep) Render() app.UI {
	m := s.Model
	if m.Question.Missing() != "" || m.Forecast.Progress != nil || m.Forecast.Plan == nil {
		return parts.Absent()
	}
	return app.Section().ID("step-privacy").
		Aria("label", say.Text("The error that is needed")).Body(s.wish())
}

// Dial sets how much privacy loss to accept.
type Dial struct {
	app.Compo

	Model    *state.Model // read and changed
	Revision int          // Model.Revision
}

// Render draws the slider, the number, and what it means.
func (s *Dial) Render() app.UI {
	m := s.Model
	at, exact := slices.BinarySearchFunc(form.Epsilons, m.Question.Form.Epsilon,
		func(stop, typed string) int { return form.CompareDecimal(stop, typed) })
	words := strength(m.Question.Form.Epsilon)
	spoken := "ε " + m.Question.Form.Epsilon
	if !exact {
		at = min(at, len(form.Epsilons)-1)
	}
	fault := m.Forecast.Fault("epsilon")
	promise, help := "", words
	if m.Forecast.Priced() {
		if promise = m.Forecast.Plan.Guarantee.Line(); m.Forecast.Plan.Loss.Nominal() {
			help = "" // the promise states it
		}
	}
	return app.Div().Class("stack ruled").Body(
		app.Div().Class("dial-head").Body(
			app.H2().Class("minor").Text(say.Text("Privacy")),
			app.Span().ID("meaning").Class("small soft").Text(promise)),
		app.Div().Class("dial").Body(
			app.Input().ID("epsilon-slider").Type("range").Min(0).Max(len(form.Epsilons)-1).Step(1).
				Value(at).
				Aria("label", say.Text("Privacy loss, from strongest to weakest protection")).
				Aria("valuetext", spoken+", "+words).
				OnInput(func(ctx app.Context, e app.Event) {
					i, err := strconv.Atoi(ctx.JSSrc().Get("value").String())
					if err == nil && i >= 0 && i < len(form.Epsilons) {
						m.Question.Edit("epsilon",
							func(q *form.Question) { q.Epsilon = form.Epsilons[i] })
					}
				}),
			app.Label().Class("row").For("epsilon").Body(
				app.Span().Class("unseen").Text(say.Text("Privacy loss ε (epsilon)")),
				app.Span().Aria("hidden", "true").Text("ε"),
				&parts.TextInput{ID: "epsilon", Class: "input small eps",
					Label: say.Text("Privacy loss ε (epsilon)"),
					Value: m.Question.Form.Epsilon, Invalid: fault != "",
					OnText: func(v string) {
						m.Question.Edit("epsilon", func(q *form.Question) { q.Epsilon = v })
					}}),
			app.Div().Class("zones").Body(s.zones(),
				app.Div().Class("ends").Aria("hidden", "true").
					Body(app.Span().Text(say.Text("more private")),
						app.Span().Text(say.Text("more exact")))),
		),
		app.P().Class("small soft").ID("epsilon-help").Text(help),
		app.P().Class("field-error").ID("epsilon-fault").Role("alert").Text(fault),
	)
}

// zones shows from which ε on the answer is rough, and good: as a strip below the slider, and in
// words.
func (s *Dial) zones() app.UI {
	curve := s.Model.Wish.Curve
	if !s.Model.Forecast.Priced() {
		return parts.Absent()
	}
	strip := parts.SVG("svg").Attr("viewBox", "0 0 13 1").Attr("preserveAspectRatio", "none").
		Aria("hidden", "true")
	var zones []app.UI
	from := map[ask.Grade]string{}
	for _, point := range curve {
		if from[point.Grade] == "" {
			from[point.Grade] = point.Epsilon
		}
		i := len(zones)
		if i == len(form.Epsilons) || point.Epsilon != form.Epsilons[i] {
			continue // between two stops of the slider
		}
		x, width := float64(i)-.5, 1.
		if i == 0 {
			x, width = 0, .5
		}
		zones = append(zones, parts.SVG("rect").Class("z-"+string(point.Grade)).
			Attr("x", x).Attr("width", width).Attr("height", 1))
	}
	if len(zones) < len(form.Epsilons) {
		return parts.Absent()
	}
	words := say.Text("Mostly noise at every ε here.")
	epsilon := message.GroupedText(s.Model.Question.Recipe().Epsilon)
	v := s.Model.Forecast.Plan.Verdict
	switch good, rough := from[ask.Good], from[ask.Rough]; {
	case v != nil && v.From != "" && v.Grade == ask.Unknown: // one sentence, with the chip
		words = say.Format("At ε = %s good if the answer is %s or more.", epsilon, v.From)
	case v != nil && v.From != "" && v.Grade == ask.Rough:
		words = say.Format("At ε = %s rough if the answer is %s or more.", epsilon, v.From)
	case good == form.Epsilons[0]:
		words = say.Text("Good to publish at every ε here.")
	case good != "":
		words = say.Format("Good to publish from ε = %s on.", good)
	case from[ask.Unknown] != "":
		words = say.Format("From ε = %s on it depends on the size of the answer.",
			from[ask.Unknown])
	case rough != "":
		words = say.Format("Rough from ε = %s on.", rough)
	}
	return app.Div().Body(strip.Body(zones...),
		app.P().ID("zones").Class("small").Text(parts.Together(words)))
}

// strength says what an ε means in practice; empty if the text is not an ε.
func strength(epsilon string) string {
	switch {
	case form.CompareDecimal(epsilon, "x") == 0, form.CompareDecimal(epsilon, "0") <= 0,
		form.CompareDecimal(epsilon, "100") > 0:
		return ""
	case form.CompareDecimal(epsilon, "0.1") <= 0:
		return say.Text(
			"Very strong protection: good for the most sensitive data, and for many releases.")
	case form.CompareDecimal(epsilon, "1") <= 0:
		return say.Text("Strong protection, as most guidance recommends.")
	case form.CompareDecimal(epsilon, "3") <= 0:
		return say.Text("Moderate protection: acceptable for data that is not very sensitive.")
	}
	if form.CompareDecimal(epsilon, "20") <= 0 {
		return say.Text(
			"Weak protection: a determined attacker may learn something about a person.")
	}
	return say.Text("No protection in practice: an answer may reveal a person's data.")
}

// wish asks for the error that is needed, and shows how error and ε are related.
func (s *PrivacyStep) wish() app.UI {
	m := s.Model
	unit := m.Forecast.Plan.ErrorUnit
	return app.Details().ID("wish-details").Body(
		app.Summary().Text(say.Text("I know how exact it must be")),
		app.Div().Class("more").Body(
			app.Div().Class("fields").Body(
				parts.TextField("wish", say.Format("Off by at most (%s)", unit), m.Wish.Text,
					form.WishHelp(m.Forecast.Plan), m.Wish.Fault, m.Wish.Set),
				app.Div().Class("field").
					Body(app.Button().ID("grant").Class("button push").Type("button").
						Text(say.Text("Find the smallest ε")).
						OnClick(func(app.Context, app.Event) { m.Wish.Grant(m.Forecast.Plan) })),
			),
			app.If(len(m.Wish.Curve) > 1, func() app.UI {
				return app.Div().Class("more").Body(
					&parts.Chart{
						ID: "curve-chart",
						Option: string(chart.Curve(m.Wish.Curve, m.Question.Recipe().Epsilon,
							unit)),
						Class: "chart low",
						Label: say.Text("The error to expect falls as the privacy loss grows; " +
							"the table says the same."), Browser: s.Browser},
					parts.DataTable(say.Text("Error to expect by privacy loss"),
						[]string{"ε", unit}, chart.CurveRows(m.Wish.Curve), "low", func(int) bool {
							return true
						}),
				)
			}),
		),
	)
}
