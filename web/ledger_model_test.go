package web

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/privacy"
	"hush/core/task"
	"hush/web/engine"
)

// What the fake engine keeps of a ledger; the browser's tests see the real one.
const (
	fakePrint   = "3f2a91bc00000000000000000000000000000000000000000000000000000000"
	fakeBrowser = "00112233445566aa"
)

func emptyLedgerOf([]byte) []engine.Spending {
	limit := engine.DefaultLimit()
	return []engine.Spending{{Fingerprint: fakePrint, Browser: fakeBrowser, Limit: &limit, Entries: []engine.Entry{}}}
}

func (f *fakeEngine) charge(r task.Recipe) error {
	if err := f.read(r); err != nil {
		return err
	}
	charged, err := f.ask("charge", engine.Charge{Spending: f.ledger[0], Recipe: r})
	if err != nil {
		return err
	}
	var thaw engine.Thaw
	decode(charged, &thaw)
	own := &f.ledger[0]
	own.Frozen = thaw.Frozen
	own.Entries = append(own.Entries, entry(len(own.Entries), thaw.Task, thaw.Loss))
	return nil
}

func entry(n int, task string, loss privacy.Loss) engine.Entry {
	return engine.Entry{ID: fmt.Sprintf("0a1b2c3d-0a1b-4c2d-8e3f-%012d", n), Fingerprint: fakePrint, Debit: engine.Debit{Task: task, Loss: loss},
		Time: fmt.Sprintf("2026-01-%02dT12:34:56.789Z", 1+n), Schema: 1}
}

func (f *fakeEngine) accounts() (all engine.Accounts, err error) {
	for _, s := range f.ledger {
		a, err := s.Account()
		if err != nil {
			return all, err
		}
		all.Accounts = append(all.Accounts, a)
	}
	all.Account = all.Accounts[0]
	return all, nil
}

func (f *fakeEngine) setLimit(l engine.LimitOf) error {
	if _, err := f.ask("account", engine.Spending{Limit: l.Limit}); err != nil {
		return err
	}
	for i := range f.ledger {
		if f.ledger[i].Fingerprint == l.Fingerprint {
			f.ledger[i].Limit = l.Limit
		}
	}
	return nil
}

func TestBudgetShownBeforeARelease(t *testing.T) {
	m, f := asked(t)
	if b, ok := m.After(); !ok || b.Over || privacy.Number(b.Epsilon) != "2.5" {
		t.Fatalf("after a release of ε = 0.5: %+v, want ε = 2.5 left of the default 3", b)
	}
	for range 6 {
		m.Run()
		f.settle()
	}
	if b, ok := m.After(); !ok || !b.Over || b.Level != engine.LevelFull {
		t.Errorf("after a seventh: %+v, want over the limit", b)
	}
	m.Run()
	f.settle()
	if m.Release.Phase != ReleaseFailed || !strings.Contains(m.Release.Failure.Message, "it costs ε = 0.5, ε = 3 was spent on this data set before, and the limit is ε = 3") {
		t.Errorf("the seventh release: %v, %+v", m.Release.Phase, m.Release.Failure)
	}
	if m.Ledger.Count != 6 {
		t.Errorf("%d releases in the ledger, want 6", m.Ledger.Count)
	}
}

func TestLimitIsChangedByTyping(t *testing.T) {
	m, f := asked(t)
	m.Go("/ledger")
	f.settle()
	if len(m.Book.Accounts) != 1 || !m.IsOpen(m.Book.Accounts[0]) {
		t.Fatalf("the ledger shows %+v, want the open data set", m.Book.Accounts)
	}
	m.EditLimit(fakePrint, func(l *LimitForm) { l.Epsilon = "lots" })
	m.SetLimit(fakePrint)
	f.settle()
	if form := m.Limit(fakePrint); form.Epsilon != "lots" || form.Fault == nil {
		t.Errorf("after a limit that is none: %+v, want the input kept and a fault", form)
	}
	m.EditLimit(fakePrint, func(l *LimitForm) { l.Epsilon = " 7/2 " })
	m.SetLimit(fakePrint)
	f.settle()
	if m.Ledger.Limit == nil || m.Ledger.Limit.Epsilon != "7/2" || m.Limit(fakePrint).Begun {
		t.Errorf("limit %+v, form %+v", m.Ledger.Limit, m.Limit(fakePrint))
	}
	m.RemoveLimit(fakePrint)
	f.settle()
	if m.Ledger.Limit == nil {
		t.Error("the limit was removed without the words for it")
	}
	m.EditLimit(fakePrint, func(l *LimitForm) { l.Remove = true })
	m.RemoveLimit(fakePrint)
	f.settle()
	if m.Ledger.Limit != nil {
		t.Error("the limit was not removed")
	}
}

func TestWarningsComeAtTheirShares(t *testing.T) {
	limit := engine.DefaultLimit()
	for _, c := range []struct{ epsilon, delta, kind, percent string }{
		{"0", "0", "", "nothing"}, {"1/1000", "0", "", "less than 1 %"}, {"149/100", "0", "", "49.7 %"}, {"3/2", "0", "half", "50 %"},
		{"239/100", "0", "half", "79.7 %"}, {"12/5", "0", "warn", "80 %"}, {"2999999/1000000", "0", "warn", "more than 99 %"}, {"3", "0", "bad", "100 %"}, {"31/10", "0", "bad", "more than all"},
		{"1/10", "1/2000000", "half", "50 %"}, {"1/10", "1/1000000", "bad", "100 %"},
	} {
		b, err := engine.Spending{Limit: &limit, Entries: []engine.Entry{entry(0, "count", made(c.epsilon, c.delta))}}.Budget()
		if err != nil {
			t.Fatal(err)
		}
		kind, text := warningText(b)
		if kind == "" && text != "" {
			kind = "half"
		}
		if kind != c.kind || percent(b) != c.percent {
			t.Errorf("ε = %s, δ = %s: %q at %s, want %q at %s", c.epsilon, c.delta, kind, percent(b), c.kind, c.percent)
		}
	}
}

func TestNumbersLeftAreNeverOverstated(t *testing.T) {
	for number, want := range map[string]string{"5/2": "2.5", "1/3": "0.333333333333…", "2/3": "0.666666666666…", "1/1000000": "0.000001", "0": "0"} {
		r, _ := new(big.Rat).SetString(number)
		if got := atLeast(r); got != want {
			t.Errorf("%s is left as %q, want %q", number, got, want)
		}
	}
	if got := atMost(big.NewRat(1, 3)); got != "≤ 0.333333333334" {
		t.Errorf("1/3 was spent as %q", got)
	}
}

// TestRulesAreCompared: the totals by each rule are those of the releases at hand, and are asked for anew after another one.
func TestRulesAreCompared(t *testing.T) {
	m, f := asked(t)
	for range 2 {
		m.Run()
		f.settle()
	}
	m.Go("/ledger")
	f.settle()
	m.Compose(m.Book.Accounts[0])
	f.settle()
	c := m.Book.Composed[fakePrint]
	if c.Count != 2 || c.Total == nil || len(c.Total.Considered) < 3 {
		t.Fatalf("composed %+v", c)
	}
	page := func() string { return app.HTMLString(&LedgerPage{Model: m}) }
	if text := page(); !strings.Contains(text, "yes: the ledger counts this") || strings.Contains(text, "Compare the rules") {
		t.Error("the totals are not shown")
	}
	m.Run()
	f.settle()
	if text := page(); strings.Contains(text, "yes: the ledger counts this") || !strings.Contains(text, "Compare the rules") {
		t.Error("totals of two releases are shown for three")
	}
}

func TestExportIsHandedOver(t *testing.T) {
	m, f := asked(t)
	m.Run()
	f.settle()
	var text string
	m.ExportLedger(func(s string) { text = s })
	f.settle()
	all, err := engine.ReadLedger(text)
	if err != nil || len(all) != 1 || len(all[0].Entries) != 1 || strings.Contains(text, "clinic") {
		t.Errorf("exported %s (%v)", text, err)
	}
}
