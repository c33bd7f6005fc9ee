package account_test

import (
	"strings"
	"testing"

	"hush/core/privacy"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/state/account"
	"hush/web/state/form"
	"hush/web/state/release"
	"hush/web/webtest"
)

func TestBudgetShownBeforeARelease(t *testing.T) {
	m, f := webtest.Asked(t)
	if b, ok := m.Forecast.After(); !ok || b.Over || privacy.Number(b.Epsilon) != "2.5" {
		t.Fatalf("after a release of ε = 0.5: %+v, want ε = 2.5 left of the default 3", b)
	}
	for range 6 {
		m.Answer.Run()
		f.Settle()
	}
	if b, ok := m.Forecast.After(); !ok || !b.Over || b.Level != engine.LevelFull {
		t.Errorf("after a seventh: %+v, want over the limit", b)
	}
	m.Answer.Run()
	f.Settle()
	if m.Answer.Phase != release.Failed ||
		!strings.Contains(m.Answer.Failure.Message,
			"it costs ε = 0.5, ε = 3 was spent on this data set before, and the limit is ε = 3") {
		t.Errorf("the seventh release: %v, %+v", m.Answer.Phase, m.Answer.Failure)
	}
	if m.Data.Account.Count != 6 {
		t.Errorf("%d releases in the ledger, want 6", m.Data.Account.Count)
	}
	m.Ledger.Ask() // the same limit: the refusal stays
	f.Settle()
	if m.Answer.Phase != release.Failed {
		t.Error("the refusal is gone, though nothing has changed")
	}
	m.Ledger.EditLimit(webtest.FakePrint, func(l *account.LimitForm) { l.Epsilon = "4" })
	m.Ledger.SetLimit(webtest.FakePrint)
	f.Settle()
	if m.Answer.Phase != release.Idle {
		t.Errorf("after the limit was raised the panel still says: %v", m.Answer.Failure)
	}
	m.Answer.Run()
	f.Settle()
	if m.Answer.Phase != release.Done || m.Data.Account.Count != 7 {
		t.Errorf("within the new limit: %v, %+v", m.Answer.Phase, m.Answer.Failure)
	}
}

func TestLimitIsChangedByTyping(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Go("/ledger")
	f.Settle()
	if len(m.Ledger.Accounts) != 1 || !m.Ledger.IsOpen(m.Ledger.Accounts[0]) {
		t.Fatalf("the ledger shows %+v, want the open data set", m.Ledger.Accounts)
	}
	m.Ledger.EditLimit(webtest.FakePrint, func(l *account.LimitForm) { l.Epsilon = "lots" })
	m.Ledger.SetLimit(webtest.FakePrint)
	f.Settle()
	if form := m.Ledger.Limit(webtest.FakePrint); form.Epsilon != "lots" || form.Fault == nil {
		t.Errorf("after a limit that is none: %+v, want the input kept and a fault", form)
	}
	m.Ledger.EditLimit(webtest.FakePrint, func(l *account.LimitForm) { l.Epsilon = " 7/2 " })
	m.Ledger.SetLimit(webtest.FakePrint)
	f.Settle()
	if m.Data.Account.Limit == nil || m.Data.Account.Limit.Epsilon != "7/2" ||
		m.Ledger.Limit(webtest.FakePrint).Begun {
		t.Errorf("limit %+v, form %+v", m.Data.Account.Limit, m.Ledger.Limit(webtest.FakePrint))
	}
	m.Ledger.RemoveLimit(webtest.FakePrint)
	f.Settle()
	if m.Data.Account.Limit == nil {
		t.Error("the limit was removed without the words for it")
	}
	m.Ledger.EditLimit(webtest.FakePrint, func(l *account.LimitForm) { l.Remove = true })
	m.Ledger.RemoveLimit(webtest.FakePrint)
	f.Settle()
	if m.Data.Account.Limit != nil {
		t.Error("the limit was not removed")
	}
}

func TestWarningsComeAtTheirShares(t *testing.T) {
	limit := engine.DefaultLimit()
	for _, c := range []struct{ epsilon, delta, kind, percent string }{
		{"0", "0", "", "nothing"}, {"1/1000", "0", "", "less than 1 %"},
		{"149/100", "0", "", "49.7 %"}, {"3/2", "0", "half", "50 %"},
		{"239/100", "0", "half", "79.7 %"}, {"12/5", "0", "warn", "80 %"},
		{"2999999/1000000", "0", "warn", "more than 99 %"}, {"3", "0", "bad", "100 %"},
		{"31/10", "0", "bad", "more than all"},
		{"1/10", "1/2000000", "half", "50 %"}, {"1/10", "1/1000000", "bad", "100 %"},
	} {
		b, err := engine.Spending{
			Limit: &limit,
			Entries: []engine.Entry{
				webtest.Entry(0, "count", exhibit.Loss(c.epsilon, c.delta))}}.Budget()
		if err != nil {
			t.Fatal(err)
		}
		kind, text := account.WarningText(b)
		if kind == "" && text != "" {
			kind = "half"
		}
		if kind != c.kind || account.Percent(b) != c.percent {
			t.Errorf("ε = %s, δ = %s: %q at %s, want %q at %s", c.epsilon, c.delta, kind,
				account.Percent(b), c.kind, c.percent)
		}
	}
}

func TestExportIsHandedOver(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Answer.Run()
	f.Settle()
	var text string
	m.Ledger.Export(func(s string) { text = s })
	f.Settle()
	all, err := engine.ReadLedger(text)
	if err != nil || len(all) != 1 || len(all[0].Entries) != 1 || strings.Contains(text, "clinic") {
		t.Errorf("exported %s (%v)", text, err)
	}
}

// A nickname stays on the device, and releases say what they were about: no export holds either.
func TestLedgerNames(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Answer.Run()
	m.Go("/ledger")
	f.Settle()
	a := m.Ledger.Accounts[0]
	if got := m.Ledger.EntryTitle(a.Entries[0]); got != "Histogram of age" {
		t.Errorf("the release is called %q", got)
	}
	if got := account.Title(a); got != "Data set 3f2a 91bc" {
		t.Errorf("without a nickname the data set is called %q", got)
	}
	m.Ledger.EditName(webtest.FakePrint, "  Visits 2026 ")
	m.Ledger.SetName(webtest.FakePrint)
	f.Settle()
	if got := account.Title(m.Ledger.Accounts[0]); got != "Visits 2026" {
		t.Errorf("the data set is called %q", got)
	}
	if m.Ledger.Name(webtest.FakePrint).Name != "Visits 2026" || len(m.Ledger.Named) > 0 {
		t.Errorf("the form still holds %+v", m.Ledger.Named)
	}
	var text string
	m.Ledger.Export(func(s string) { text = s })
	f.Settle()
	if text == "" || strings.Contains(text, "Visits") || strings.Contains(text, "years lived") {
		t.Errorf("the export holds a name: %s", text)
	}
	old := engine.Entry{Debit: engine.Debit{Task: "mean"}}
	if got := m.Ledger.EntryTitle(old); got != "Mean" {
		t.Errorf("a release of an earlier version is called %q", got)
	}
}

// TestSlackIsSetBeforeTheFirstRelease: a δ is set aside by typing; then more small releases fit
// than their sum allows, and the limit is fixed: it can be raised, by an amount counted separately,
// or the plain sum can follow.
func TestSlackIsSetBeforeTheFirstRelease(t *testing.T) {
	m, f := webtest.Asked(t)
	set := func(epsilon, slack string) *engine.Fault {
		t.Helper()
		m.Ledger.EditLimit(webtest.FakePrint, func(l *account.LimitForm) {
			l.Epsilon, l.Delta, l.Slack = epsilon, "0", slack
		})
		m.Ledger.SetLimit(webtest.FakePrint)
		f.Settle()
		return m.Ledger.Limit(webtest.FakePrint).Fault
	}
	m.Ledger.Ask()
	f.Settle()
	if fault := set("1", "all"); fault == nil || fault.Field != "slack" {
		t.Errorf("a slack that is no number: %+v", fault)
	}
	if fault := set("1", " 0.01 "); fault != nil {
		t.Fatalf("a slack before the first release: %+v", fault)
	}
	if l := m.Data.Account.Limit; l.Slack != "0.01" || l.Rho == "" ||
		m.Ledger.Limit(webtest.FakePrint).Slack != "0.01" {
		t.Errorf("limit %+v", l)
	}
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0.1" })
	f.Settle()
	b, ok := m.Forecast.After()
	if !ok || b.Filter == nil || !strings.HasPrefix(account.Left(b), "room for ε = 0.9") {
		t.Fatalf("after one release: %s", account.Left(b))
	}
	runs := func() (released int) {
		for range 50 {
			m.Answer.Run()
			f.Settle()
			if m.Answer.Phase != release.Done {
				break
			}
			released++
		}
		return released
	}
	if released := runs(); released != 41 { // ρ* = .1034, each histogram .1·tanh(.1/4)
		t.Errorf("%d releases of ε = .1, want 41", released)
	}
	if text := m.Answer.Failure.Message; !strings.Contains(text, "it costs ε = 0.1, which is "+
		"more than is left of the limit of ε = 1, δ = 0.01 in all") {
		t.Errorf("refused: %s", text)
	}
	if fault := set("0.5", "0.01"); fault == nil || fault.Field != "slack" {
		t.Errorf("a smaller ε after releases: %+v", fault)
	}
	if fault := set("1.3", "0.01"); fault != nil {
		t.Errorf("a larger ε after releases: %+v", fault)
	}
	if released := runs(); released != 3 {
		t.Errorf("%d releases of ε = .1 for the .3 by which it is raised", released)
	}
	if fault := set("4.8", "0"); fault != nil {
		t.Errorf("the plain sum: %+v", fault)
	}
	if b, ok := m.Forecast.After(); !ok || b.Filter != nil || privacy.Number(b.Epsilon) != "0.3" {
		t.Errorf("by the plain sum: %+v", b)
	}
	if fault := set("4.8", "0.01"); fault == nil || fault.Field != "slack" {
		t.Errorf("a slack after releases: %+v", fault)
	}
}
