package web

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/engine"
	"hush/web/say"
)

// PrivacyStep is step 3: how much privacy loss to accept, what was spent before, and what error to expect.
type PrivacyStep struct {
	app.Compo
	gradual

	Model    *Model   // read and changed
	Revision int      // Model.Revision
	Browser  *browser // for the chart
}

// Render draws the dial, its meaning, and the forecast.
func (s *PrivacyStep) Render() app.UI {
	m := s.Model
	if m.Data.Phase != DataOpened || !m.Data.Confirmed {
		s.anew()
		return step(3, "step-privacy", say.Text("Privacy"), true,
			app.P().Class("soft").Text(say.Text("How much may the answer reveal about any one person? Less loss means more noise.")))
	}
	priced := m.Missing() == "" && m.Forecast.Progress == nil && m.Forecast.Plan != nil
	return step(3, "step-privacy", say.Text("Privacy"), false, s.parts(
		s.dial,
		when(m.Ledger != nil && m.Data.Opened.StorageRefused == "", s.budget),
		when(!priced, s.unpriced),
		when(priced, s.forecast),
		when(priced, s.wish),
		when(priced, s.guarantee),
		func() app.UI { return explain(s.texts()...) },
	)...)
}

// unpriced says why there is no forecast.
func (s *PrivacyStep) unpriced() app.UI {
	m := s.Model
	switch {
	case m.Missing() != "":
		return app.P().Class("soft").Text(say.Format("The expected error appears here. %s", m.Missing()))
	case m.Forecast.Progress != nil:
		return meter(say.Text("Counting the persons…"), *m.Forecast.Progress, m.CancelPlan)
	case m.Forecast.Failure != nil && m.Fault(m.Forecast.Failure.Field) == "":
		return failureNote(m.Forecast.Failure)
	case m.Forecast.Failure != nil:
		return app.P().Class("soft").Text(say.Text("The expected error appears here once the marked field is right."))
	}
	return absent()
}

// texts are those that the step shows, for their words.
func (s *PrivacyStep) texts() []string {
	texts := []string{say.Text("privacy loss ε"), say.Text("of the limit")}
	if plan := s.Model.Forecast.Plan; plan != nil {
		for _, f := range plan.Forecast {
			texts = append(texts, f.Label, f.Detail)
		}
		texts = append(texts, say.Phrase(plan.Loss), plan.Guarantee.Exact, plan.Guarantee.Neighbours)
	}
	return texts
}

// budget says what was spent on the file before, what is left of its limit, and what this release would leave.
func (s *PrivacyStep) budget() app.UI {
	b, err := s.Model.Ledger.Budget()
	if err != nil { // unreachable: the engine has read this limit
		return failureNote(&engine.Fault{Message: say.Error(err)})
	}
	lines := []app.UI{
		app.P().ID("spent").Text(together(spentText(b, s.Model.Ledger.Count))),
		app.P().ID("left").Class("soft").Text(together(leftText(b))),
		budgetBar(b, say.Text("How much of the limit is spent")),
	}
	after, priced := s.Model.After()
	switch {
	case priced && after.Over:
		lines = append(lines, note("bad", together(overText(b, s.Model.Forecast.Plan.Loss))), ledgerLink(say.Text("Change the limit in the ledger")))
	case priced && after.Limit != nil:
		lines = append(lines, app.P().ID("after").Text(together(afterText(after, b.Room(s.Model.Forecast.Plan.Loss)))))
	}
	if !after.Over {
		lines = append(lines, budgetWarning(b))
	}
	return app.Div().Class("more").Body(lines...)
}

func (s *PrivacyStep) dial() app.UI {
	m := s.Model
	at, exact := slices.BinarySearchFunc(Epsilons, m.Question.Epsilon, func(stop, typed string) int { return compareDecimal(stop, typed) })
	words := strength(m.Question.Epsilon)
	spoken := "ε " + m.Question.Epsilon
	if !exact {
		at = min(at, len(Epsilons)-1)
	}
	fault := m.Fault("epsilon")
	return app.Div().Class("field").Body(
		app.Label().For("epsilon").Text(say.Text("Privacy loss ε (epsilon)")),
		app.Div().Class("dial").Body(
			app.Input().ID("epsilon-slider").Type("range").Min(0).Max(len(Epsilons)-1).Step(1).Value(at).
				Aria("label", say.Text("Privacy loss, from strongest to weakest protection")).Aria("valuetext", spoken+", "+words).
				OnInput(func(ctx app.Context, e app.Event) {
					i, err := strconv.Atoi(ctx.JSSrc().Get("value").String())
					if err == nil && i >= 0 && i < len(Epsilons) {
						m.Edit("epsilon", func(q *Question) { q.Epsilon = Epsilons[i] })
					}
				}),
			&TextInput{ID: "epsilon", Value: m.Question.Epsilon, Invalid: fault != "",
				OnText: func(v string) { m.Edit("epsilon", func(q *Question) { q.Epsilon = v }) }},
		),
		app.Div().Class("ends").Aria("hidden", "true").Body(app.Span().Text(say.Text("more private")), app.Span().Text(say.Text("more exact"))),
		app.P().Class("help").ID("epsilon-help").Text(words),
		app.P().Class("field-error").ID("epsilon-fault").Role("alert").Text(fault),
	)
}

// strength says what an ε means in practice; nothing of what is none.
func strength(epsilon string) string {
	switch {
	case compareDecimal(epsilon, "x") == 0, compareDecimal(epsilon, "0") <= 0, compareDecimal(epsilon, "100") > 0:
		return ""
	case compareDecimal(epsilon, "0.1") <= 0:
		return say.Text("Very strong protection: good for the most sensitive data, and for many releases.")
	case compareDecimal(epsilon, "1") <= 0:
		return say.Text("Strong protection: what most guidance recommends for one release.")
	case compareDecimal(epsilon, "3") <= 0:
		return say.Text("Moderate protection: acceptable for data that is not very sensitive.")
	}
	return say.Text("Weak protection: a determined attacker may learn something about a person.")
}

// compareDecimal orders the decimal numbers people type; what is no number sorts last.
func compareDecimal(a, b string) int {
	x, errX := strconv.ParseFloat(strings.TrimSpace(a), 64)
	y, errY := strconv.ParseFloat(strings.TrimSpace(b), 64)
	switch {
	case errX != nil && errY != nil:
		return 0
	case errX != nil:
		return 1
	case errY != nil, x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

func (s *PrivacyStep) forecast() app.UI {
	return app.Div().Class("more").Body(
		app.H3().Text(say.Text("What to expect, before anything is spent")),
		forecastList("forecast", s.Model.Forecast.Plan.Forecast),
	)
}

func forecastList(id string, list []ask.Forecast) app.UI {
	return app.Dl().Class("forecast").ID(id).Body(
		app.Range(list).Slice(func(i int) app.UI {
			f := list[i]
			return app.Div().Body(
				app.Dt().Text(f.Label),
				app.Dd().Class("value").Text(f.Value),
				app.Dd().Class("detail").Text(f.Detail),
			)
		}),
	)
}

// wish asks for the error that is needed, and shows how error and ε go together.
func (s *PrivacyStep) wish() app.UI {
	m := s.Model
	unit := m.Forecast.Plan.ErrorUnit
	return app.Details().ID("wish-details").Body(
		app.Summary().Text(say.Text("I know how exact it must be")),
		app.Div().Class("more").Body(
			app.Div().Class("fields").Body(
				textField("wish", say.Format("Off by at most (%s)", unit), m.Wish.Text, wishHelp(m.Forecast.Plan), m.Wish.Fault, m.SetWish),
				app.Div().Class("field").Body(app.Button().ID("grant").Class("button push").Type("button").Text(say.Text("Find the smallest ε")).
					OnClick(func(app.Context, app.Event) { m.GrantWish() })),
			),
			app.If(len(m.Wish.Curve) > 1, func() app.UI {
				return app.Div().Class("more").Body(
					&Chart{ID: "curve-chart", Option: string(curveChart(m.Wish.Curve, m.Recipe().Epsilon, unit)), Class: "chart low",
						Label: say.Text("The error to expect falls as the privacy loss grows; the table says the same."), Browser: s.Browser},
					dataTable(say.Text("Error to expect by privacy loss"), []string{"ε", unit}, curveRows(m.Wish.Curve), "low", func(int) bool { return true }),
				)
			}),
		),
	)
}

func (s *PrivacyStep) guarantee() app.UI {
	g := s.Model.Forecast.Plan.Guarantee
	return app.Div().Class("more").Body(
		app.P().Text(g.Plain),
		app.Details().Body(
			app.Summary().Text(say.Text("The guarantee exactly")),
			app.Div().Class("more").Body(app.P().Text(g.Exact+"."), app.P().Class("soft").Text(g.Neighbours)),
		),
	)
}
