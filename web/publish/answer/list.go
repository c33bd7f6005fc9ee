package answer

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/release"
	"hush/web/state/session"
)

// List lists the answers at hand, each on a card, to look at them again and to compare them.
type List struct {
	app.Compo

	Model    *state.Model   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // for the chart
}

// Render draws the list, and the chosen answers side by side.
func (s *List) Render() app.UI {
	m := s.Model
	past := m.History.Past
	body := []app.UI{
		app.H2().ID("history-title").Class("minor").Text(say.Text("Your answers")),
		app.Ul().Class("past").
			Body(app.Range(past).
				Slice(func(i int) app.UI { return s.entry(&past[len(past)-1-i]) })),
	}
	if len(past) > 1 {
		body = append(body, app.P().ID("together").Class("small").
			Text(parts.Together(say.Format("Privacy losses add up: all "+
				"%d together cost %s wherever they are about the same people.",
				len(past), m.History.Together()))))
	}
	switch chosen := m.History.Compared(); {
	case len(chosen) > 1:
		body = append(body, &Comparison{Model: m, Revision: m.Revision, Browser: s.Browser})
	case len(past) > 1:
		body = append(body,
			app.P().Class("soft small").
				Text(say.Text("Tick two or more to see them side by side.")))
	}
	return app.Section().ID("history").Class("card pad stack no-print").
		Aria("labelledby", "history-title").
		Body(append(body, app.Details().Class("more").Body(
			app.Summary().Text(say.Text("Clear this list")),
			app.P().Class("soft small").Text(say.Text("Clearing the list deletes no answer: "+
				"those kept on this device are in the ledger. It gives no privacy back: released "+
				"answers stay released, and the record of the budget spent stays.")),
			app.Div().Body(app.Button().ID("clear-history").Class("button").Type("button").
				Text(say.Text("Clear it now")).
				OnClick(func(app.Context, app.Event) { m.Answer.ClearHistory() })),
		))...)
}

func (s *List) entry(p *session.Past) app.UI {
	m, number := s.Model, p.Number
	id := "past-" + strconv.Itoa(number)
	look := app.UI(app.Button().ID(id+"-look").Class("button plain").Type("button").
		Text(say.Text("Look again")).
		Aria("label", say.Format("Look again at %s", p.Title())).
		Disabled(m.Answer.Phase == release.Running).
		OnClick(func(app.Context, app.Event) { m.Answer.LookAgain(number) },
			app.EventScope(number)))
	if m.Answer.Result == p.Release && m.Answer.OnScreen() {
		look = app.Span().Class("here").Text(say.Text("shown above"))
	}
	return app.Li().Body(
		app.Input().ID(id).Type("checkbox").Checked(p.Compare).
			OnChange(func(ctx app.Context, _ app.Event) {
				m.Answer.Compare(number, ctx.JSSrc().Get("checked").Bool())
			}, app.EventScope(number)),
		app.Label().For(id).Body(
			app.B().Text(parts.Together(p.Title())),
			app.Span().Class("small soft").Text(p.Release.Statement),
			verdictIn(p.Release),
		),
		look,
	)
}
