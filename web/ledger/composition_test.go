package ledger

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/privacy"
	"hush/web/state/account"
	"hush/web/webtest"
)

// TestRulesAreCompared: the totals by each rule are those of the releases at hand, and are asked
// for anew after another one.
func TestRulesAreCompared(t *testing.T) {
	m, f := webtest.Asked(t)
	for range 2 {
		m.Answer.Run()
		f.Settle()
	}
	m.Go("/ledger")
	f.Settle()
	m.Ledger.Compose(m.Ledger.Accounts[0])
	f.Settle()
	c := m.Ledger.Composed[webtest.FakePrint]
	if c.Count != 2 || c.Total == nil || len(c.Total.Considered) < 3 {
		t.Fatalf("composed %+v", c)
	}
	page := func() string { return app.HTMLString(&Page{Ledger: &m.Ledger}) }
	if text := page(); !strings.Contains(text, "yes: the ledger counts this") ||
		strings.Contains(text, "Compare the rules") {
		t.Error("the totals are not shown")
	}
	m.Answer.Run()
	f.Settle()
	if text := page(); strings.Contains(text, "yes: the ledger counts this") ||
		!strings.Contains(text, "Compare the rules") {
		t.Error("totals of two releases are shown for three")
	}
}

// TestEachRuleHasAName: whatever rule a total is reached by, the page names it, that of choices
// too.
func TestEachRuleHasAName(t *testing.T) {
	tenth, err := privacy.ParseEpsilon("0.1")
	if err != nil {
		t.Fatal(err)
	}
	delta, err := privacy.ParseDelta("0.000001")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]privacy.Rule{}
	for _, loss := range []privacy.Loss{privacy.PureLoss(tenth), privacy.ChoiceLoss(tenth)} {
		total, err := privacy.Compose(slices.Repeat([]privacy.Loss{loss}, 8), delta)
		if err != nil {
			t.Fatal(err)
		}
		m, f := webtest.Asked(t)
		for range 2 {
			m.Answer.Run()
			f.Settle()
		}
		m.Go("/ledger")
		f.Settle()
		a := m.Ledger.Accounts[0]
		m.Ledger.Composed = map[string]account.Composed{
			a.Fingerprint: {Count: a.Count, Total: &total}}
		text := app.HTMLString(&Page{Ledger: &m.Ledger})
		for _, c := range total.Considered {
			name := string(ruleNames[c.Rule].name)
			if other, twice := named[name]; name == "" || twice && other != c.Rule ||
				!strings.Contains(text, name) {
				t.Errorf("the rule %s is called %q", c.Rule, name)
			}
			named[name] = c.Rule
		}
	}
	if len(named) != 5 {
		t.Errorf("rules %v, want all five", named)
	}
}
