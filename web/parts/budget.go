package parts

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/account"
	"hush/web/state/place"
)

// Together keeps a sign, its number, and the letter before it in one line.
func Together(text string) string {
	return strings.NewReplacer(" = ", "\u00a0=\u00a0", " ≤ ", "\u00a0≤\u00a0", "± ", "±\u00a0",
		" %", "\u00a0%").
		Replace(text)
}

// BudgetBar draws the spent share of a limit; there is none without a limit.
func BudgetBar(b engine.Budget, label string) app.UI {
	if b.Limit == nil {
		return Absent()
	}
	class := map[engine.Level]string{engine.LevelLow: "low", engine.LevelHalf: "half",
		engine.LevelMost: "most", engine.LevelFull: "full"}[b.Level]
	return app.Progress().Class("budget "+class).Max(1000).
		Value(min(account.SpentShare(b, 1000), 1000)).Aria("label", label).
		Aria("valuetext", account.Percent(b))
}

// BudgetWarning returns the warning for this level, if there is one.
func BudgetWarning(b engine.Budget) app.UI {
	kind, text := account.WarningText(b)
	if text == "" {
		return Absent()
	}
	return Note(kind, text)
}

// LedgerLink leads to the ledger.
func LedgerLink(text string) app.UI {
	return app.P().Body(app.A().Href("#" + place.ViewLedger.Path()).Text(text))
}

// OverLimitNote says that a release was refused by the limit.
func OverLimitNote(f *engine.Fault) app.UI {
	return app.Div().Class("more").
		Body(Note("bad", say.Format("%s. Nothing was spent.", task.Capital(f.Message))),
			LedgerLink(say.Text("Change the limit in the ledger")))
}
