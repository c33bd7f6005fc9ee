// Package ledger draws what was spent on each data set.
package ledger

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/privacy"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/account"
	"hush/web/state/place"
)

// Page shows what was spent on each data set that this device knows, its limit, and the ledger as a
// file.
type Page struct {
	app.Compo
	gradual

	Ledger   *account.Ledger // read and changed
	Model    *state.Model    // has the kept answers; nil: nothing is said of them
	Revision int             // Model.Revision
	Browser  *parts.Browser  // for downloads and the system's file dialog
}

const ledgerInputID = "ledger-file"

// Render draws the ledger in its phase.
func (l *Page) Render() app.UI {
	intro := app.Div().Class("intro").Body(
		app.H1().Text(say.Text("Budget spent and left")),
		app.P().Text(say.Text("Every release reveals a little about the people in a data set, "+
			"for good. The ledger adds up the losses of each data set and stops at a limit. It "+
			"stays on this device and holds neither data nor file names.")),
	)
	all := l.Ledger
	switch all.Phase {
	case account.LedgerFailed:
		return app.Div().Body(intro, noLedger(all.Failure))
	case account.LedgerRead:
		parts := []func() app.UI{parts.When(len(all.Accounts) == 0, emptyLedger)}
		for i := range all.Accounts {
			parts = append(parts, func() app.UI {
				return &Account{Ledger: l.Ledger, Model: l.Model, Revision: l.Revision, At: i,
					Browser: l.Browser}
			})
		}
		return app.Div().
			Body(intro, app.Div().Class("ledger").
				Body(l.Parts(append(parts, l.keeping, l.rules, l.file)...)...))
	}
	return app.Div().
		Body(intro, app.P().Class("soft").Role("status").Text(say.Text("Opening the ledger…")))
}

func emptyLedger() app.UI {
	return app.Div().Class("empty").Body(
		app.Img().Src("/web/icons/quiet.svg").Role("presentation").Aria("hidden", "true").
			Width(160).Height(72),
		app.P().Text(say.Text("Nothing has been released on this device yet.")),
		app.P().Body(
			app.A().Href("#"+place.ViewWorkbench.Path()).
				Text(say.Text("Open a file and ask a question"))),
	)
}

// noLedger draws the page where the browser stores nothing.
func noLedger(f *engine.Fault) app.UI {
	return parts.Note("bad",
		task.Capital(f.Message)+".",
		say.Text("Without a ledger nobody knows the budget spent, so nothing can be released "+
			"here; everything up to the forecast works."),
		say.Text("Usual reasons: a private window, site data switched off in the browser's "+
			"settings, a full disk, or an address without HTTPS."))
}

// Account is one data set of the ledger: its total against its limit, its releases, and the form of
// its limit.
type Account struct {
	app.Compo

	Ledger   *account.Ledger // read and changed
	Model    *state.Model    // as in Page
	Revision int             // Model.Revision
	At       int             // in Ledger.Accounts
	Browser  *parts.Browser  // for downloads, and to show an answer
}

func (l *Account) account() engine.Account { return l.Ledger.Accounts[l.At] }

// Render draws the account at once: what stands below it is not moved under somebody's finger.
func (l *Account) Render() app.UI {
	a := l.account()
	id := "set-" + a.Fingerprint[:min(8, len(a.Fingerprint))]
	b, err := a.Budget()
	if err != nil { // unreachable: the engine has read this limit
		return parts.FailureNote(&engine.Fault{Message: say.Error(err)})
	}
	body := []app.UI{}
	if l.Ledger.IsOpen(a) {
		body = append(body,
			app.P().
				Body(app.Span().Class("tag").Text(say.Text("Open in this tab")),
					app.Span().Attr("translate", "no").Class("soft").Text(" "+l.Ledger.OpenName())))
	}
	if a.Damaged {
		body = append(body, damagedNote())
	}
	body = append(body,
		app.P().Class("statement").Text(parts.Together(totalText(a, b))),
		parts.BudgetBar(
			b, say.Format("How much of the limit of data set %s is spent",
				account.ShortPrint(a.Fingerprint))),
	)
	if b.Limit != nil && !holds(b) {
		body = append(body,
			app.P().Class("soft").
				Text(say.Format("Spent of the limit: %s.", account.Percent(b))))
	}
	if holds(b) {
		body = append(body, counts(a, b))
	}
	body = append(body, parts.BudgetWarning(b))
	if a.Looked != "" {
		body = append(body, parts.Note("warn", say.Format("On %s the owner chose to see the true "+
			"answers of this data set. Since then only questions frozen before can be released: "+
			"%s left.",
			account.TimeText(a.Looked),
			say.Count(int64(len(a.Frozen)), "one question", "%d questions", len(a.Frozen)))))
	}
	if a.Elsewhere {
		body = append(body, parts.Note("", say.Text("Imported from another browser, or from this "+
			"one before its storage was cleared. Each browser names data sets with a key of its "+
			"own, so a file opened here is never recognised as this one. What is spent on the "+
			"file here is counted separately: add it to this total yourself.")))
	}
	if a.Count > 0 {
		promise := b.Spent
		if holds(b) {
			promise = *b.Limit
		}
		body = append(body, l.releases(a), l.composition(a),
			app.P().Class("soft").Text(say.Phrase(promise.Sentence())))
	}
	title := app.H2().Class("number").Text(account.Title(a))
	if a.Nickname != "" {
		title = title.Attr("translate", "no")
		body = append([]app.UI{app.P().Class("small soft number").
			Text(say.Format("Data set %s", account.ShortPrint(a.Fingerprint)))}, body...)
	}
	return app.Section().Class("step account").ID(id).Aria("labelledby", id+"-title").Body(
		app.Div().Class("step-head").
			Body(title.ID(id+"-title")),
		app.Div().Class("step-body").Body(append(body, l.name(a), l.limit(a))...),
	)
}

// name draws the form for a data set's nickname.
func (l *Account) name(a engine.Account) app.UI {
	if a.Damaged {
		return parts.Absent()
	}
	m, fp := l.Ledger, a.Fingerprint
	id := "name-" + fp[:min(8, len(fp))]
	form, fault := m.Name(fp), ""
	if form.Fault != nil {
		fault = form.Fault.Message
	}
	return app.Details().Open(form != (account.NameForm{Name: a.Nickname})).Body(
		app.Summary().Text(say.Text("Name this data set")),
		app.Div().Class("more").Body(
			parts.TextField(id, say.Text("What you call it"), form.Name,
				say.Text("It stays on this device: no export and no file of the ledger holds it."),
				fault, func(v string) { m.EditName(fp, v) }),
			app.Div().Body(app.Button().Class("button").Type("button").
				Text(say.Text("Keep this name")).
				OnClick(func(app.Context, app.Event) { m.SetName(fp) }, app.EventScope(fp))),
		),
	)
}

func damagedNote() app.UI {
	return parts.Note("bad", say.Text("The ledger lacks entries of this data set: more was spent "+
		"than is listed here, and nobody knows how much. Nothing more is released from it. If "+
		"you ever exported the ledger, import that file: once the missing entries are back, the "+
		"data set can be used again."))
}

// holds reports whether a limit that was fixed before the first release is a promise of its own: it
// is, unless releases came to it that it did not admit.
func holds(b engine.Budget) bool { return b.Fixed() && !b.Over }

func totalText(a engine.Account, b engine.Budget) string {
	if holds(b) {
		text := say.Format("All releases together cost at most %s, however many there are: that "+
			"was fixed before the first one.", b.Limit)
		if b.Before.Raised > 0 {
			return say.Format("All releases together cost at most %s, however many there are: %s "+
				"was fixed before the first release, and the rest was added when the limit was "+
				"raised. Of that rest, %s is used and %s is left.",
				b.Limit, b.Before.First, account.Percent(b),
				account.Left(b))
		}
		if a.Count == 0 {
			return text + " " + say.Text("Nothing is spent yet.")
		}
		return text + " " + say.Format("Used by %s: %s. Left: %s.", account.ReleasesText(a.Count),
			account.Percent(b), account.Left(b))
	}
	if a.Count == 0 {
		if b.Limit == nil {
			return say.Text("Nothing is spent yet, and there is no limit.")
		}
		return say.Format("Nothing is spent yet of %s.", b.Limit)
	}
	if b.Limit == nil {
		return say.Format("Spent: %s in %s, without a limit.", b.Spent.Brief(),
			account.ReleasesText(a.Count))
	}
	return say.Format("Spent: %s in %s, of %s in all. Left: %s.", b.Spent.Brief(),
		account.ReleasesText(a.Count), b.Limit, account.Left(b))
}

// counts shows the loss spent under each of the two counts of a limit that sets a δ aside: a
// release is made where one of them has room. Neither is a promise. After a limit was raised, it
// shows only the loss since.
func counts(a engine.Account, b engine.Budget) app.UI {
	epsilon, delta := lossCells(b.Since)
	raised := app.If(b.Before.Raised > 0, func() app.UI {
		return app.P().Class("soft").Text(say.Count(int64(b.Before.Raised),
			"The limit was raised once.", "The limit was raised %d times.", b.Before.Raised) + " " +
			say.Format("The whole old limit counts as spent: %s. The losses below came since.",
				b.Before.Loss))
	})
	if b.Filter == nil {
		most, _ := b.Open.Epsilon()
		return app.Div().Class("more").Body(raised, parts.DataTable(
			say.Format("What was spent on data set %s since its limit was raised",
				account.ShortPrint(a.Fingerprint)),
			[]string{say.Text("Count"), say.Text("Spent"), say.Text("Of")},
			[][]string{{say.Text("ε, the plain sum"), epsilon, privacy.Number(most)},
				{say.Text("δ of the releases"), delta, privacy.Number(b.Open.Delta())}},
			"low", func(column int) bool { return column > 0 }))
	}
	p := b.Filter.Params()
	return app.Div().Class("more").Body(raised,
		app.P().Class("soft").Text(say.Text("Two counts are kept, and a release needs room in "+
			"only one: the plain sum of ε, or ρ, which grows more slowly over many small "+
			"releases. The promise is the limit above; what each count has spent is no promise "+
			"of its own.")),
		parts.DataTable(
			say.Format("What was spent on data set %s, by each count",
				account.ShortPrint(a.Fingerprint)),
			[]string{say.Text("Count"), say.Text("Spent"), say.Text("Of")},
			[][]string{
				{say.Text("ρ (zero-concentrated)"), account.AtMost(b.Since.Rho()), p.Rho.String()},
				{say.Text("ε, the plain sum"), epsilon, p.Epsilon.String()},
				{say.Text("δ of the releases, in either count"), delta, p.Delta.String()},
				{say.Text("δ set aside for counting ρ"), "", p.Slack.String()}},
			"low", func(column int) bool { return column > 0 }))
}

// entriesShown is the number of releases drawn at first, and entriesMore the number added each
// time. A row takes the page about 5 ms.
const (
	entriesShown = 20
	entriesMore  = 50
)

// releases lists the latest releases, and earlier ones when asked.
func (l *Account) releases(a engine.Account) app.UI {
	all := len(a.Entries)
	from := max(0, all-entriesShown-l.Ledger.Earlier(a.Fingerprint))
	fp := a.Fingerprint
	return app.Div().Body(
		app.If(from > 0, func() app.UI {
			return app.Button().Class("button plain").Type("button").
				Text(say.Count(int64(min(from, entriesMore)), "Show one earlier release",
					"Show %d earlier releases", min(from, entriesMore))).
				OnClick(func(app.Context, app.Event) {
					l.Ledger.ShowEarlier(fp, entriesMore)
				}, app.EventScope(fp))
		}),
		l.table(a, a.Entries[from:]),
		app.If(l.Model != nil, func() app.UI { return l.answers(a.Entries[from:]) }))
}

func (l *Account) table(a engine.Account, entries []engine.Entry) app.UI {
	rows := [][]string{}
	for _, e := range entries {
		epsilon, delta := lossCells(e.Loss)
		row := []string{l.Ledger.EntryTitle(e) + l.replaced(a, e), epsilon, delta,
			account.TimeText(e.Time)}
		if l.Model != nil {
			row = append(row, l.keptText(e))
		}
		rows = append(rows, row)
	}
	header := []string{say.Text("Question"), "ε", "δ", say.Text("When")}
	if l.Model != nil {
		header = append(header, say.Text("Answer"))
	}
	return parts.DataTable(
		say.Format("Releases from data set %s, oldest first", account.ShortPrint(a.Fingerprint)),
		header, rows, "low",
		func(column int) bool { return column == 1 || column == 2 })
}

// replaced says which answer an entry replaced for the difference in price; it is empty where there
// is none.
func (l *Account) replaced(a engine.Account, e engine.Entry) string {
	for _, before := range a.Entries {
		if e.Replaces != "" && before.ID == e.Replaces {
			return ", " + say.Format("replacing the one of %s", account.TimeText(before.Time))
		}
	}
	return ""
}

// lossCells returns ε and δ, each rounded up where it is long.
func lossCells(loss privacy.Loss) (epsilon, delta string) {
	e, finite := loss.Epsilon()
	if epsilon = "none"; finite {
		epsilon = account.AtMost(e)
	}
	return epsilon, account.AtMost(loss.Delta())
}

// limit draws the form that changes or removes a limit.
func (l *Account) limit(a engine.Account) app.UI {
	m, fp := l.Ledger, a.Fingerprint
	if a.Damaged {
		return parts.Absent()
	}
	form := m.Limit(fp)
	id := "limit-" + fp[:min(8, len(fp))]
	fault := func(field string) string {
		if form.Fault != nil && form.Fault.Field == field {
			return say.Format("Wanted: %s.", form.Fault.Want)
		}
		return ""
	}
	title := say.Text("Change the limit")
	if a.Limit == nil {
		title = say.Text("Set a limit")
	}
	body := []app.UI{
		app.P().Text(say.Text("The limit is your promise to the people in this data set: all " +
			"releases together cost no more. At the default of ε = 3, all releases together " +
			"change the odds of a guess about one person by a factor of at most 20.1. There is " +
			"room for about six releases at ε = 0.5. Raising the limit weakens that promise.")),
		app.Div().Class("fields").Body(
			parts.TextField(id+"-epsilon", say.Text("Most ε in all"), form.Epsilon,
				say.Text("An exact number from 0.000000001 to 100, such as 3 or 1/2."),
				fault("epsilon"),
				func(v string) { m.EditLimit(fp, func(f *account.LimitForm) { f.Epsilon = v }) }),
			parts.TextField(id+"-delta", say.Text("Most δ in all"), form.Delta,
				say.Text("0, or a small number such as 0.000001: the chance that the promise "+
					"about ε fails."), fault("delta"),
				func(v string) { m.EditLimit(fp, func(f *account.LimitForm) { f.Delta = v }) }),
			l.slack(a, id+"-slack", form, fault("slack")),
		),
	}
	if form.Fault != nil && fault("epsilon")+fault("delta")+fault("slack") == "" {
		body = append(body, parts.FailureNote(form.Fault))
	}
	body = append(body,
		app.Div().
			Body(app.Button().Class("button").Type("button").Text(say.Text("Set this limit")).
				OnClick(func(app.Context, app.Event) { m.SetLimit(fp) }, app.EventScope(fp))))
	if a.Limit != nil {
		body = append(body,
			parts.CheckField(id+"-remove", say.Text("I want no limit for this data set"),
				form.Remove,
				say.Text("From then on nothing warns and nothing stops releases from adding up "+
					"until they say everything about a person."),
				func(on bool) { m.EditLimit(fp, func(f *account.LimitForm) { f.Remove = on }) }),
			app.Div().Body(
				app.Button().Class("button").Type("button").Text(say.Text("Remove the limit")).
					Disabled(!form.Remove).
					OnClick(func(app.Context, app.Event) {
						m.RemoveLimit(fp)
					}, app.EventScope(fp))),
		)
	}
	return app.Details().Open(form.Begun).
		Body(app.Summary().Text(title), app.Div().Class("more").Body(body...))
}

// slack draws the field for the δ that is set aside before the first release, or shows the δ that
// was set aside then.
func (l *Account) slack(a engine.Account, id string, form account.LimitForm, fault string) app.UI {
	m, fp := l.Ledger, a.Fingerprint
	hint := say.Text("0, or a small number such as 0.000001, in addition to the δ above. Many " +
		"small releases then take up less of the limit, since they are also counted by ρ. It can " +
		"be set only before the first release.")
	switch fixed := a.Limit != nil && a.Limit.Slack != ""; {
	case a.Count > 0 && !fixed:
		return parts.Absent()
	case a.Count > 0:
		hint = say.Text("This was fixed by the first release, and so were ε and δ. A larger ε, " +
			"with neither δ smaller, raises the limit: the entire old limit counts as spent, and " +
			"later releases count against the amount you add. With 0 here you can set another " +
			"limit: from then on only the plain sum counts, for good.")
	}
	return parts.TextField(id, say.Text("δ set aside"), form.Slack, hint, fault,
		func(v string) { m.EditLimit(fp, func(f *account.LimitForm) { f.Slack = v }) })
}

// rules explains how totals are computed and what the ledger cannot know.
func (l *Page) rules() app.UI {
	return app.Details().Class("rules").Body(
		app.Summary().Text(say.Text("How the totals are reached, and what the ledger cannot know")),
		app.Div().Class("more").Body(
			app.P().Text(say.Text("The losses are added up as exact fractions, ε to ε and δ to δ "+
				"(basic composition). Smaller totals are proven only if every loss was fixed "+
				"before the first answer was seen. Here each question is chosen after earlier "+
				"answers, so only the plain sum is proven.")),
			app.P().Text(say.Text("A limit can be proven with a smaller count. If a δ is set "+
				"aside before the first release, each release is also charged a ρ, at most "+
				"ε·tanh(ε/2). A release is refused only if the sums of ρ and of ε both exceed "+
				"what was fixed then (a zCDP filter). All releases together then cost at most "+
				"that ε, and at most that δ plus the δ set aside, even if questions depend on "+
				"earlier answers.")),
			app.P().Text(say.Text("A release is written down before its run begins, and stays "+
				"even if the run is cancelled or the tab closes.")),
			parts.Explain(say.Text("ε, δ, composition, fingerprint")),
			app.P().Text(say.Text("The ledger is a memory aid. It recognises a data set by its "+
				"bytes and by its rows, in any order and any wrapping. An edited file counts as "+
				"a new data set with its own limit, although its people are the same. A person "+
				"in two data sets bears the losses of both. Clearing this browser's storage "+
				"clears the ledger.")),
		),
	)
}

// file draws the ledger's export and import.
func (l *Page) file() app.UI {
	m := l.Ledger
	body := []app.UI{
		app.P().Text(say.Text("The file holds the fingerprints, limits and releases as listed " +
			"above, with exact numbers: no data, no file names. Importing adds the releases " +
			"missing here, matched by their numbers. It never removes anything, and does not " +
			"change the limit of any data set known here.")),
		app.P().Class("soft").Text(say.Text("Fingerprints are made with a key that never leaves " +
			"this browser. In another browser the entries are only a record to read: its own " +
			"files have other fingerprints, and the totals stay separate.")),
		app.If(m.HasFrozen(), func() app.UI {
			return parts.Note("warn", say.Text("Frozen questions are in the file too, unchanged, "+
				"with the values in their conditions. These are not published: keep the file to "+
				"yourself."))
		}),
		app.Div().Class("row").Body(
			app.Button().ID("ledger-export").Class("button").Type("button").
				Text(say.Text("Export the ledger")).OnClick(func(app.Context, app.Event) {
				m.Export(func(text string) {
					l.Browser.Download("hush-ledger.json", "application/json", text)
				})
			}),
			app.Button().Class("button").Type("button").Text(say.Text("Import a ledger…")).
				OnClick(func(app.Context, app.Event) { l.Browser.Pick(ledgerInputID) }),
			parts.FileInput(ledgerInputID, parts.AcceptJSON, m.Import),
		),
	}
	switch {
	case m.Refused != nil:
		body = append(body, parts.Note("bad", task.Capital(m.Refused.Message)+"."))
	case m.Notice != "":
		body = append(body, parts.Note("good", m.Notice))
	}
	return app.Section().Class("step").Aria("labelledby", "ledger-file-title").Body(
		app.Div().Class("step-head").
			Body(app.H2().ID("ledger-file-title").Text(say.Text("The ledger as a file"))),
		app.Div().Class("step-body").Body(body...),
	)
}
