package answer

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/privacy"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/account"
	"hush/web/state/place"
)

// chanceApart is the chance that each interval misses, in percent.
const chanceApart = 5

// topUp offers to make the answer good for the difference of two losses.
func (a *Aside) topUp(offer *engine.TopUpOffer) app.UI {
	m, r := a.Model, a.Release
	epsilon, _ := offer.Debit.Epsilon() // the loss of a top-up has one
	more := privacy.Number(epsilon)
	title := say.Format("Good to publish for ε = %s more", more)
	button, spoken := say.Text("Make it good"), say.Format("Make it good, spending ε = %s", more)
	if offer.Paid {
		title = say.Format("Paid for and not drawn: this answer with ε = %s", offer.Epsilon)
		button = say.Text("Draw it")
		spoken = say.Format("Draw the answer with ε = %s, which is paid for", offer.Epsilon)
	}
	budget, known := m.TopUp.Budget(m.Data.Account)
	over := parts.Absent()
	if known && budget.Over {
		before, _ := m.Data.Account.Budget()
		over = app.P().Class("small").Body(
			app.Text(parts.Together(say.Format("Only %s left. ",
				account.LeftFor(before, offer.Debit)))),
			app.A().Href("#"+place.ViewLedger.Path()).Text(say.Text("Change the limit")))
	}
	about := say.Format("The same question with ε = %s in all. Both answers together cost what "+
		"the second costs alone, and the second replaces this one.", offer.Epsilon)
	if !offer.Debit.IsRest() {
		about = say.Format("The same question is asked once more, for ρ = %s, and the average of "+
			"both answers replaces this one. Counted in ρ, both cost as much as one answer with "+
			"ε = %s; in the plain sum, the second costs its own ε.",
			privacy.Number(offer.Debit.Rho()), offer.Epsilon)
	}
	chances := 100 - chanceApart*(len(r.Head.Before)+2)
	v := offer.Plan.Verdict
	return app.Section().Class("card pad stack no-print").ID("topup").
		Aria("labelledby", "topup-title").Body(
		app.H3().ID("topup-title").Class("minor").Text(parts.Together(title)),
		app.P().Class("n").
			Text(parts.Together(ask.OffBy(v.Error, offer.Plan.ErrorUnit))),
		app.P().Class("small").Text(parts.Together(about)),
		app.If(!v.Usual, func() app.UI {
			return app.P().Class("small soft").Text(say.Format("Each error holds in 95 of 100 "+
				"releases. The error of the answer you end with holds in at least %d of 100, "+
				"whatever your reason for asking again.",
				chances))
		}),
		over,
		app.Div().Body(app.Button().ID("make-good").Class("button").Type("button").Text(button).
			Aria("label", spoken).Disabled(known && budget.Over || m.Data.Looked()).
			OnClick(func(app.Context, app.Event) { m.Answer.MakeGood() })),
	)
}
