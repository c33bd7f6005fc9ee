package gallery

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/ledger"
	"hush/web/parts"
	"hush/web/state"
	"hush/web/state/account"
)

// small writes the losses of this many releases of ε = 1/50.
func small(n int) string { return strings.Repeat("1/50,0 ", n) }

// setAside gives an account a limit of ε = 1 that sets a δ aside.
func setAside(a engine.Account) engine.Account {
	a.Limit = &engine.Limit{Epsilon: "1", Delta: "0.000001", Slack: "0.000001",
		Rho: "0.0243559703427"}
	return a
}

// ledgerSpecimens shows the ledger's page, and a data set in each state.
func ledgerSpecimens() []Specimen {
	other := strings.Repeat("a1b2c3d4", 8)
	half, many := "3/2,0", strings.Repeat("1/20,0 ", 30)
	var states []variant
	for _, l := range []struct {
		name   string
		losses string // of one data set: "ε,δ ε,δ"; empty: there is no data set
		change func(*account.Ledger)
	}{
		{"being opened", "", func(b *account.Ledger) { b.Phase = account.LedgerUnread }},
		{"empty", "", nil},
		{"no storage", "", func(b *account.Ledger) {
			b.Phase, b.Failure = account.LedgerFailed,
				&engine.Fault{Code: "no-storage", Message: "the browser refuses to store the " +
					"ledger (the settings of this browser forbid it)"}
		}},
		{"the open data set, nothing spent", half, func(b *account.Ledger) {
			b.Accounts[0] = exhibit.Spent(exhibit.Fingerprint, "")
		}},
		{"half spent", half, nil},
		{"most spent", "2,0 2/5,0", nil},
		{"all spent", "2,1/2000000 1,0", nil},
		{"more than the limit", "2,0", func(b *account.Ledger) {
			b.Accounts[0].Limit = &engine.Limit{Epsilon: "1"}
		}},
		{"no limit", "1,0", func(b *account.Ledger) { b.Accounts[0].Limit = nil }},
		{"a δ set aside, nothing spent", half, func(b *account.Ledger) {
			b.Accounts[0] = setAside(exhibit.Spent(other, ""))
		}},
		{"a δ set aside, counted by ρ", small(100), func(b *account.Ledger) {
			b.Accounts[0] = setAside(b.Accounts[0])
		}},
		{"a δ set aside, all spent", "1,0", func(b *account.Ledger) {
			b.Accounts[0] = setAside(b.Accounts[0])
		}},
		{"a δ set aside, and more spent than that", small(130), func(b *account.Ledger) {
			b.Accounts[0] = setAside(b.Accounts[0])
		}},
		{"a δ set aside, and raised", small(130), func(b *account.Ledger) {
			b.Accounts[0] = setAside(b.Accounts[0])
			b.Accounts[0].Limit = &engine.Limit{Epsilon: "2", Delta: "0.000002",
				Slack: "0.000002", Rho: "0.0243559703427", Raised: &engine.Raised{
					From: *b.Accounts[0].Limit, Epsilon: "2.42", Delta: "0", Rho: "0.0242"}}
		}},
		{"a δ set aside, and raised by a plain sum", small(130), func(b *account.Ledger) {
			b.Accounts[0] = setAside(b.Accounts[0])
			b.Accounts[0].Limit = &engine.Limit{Epsilon: "1.5", Delta: "0.000001",
				Slack: "0.000001", Raised: &engine.Raised{From: *b.Accounts[0].Limit,
					Epsilon: "2.42", Delta: "0", Rho: "0.0242"}}
		}},
		{"a δ set aside that is fixed", small(121), func(b *account.Ledger) {
			b.Accounts[0] = setAside(b.Accounts[0])
			b.Limits = map[string]account.LimitForm{other: {Begun: true, Epsilon: "0.5",
				Delta: "0.000001", Slack: "0.000001",
				Fault: &engine.Fault{Code: engine.Refused, Field: "slack", Want: "0"}}}
		}},
		{"damaged", "1,0", func(b *account.Ledger) { b.Accounts[0].Damaged = true }},
		{"of another browser", "1/3,0", func(b *account.Ledger) { b.Accounts[0].Elsewhere = true }},
		{"looked at", "1,0", func(b *account.Ledger) {
			b.Accounts[0].Looked = "2026-01-31T12:00:00.000Z"
		}},
		{"several data sets, many releases", "1,0", func(b *account.Ledger) {
			b.Accounts = append(
				[]engine.Account{
					exhibit.Spent(exhibit.Fingerprint,
						"1/3,0 1/7,1/3000000"+strings.Repeat(" 1/10,0", 6))}, b.Accounts...)
		}},
		{"rules of composition to be compared", many, nil},
		{"rules of composition compared", many, func(b *account.Ledger) {
			total, err := b.Accounts[0].Compose()
			if err != nil {
				panic("web: internal error: " + err.Error())
			}
			b.Composed = map[string]account.Composed{other: {Count: 30, Total: &total}}
		}},
		{"rules that cannot be compared", many, func(b *account.Ledger) {
			b.Composed = map[string]account.Composed{
				other: {Count: 30,
					Failure: &engine.Fault{Message: "no such bound is proven for this loss"}}}
		}},
		{"named by its owner, and releases that name their column", half,
			func(b *account.Ledger) {
				b.Accounts[0].Nickname = "Visits 2026"
				for i := range b.Accounts[0].Entries {
					b.Accounts[0].Entries[i].Column = "income"
				}
			}},
		{"a name being typed", half, func(b *account.Ledger) {
			b.EditName(b.Accounts[0].Fingerprint, "Visits")
		}},
		{"a limit at fault", half, func(b *account.Ledger) {
			b.Limits = map[string]account.LimitForm{other: {Begun: true, Epsilon: "lots",
				Delta: "0", Fault: &engine.Fault{Code: engine.Refused, Field: "epsilon",
					Want: "an exact number from 0.000000001 to 100"}}}
		}},
		{"a limit to be removed", half, func(b *account.Ledger) {
			b.Limits = map[string]account.LimitForm{
				other: {Begun: true, Epsilon: "3", Delta: "0", Remove: true}}
		}},
		{"an import done", half, func(b *account.Ledger) {
			b.Notice = account.ImportedText(
				engine.Imported{DataSets: 2, Added: 3, Known: 1, Elsewhere: 1})
		}},
		{"an import refused", half, func(b *account.Ledger) {
			b.Refused = &engine.Fault{
				Message: "this ledger file cannot be read: data set 2, release 3: its loss is " +
					"missing"}
		}},
	} {
		states = append(states, variant{l.name, func(m *state.Model) {
			m.Ledger.Phase = account.LedgerRead
			if l.losses != "" {
				m.Ledger.Accounts = []engine.Account{exhibit.Spent(other, l.losses)}
			}
			if l.change != nil {
				l.change(&m.Ledger)
			}
		}})
	}
	states = append(states, keptStates(other)...)
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		page := &ledger.Page{Ledger: &m.Ledger, Browser: b}
		if m.Kept.Read {
			page.Model = m
		}
		return page
	}, states)
}

// keptStates lists the states of the answers that are kept.
func keptStates(fingerprint string) []variant {
	of := func(change func(*state.Model)) func(*state.Model) {
		return func(m *state.Model) {
			m.Ledger.Phase = account.LedgerRead
			m.Ledger.Accounts = []engine.Account{exhibit.Spent(fingerprint, "1/2,0 1/2,0 1/2,0")}
			m.Kept.Read, m.Kept.Answers = true, map[string]engine.Kept{}
			for i := range m.Ledger.Accounts[0].Entries {
				m.Ledger.Accounts[0].Entries[i].ID = strconv.Itoa(i)
			}
			change(m)
		}
	}
	return []variant{
		{"answers kept, one in the report", of(func(m *state.Model) {
			for i, e := range m.Ledger.Accounts[0].Entries[:2] {
				m.Kept.Answers[e.ID] = engine.Kept{Entry: e.ID, Time: e.Time, Report: i}
			}
		})},
		{"a page of figures, one of them to be drawn", of(func(m *state.Model) {
			e := &m.Ledger.Accounts[0].Entries[1]
			e.Questions = 3
			e.Plan = &engine.PlanOf{Drawn: []int{1, 3}, Fixed: ask.Fixed{Questions: []ask.Recipe{
				{Task: "median"}, {Task: "count"}, {Task: "histogram"}}}}
			for _, number := range e.Plan.Drawn {
				id := engine.PlanEntry(e.ID, number)
				m.Kept.Answers[id] = engine.Kept{Entry: id, Time: e.Time}
			}
		})},
		{"no answers wanted", of(func(m *state.Model) { m.Kept.Off = true })},
		{"no room for answers", of(func(m *state.Model) {
			m.Kept.Refused = "the browser refuses to keep answers (no room is left for it)"
			m.Kept.Failed = "A kept answer could not be read: it holds no answer."
		})},
	}
}
