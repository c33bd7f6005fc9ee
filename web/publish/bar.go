package publish

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/publish/answer"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/account"
	"hush/web/state/dataset"
	"hush/web/state/place"
	"hush/web/state/release"
	"hush/web/state/session"
	"hush/web/state/stage"
)

// Bar stays at the bottom of the page: with the verdict, the error, the price, and the button that
// spends it; afterwards, with the uses of the answer.
type Bar struct {
	app.Compo

	Model    *state.Model    // read and changed
	Revision int             // Model.Revision
	Browser  *parts.Browser  // for the question whether to release noise
	Progress engine.Progress // Model.Release.Progress
	Asks     bool            // whether to release noise, without being pressed, in the gallery

	offered *ask.Plan // what the button spends, as shown on the screen
}

const doubtID = "doubt"

// Render draws the bar for the present screen.
func (b *Bar) Render() app.UI {
	m := b.Model
	var body []app.UI
	switch {
	case m.Answer.Phase == release.Running:
		body = []app.UI{app.Div().Class("fact first0 run").Body(
			parts.Meter(phaseText(m.Answer.Progress.Phase), m.Answer.Progress, m.Answer.CancelRun),
			app.Span().Text(answer.SpentMeanwhile(m)))}
	case m.Answer.OnScreen():
		body = []app.UI{b.verdict(), b.error(&m.Answer.Result.Plan), b.spent(), b.next()}
	case m.Data.Phase == dataset.Opened && m.Forecast.Plan == nil:
		body = []app.UI{b.missing(), b.run()}
	case m.Data.Phase == dataset.Opened:
		body = []app.UI{b.verdict(), b.error(m.Forecast.Plan), b.cost(), b.run()}
	default:
		return app.Div().Hidden(true)
	}
	doubt := parts.Absent()
	if claims := m.Claims.Lines(); len(m.Claims.Open()) > 0 {
		doubt = b.claims(claims)
	} else if m.Forecast.Doubtful() {
		doubt = b.doubt()
	}
	return app.Section().ID(stage.BarID).TabIndex(-1).Class("bar-stay no-print").
		Aria("label", say.Text("Verdict and release")).
		Body(app.Div().Class("bar-in").Body(body...), doubt)
}

func (b *Bar) verdict() app.UI {
	v := b.Model.Answer.Verdict()
	if b.Model.Answer.OnScreen() && b.Model.Answer.Opened {
		return answer.UnverifiedChip()
	}
	if v == nil {
		return parts.Absent()
	}
	return parts.ForecastChip(v.Grade, v.From)
}

// error is the error to expect: in the unit of the verdict, or as the forecast says it where there
// is no verdict. An answer with a range shows that, in the column's own unit.
func (b *Bar) error(plan *ask.Plan) app.UI {
	if b.Model.Answer.OnScreen() {
		if span := chart.Range(b.Model.Answer.Result); span != "" {
			detail := say.Text("in 95 of 100 releases")
			if q, is := b.Model.Answer.Result.Answer.Result.(*task.Quantiles); is &&
				len(q.Rows) > 1 {
				detail = say.Text("all ranges at once in 95 of 100 releases")
			}
			return parts.BarFact("first", parts.Together(span), detail)
		}
	}
	switch v := b.Model.Answer.Verdict(); {
	case plan.Range != "" && !b.Model.Answer.OnScreen():
		return parts.BarFact("first", parts.Together(say.Format("about %s", plan.Range)),
			say.Text("if values are spread evenly"))
	case plan.Off != nil && plan.Off.Typical >= 0 && !b.Model.Answer.OnScreen():
		most := say.Text("typically")
		if plan.Off.Bound >= 0 {
			most = say.Format("typically; up to %s", phrase.AtMost(plan.Off.Bound))
		}
		line := "± " + ask.InUnit(plan.Off.Typical, plan.ErrorUnit)
		if plan.Off.Least(plan.ErrorOf) {
			line = say.Format("less than %s", ask.InUnit(ask.LeastPerson, plan.ErrorUnit))
		}
		return parts.BarFact("first", parts.Together(line), most)
	case v != nil:
		detail := say.Text("in 95 of 100 releases")
		switch {
		case v.Usual && plan.Off != nil && plan.Off.Bound < 0:
			detail = say.Text("typically")
		case v.Usual:
			detail = say.Text("on most data")
		}
		return parts.BarFact("first",
			parts.Together(ask.OffBy(v.Error, plan.ErrorUnit)), detail)
	case len(plan.Forecast) > 0:
		f := plan.Forecast[0]
		return parts.BarFact("first", parts.Together(f.Value), f.Label)
	}
	return parts.Absent()
}

// missing says what the question still needs.
func (b *Bar) missing() app.UI {
	m := b.Model
	text := m.Question.Missing()
	switch {
	case text != "":
	case m.Forecast.Failure != nil:
		text = say.Text("Something in the form needs another look.")
	default:
		text = say.Text("The price is being worked out…")
	}
	return parts.BarFact("first0", say.Text("Nothing is spent yet"), text)
}

// cost states what the release at hand costs, and what it leaves.
func (b *Bar) cost() app.UI {
	m := b.Model
	loss := m.Forecast.Plan.Loss
	if m.Data.Account == nil {
		return parts.BarFact("second", parts.Together(say.Format("costs %s", loss)), "")
	}
	before, err := m.Data.Account.Budget()
	if err != nil || before.Limit == nil { // the engine has read a limit that exists
		return parts.BarFact("second", parts.Together(say.Format("costs %s", loss)),
			say.Text("no limit is set"))
	}
	line := parts.Together(say.Format("costs %s of %s", loss, parts.Most(before)))
	if before.Fixed() {
		line = parts.Together(say.Format("costs %s", loss))
	}
	return parts.Leaves(line, before, loss)
}

// spent states the cost of all releases from the data set together, and what is left.
func (b *Bar) spent() app.UI {
	m := b.Model
	if m.Data.Account == nil || m.Answer.Opened || m.Data.Phase != dataset.Opened {
		return parts.Absent()
	}
	budget, err := m.Data.Account.Budget()
	switch {
	case err != nil: // unreachable: the engine has read this limit
		return parts.Absent()
	case budget.Limit == nil:
		return parts.BarFact("second", parts.Together(say.Format("spent %s in all", budget.Spent)),
			say.Text("no limit is set"))
	}
	return parts.Measured(parts.SpentOf(budget),
		parts.Together(say.Format("%s left", account.LeftFor(budget, budget.Spent))),
		parts.BudgetMeter(budget.Used, budget.Used))
}

// run is the button that spends. If the answer would be mostly noise, it asks for confirmation.
func (b *Bar) run() app.UI {
	m := b.Model
	b.offered = m.Forecast.Plan
	text, class := say.Text("Release"), "button main"
	claimed := len(m.Claims.Open()) > 0
	switch {
	case claimed:
		text = say.Text("Look at its contents…")
	case m.Forecast.Doubtful():
		text, class = say.Text("Release anyway…"), "button danger"
	case m.Answer.FoundNothing():
		text = say.Text("Search again")
	case m.Answer.Phase == release.Failed:
		text = say.Text("Try again")
	}
	spoken := text // with the price, for screen readers alone
	if m.Forecast.Priced() && !claimed {
		spoken = say.Format("%s, spending ε = %s", text, m.Question.Recipe().Epsilon)
	}
	later := say.Text("Put it on the page")
	if m.Page.Changing > 0 {
		later = say.Text("Put it back on the page")
	}
	return app.Div().Class("push").Body(
		// always present: otherwise the button behind it would become another one under a finger
		app.Button().ID("plan").Class("button").Type("button").Text(later).
			Disabled(!m.Figures.MayPlan()).
			OnClick(func(app.Context, app.Event) {
				if b.stands() {
					m.Figures.Plan()
					b.Browser.Visit(place.ViewPage.Path())
				}
			}),
		app.Button().ID("run").Class(class).Type("button").Text(text).Aria("label", spoken).
			Disabled(!claimed && (!m.Forecast.Priced() || !m.Question.MayAsk())).
			OnClick(func(app.Context, app.Event) { b.press() }),
	)
}

// stands reports whether the button still does what it says: the question may have been priced
// again since the button was drawn, with the same result.
func (b *Bar) stands() bool {
	now, drawn := b.Model.Forecast.Plan, b.offered
	return now == drawn || now != nil && drawn != nil && engine.Encode(now) == engine.Encode(drawn)
}

func (b *Bar) press() {
	switch m := b.Model; {
	case len(m.Claims.Open()) > 0:
		b.Browser.ShowDialog(claimsID)
	case !b.stands(): // another price came, and is not drawn yet
	case m.Forecast.Doubtful():
		b.Browser.ShowDialog(doubtID)
	default:
		m.Answer.Run()
	}
}

// next lists what can be done once the answer is there. An answer that is mostly noise is no part
// of a report until its owner confirms knowing that.
func (b *Bar) next() app.UI {
	m := b.Model
	r := m.Answer.Result
	b.offered = m.Forecast.Plan
	var again app.UI = app.Button().ID("again").Type("button").
		Text(say.Text("Ask this question again")).
		OnClick(func(app.Context, app.Event) { m.Answer.AskAgain(m.Answer.Result) })
	if m.Forecast.AsksThis(r) {
		again = app.Button().ID("run").Type("button").Disabled(!m.Question.MayAsk()).
			Text(say.Format("Release once more, spending ε = %s", m.Question.Recipe().Epsilon)).
			OnClick(func(app.Context, app.Event) { b.press() })
	}
	another, class := say.Text("Ask another question"), "button"
	if session.IsNoise(r) {
		another, class = say.Text("Change the question"), "button main"
	}
	var collect app.UI
	switch {
	case m.Page.Has(r):
		collect = answer.PageLink(m)
	case session.IsNoise(r):
		collect = parts.Absent()
	default:
		collect = answer.CollectButton(m, "button main")
	}
	return app.Div().Class("push").Body(
		app.Details().Class("menu up").Body(
			parts.ShortSummary(say.Text("More about this answer"), "…"),
			app.Ul().Body(app.Li().Body(again)),
		),
		app.Button().ID("another").Class(class).Type("button").Text(another).
			OnClick(func(app.Context, app.Event) { m.Answer.AskAnother() }),
		collect,
	)
}

// doubt asks for confirmation before noise is paid for.
func (b *Bar) doubt() app.UI {
	m := b.Model
	plan := m.Forecast.Plan
	return app.Dialog().ID(doubtID).Class("dialog steady").Open(b.Asks).
		Aria("labelledby", doubtID+"-title").Body(
		app.Div().Body(parts.VerdictChip(plan.Verdict.Grade)),
		app.H2().ID(doubtID+"-title").Text(say.Text("Release what is mostly noise?")),
		app.P().Text(plan.Verdict.Text),
		app.P().Text(parts.Together(say.Format("It costs %s all the same, once and for good.",
			plan.Loss))),
		&answer.HelpList{Model: m, Revision: b.Revision, Place: doubtID, Dialog: doubtID,
			Browser: b.Browser},
		app.Div().Class("row").Body(
			app.Button().ID("doubt-change").Class("button main").Type("button").
				Text(say.Text("Change the question")).
				OnClick(func(app.Context, app.Event) {
					b.Browser.HideDialog(doubtID)
					m.Answer.AskAnother()
				}),
			app.Button().ID("doubt-release").Class("button danger").Type("button").
				Text(say.Text("Release anyway")).
				OnClick(func(app.Context, app.Event) {
					b.Browser.HideDialog(doubtID)
					if b.stands() {
						m.Answer.Run()
					}
				}),
		),
	)
}

func phaseText(phase string) string {
	switch phase {
	case "reading":
		return say.Text("Reading the column…")
	case "computing":
		return say.Text("Drawing the answer…")
	}
	return say.Text("Starting…")
}
