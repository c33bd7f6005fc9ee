package ledger

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/phrase"
	"hush/core/privacy"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/account"
)

// ruleNames names the rules for people, with the condition under which each holds.
var ruleNames = map[privacy.Rule]struct{ name, holds phrase.Key }{
	privacy.Basic:    {"basic composition: the sum", "yes: the ledger counts this"},
	privacy.Advanced: {"advanced composition", "only for losses fixed beforehand"},
	privacy.Concentrated: {"zero-concentrated (zCDP): the sum of ρ",
		"only for losses fixed beforehand"},
	privacy.Optimal: {"optimal composition", "only for losses fixed beforehand"},
	privacy.Choices: {"optimal composition of choices, each after the one before",
		"only for losses fixed beforehand"},
}

// composition offers the totals by each rule, and shows them.
func (l *Account) composition(a engine.Account) app.UI {
	m := l.Ledger
	if a.Count < 2 {
		return parts.Absent()
	}
	c := m.Composed[a.Fingerprint]
	switch {
	case c.Count != a.Count:
		return app.Div().
			Body(app.Button().Class("button plain").Type("button").
				Text(say.Text("Compare the rules of composition")).
				Aria("label",
					say.Format("Compare the rules of composition for data set %s",
						account.ShortPrint(a.Fingerprint))).
				OnClick(func(app.Context, app.Event) {
					if l.At < len(m.Accounts) { // else it is being read anew
						m.Compose(l.account())
					}
				}))
	case c.Failure != nil:
		return parts.FailureNote(c.Failure)
	}
	rows := [][]string{}
	for _, candidate := range c.Total.Considered {
		epsilon, delta := lossCells(candidate.Loss)
		rule := ruleNames[candidate.Rule]
		row := []string{say.Text(rule.name), epsilon, delta, say.Text(rule.holds)}
		if candidate.Rule == privacy.Basic { // what holds stands first
			rows = slices.Insert(rows, 0, row)
		} else {
			rows = append(rows, row)
		}
	}
	return app.Div().Class("more").Body(
		parts.DataTable(
			say.Format("What the releases from data set %s cost together",
				account.ShortPrint(a.Fingerprint)),
			[]string{say.Text("Rule"), "ε", "δ", say.Text("Holds here")}, rows, "low",
			func(column int) bool { return column == 1 || column == 2 }),
		app.P().Class("small soft").Text(say.Text("Smaller totals are proven only if every loss "+
			"was fixed before the first answer was seen. Here each question was chosen after "+
			"earlier answers, so the plain sum holds, and nothing smaller.")),
	)
}
