package ledger

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/webtest"
)

// TestRulesAreCompared: the totals by each rule are those of the releases at hand, and are asked
// for anew after another one.
func TestRulesAreCompared(t *testing.T) {
	m, f := webtest.Asked(t)
	for range 2 {
		m.Run()
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
	m.Run()
	f.Settle()
	if text := page(); strings.Contains(text, "yes: the ledger counts this") ||
		!strings.Contains(text, "Compare the rules") {
		t.Error("totals of two releases are shown for three")
	}
}
