package ledger

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/privacy"
	"hush/web/engine"
	"hush/web/state/account"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestLongLedgerIsShownInParts: of a thousand releases the last fifty are drawn, and earlier ones
// when asked.
func TestLongLedgerIsShownInParts(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Go("/ledger")
	f.Settle()
	tenth, err := privacy.ParseEpsilon("0.1")
	if err != nil {
		t.Fatal(err)
	}
	var entries []engine.Entry
	for i := range 1000 {
		entries = append(entries, webtest.Entry(i, "median", privacy.PureLoss(tenth)))
	}
	f.Spendings[0].Entries = entries
	m.Ledger.Ask()
	f.Settle()
	rows := func() int {
		return strings.Count(app.HTMLString(&Page{Ledger: &m.Ledger}), "<tr") - 1
	}
	if n := rows(); n != entriesShown {
		t.Errorf("%d releases are drawn, want %d", n, entriesShown)
	}
	text := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(
		app.HTMLString(&Page{Ledger: &m.Ledger}))
	if !strings.Contains(text, "ε = 100") || !strings.Contains(text, "Show 50 earlier releases") {
		t.Error("the page does not say what all of them cost, or that there are more")
	}
	m.Ledger.ShowEarlier(webtest.FakePrint, entriesMore)
	if n := rows(); n != entriesShown+entriesMore {
		t.Errorf("%d releases are drawn, want %d", n, entriesShown+entriesMore)
	}
	for range 19 {
		m.Ledger.ShowEarlier(webtest.FakePrint, entriesMore)
	}
	if text := app.HTMLString(&Page{Ledger: &m.Ledger}); rows() != 1000 ||
		strings.Contains(text, "earlier release") {
		t.Errorf("%d releases are drawn, want all", rows())
	}
}

// TestPlanIsShown: a plan of several questions is one row with how many answers are kept and how
// many are left to be drawn; each answer of it can be opened by itself.
func TestPlanIsShown(t *testing.T) {
	m, f := webtest.Asked(t)
	r := m.Question.Recipe()
	f.StopsAt = 3
	run := engine.RunPlan{Plan: ask.Fixed{Questions: []ask.Recipe{r, r, r}, Delta: "0"}}
	var drawn engine.Drawn
	m.Call(engine.RunTogether.With(run), func(_ engine.Request, _ string, body []byte) {
		drawn = engine.RunTogether.Read(body)
	})
	f.Settle()
	if len(drawn.Answers) != 2 || len(drawn.Left) != 1 || len(f.Spendings[0].Entries) != 1 {
		t.Fatalf("drawn: %+v", drawn)
	}
	page := func() string {
		m.Kept.Ask(nil)
		m.Go("/ledger")
		m.Ledger.Ask()
		f.Settle()
		return app.HTMLString(&Page{Ledger: &m.Ledger, Model: m})
	}
	for _, want := range []string{"A page of 3 figures", "2 are kept, 1 to be drawn",
		"Figure 2 of 3: Histogram"} {
		if text := page(); !strings.Contains(text, want) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
	m.Call(engine.ResumeTogether.With(drawn.Entry), func(engine.Request, string, []byte) {})
	f.Settle()
	text := page()
	if len(f.Spendings[0].Entries) != 1 || !strings.Contains(text, "3 are kept<") {
		t.Errorf("%d debits; the page says\n%s", len(f.Spendings[0].Entries), text)
	}
	m.Kept.Show(engine.PlanEntry(drawn.Entry, 3), func() {})
	f.Settle()
	if m.Answer.Result == nil || m.Kept.Entry(m.Answer.Result) == "" {
		t.Error("an answer of the plan is not shown")
	}
}

// TestTopUpIsShown: an entry says which answer it was made of.
func TestTopUpIsShown(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0.03" })
	f.Settle()
	m.Answer.Run()
	f.Settle()
	m.Answer.MakeGood()
	f.Settle()
	m.Go("/ledger")
	m.Ledger.Ask()
	f.Settle()
	text := app.HTMLString(&Page{Ledger: &m.Ledger, Model: m})
	want := "replacing the one of " + account.TimeText(f.Spendings[0].Entries[0].Time)
	if len(f.Spendings[0].Entries) != 2 || !strings.Contains(text, want) {
		t.Errorf("%q does not stand there, of %d entries", want, len(f.Spendings[0].Entries))
	}
}

// TestFilterIsShown: where a δ is set aside the page says the limit that was fixed before anything
// else, and both counts, and nowhere an ε made of the ρ that is spent.
func TestFilterIsShown(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Go("/ledger")
	f.Settle()
	page := func() string {
		return strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(
			app.HTMLString(&Page{Ledger: &m.Ledger}))
	}
	m.Ledger.EditLimit(webtest.FakePrint, func(l *account.LimitForm) {
		l.Epsilon, l.Delta, l.Slack = "1", "0", "0.01"
	})
	if !strings.Contains(page(), "δ set aside") {
		t.Error("before the first release no δ can be set aside")
	}
	m.Ledger.SetLimit(webtest.FakePrint)
	f.Settle()
	for _, want := range []string{"All releases together cost at most ε = 1, δ = 0.01",
		"Nothing is spent yet."} {
		if text := page(); !strings.Contains(text, want) {
			t.Errorf("before the first release the page does not say %q", want)
		}
	}
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0.1" })
	f.Settle()
	for range 12 {
		m.Answer.Run()
		f.Settle()
	}
	text := page()
	for _, want := range []string{"All releases together cost at most ε = 1, δ = 0.01",
		"Used by 12 releases: 29.1 %", "Left: room for ε = 0.",
		">ρ (zero-concentrated)</td>", ">0.0299937515622<",
		">0.103412831364<", ">ε, the plain sum</td>", ">1.2<",
		"This was fixed by the first release"} {
		if !strings.Contains(text, want) {
			t.Errorf("after 12 releases the page does not say %q", want)
		}
	}
	first, counts := strings.Index(text, "cost at most"), strings.Index(text, "ρ (zero")
	if first > counts {
		t.Error("ρ stands before the plain words")
	}
	spent := m.Ledger.Accounts[0].Spent
	slack, err := privacy.ParseDelta("0.01")
	if err != nil {
		t.Fatal(err)
	}
	all, err := m.Ledger.Accounts[0].Compose()
	if err != nil || spent != "1.2" {
		t.Fatalf("spent %s, %v", spent, err)
	}
	for _, c := range all.Considered { // what ρ comes to at the δ set aside
		if e, _ := c.Loss.Epsilon(); c.Rule == privacy.Concentrated &&
			strings.Contains(text, account.AtMost(e)) {
			t.Errorf("the page states %s, which ρ comes to at δ = %s", account.AtMost(e), slack)
		}
	}
}

// TestFilterThatWasPassed: where releases came to a data set that its filter did not admit, what
// was fixed is no promise, and the page says the plain sum.
func TestFilterThatWasPassed(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Go("/ledger")
	f.Settle()
	tenth, err := privacy.ParseEpsilon("0.1")
	if err != nil {
		t.Fatal(err)
	}
	f.Spendings[0].Limit = &engine.Limit{Epsilon: "1", Slack: "0.01", Rho: "0.103"}
	for n, holds := range map[int]bool{20: true, 21: false} { // ρ = .0049958 each
		f.Spendings[0].Entries = nil
		for i := range n {
			f.Spendings[0].Entries = append(f.Spendings[0].Entries,
				webtest.Entry(i, "median", privacy.PureLoss(tenth)))
		}
		m.Ledger.Ask()
		f.Settle()
		text := strings.NewReplacer("\u00a0", " ").Replace(
			app.HTMLString(&Page{Ledger: &m.Ledger}))
		for promised, said := range map[string]bool{
			"All releases together cost at most ε = 1": holds,
			"more than 2.72 times as likely":           holds,
			"Spent: ε = 2.1 in 21 releases":            !holds,
			"more than 8.17 times as likely":           !holds} {
			if strings.Contains(text, promised) != said {
				t.Errorf("%d releases: the page says %q: %v", n, promised, !said)
			}
		}
	}
}

// TestExportSaysWhatItHolds: where questions are frozen, the page says that the file holds them.
func TestExportSaysWhatItHolds(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Go("/ledger")
	f.Settle()
	told := func() bool {
		return strings.Contains(app.HTMLString(&Page{Ledger: &m.Ledger}),
			"keep the file to yourself")
	}
	if told() {
		t.Error("nothing is frozen, and the page says so")
	}
	f.Spendings[0].Frozen = append(f.Spendings[0].Frozen, m.Question.Recipe())
	m.Ledger.Ask()
	f.Settle()
	if !told() {
		t.Error("a question is frozen, and the page does not say that the file holds it")
	}
}
