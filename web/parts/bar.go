package parts

import (
	"math/big"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/privacy"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/account"
	"hush/web/state/place"
)

// BarFact draws two lines of the bar.
func BarFact(class, line, detail string) app.UI {
	return app.Div().Class("fact "+class).
		Body(app.B().Text(line), app.Span().Text(detail))
}

// Measured draws a fact with a meter beside its first line.
func Measured(line, detail string, meter app.UI) app.UI {
	return app.Div().Class("fact second").Body(
		app.Span().Class("line").Body(app.B().Text(line), meter),
		app.Span().Text(detail),
	)
}

// Leaves says what a loss leaves of the limit, or that it exceeds what is left.
func Leaves(line string, before engine.Budget, loss privacy.Loss) app.UI {
	after := before.After(loss)
	if after.Over {
		return app.Div().Class("fact second over").Body(
			app.B().Text(line),
			app.Span().Body(
				app.Text(Together(say.Format("only %s left. ", account.LeftFor(before, loss)))),
				app.A().Href("#"+place.ViewLedger.Path()).Text(say.Text("Change the limit"))))
	}
	return Measured(line,
		Together(say.Format("%s left afterwards", account.LeftFor(after, loss))),
		BudgetMeter(before.Used, after.Used))
}

// SpentOf says how much of the limit was spent.
func SpentOf(b engine.Budget) string {
	if b.Fixed() { // the plain sum may be above it
		return Together(say.Format("spent %s of the limit", account.Percent(b)))
	}
	return Together(say.Format("spent %s of %s", b.Spent.Brief(), Most(b)))
}

// Most returns the ε of a limit.
func Most(b engine.Budget) string {
	epsilon, _ := b.Limit.Epsilon() // a limit is finite
	return privacy.Number(epsilon)
}

// BudgetMeter draws what is left of a limit, and the part of it that a release takes; the text
// beside it says the same.
func BudgetMeter(before, after *big.Rat) app.UI {
	rect := func(class string, used *big.Rat) app.UI {
		left, _ := new(big.Rat).Sub(big.NewRat(1, 1), used).Float64()
		return SVG("rect").Class(class).Attr("height", "8").Attr("rx", "4").
			Attr("width", strconv.FormatFloat(96*min(max(left, 0), 1), 'f', 1, 64))
	}
	return SVG("svg").Class("meter").Attr("viewBox", "0 0 96 8").Aria("hidden", "true").
		Body(rect("gone", new(big.Rat)), rect("this", before), rect("left", after))
}
