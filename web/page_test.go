package web

import (
	"html"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/codebook"
	"hush/web/engine"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestPageInEveryPhase draws the page natively in each phase: whole as it ends, for a reviewer to
// read, and in the others what each is about.
func TestPageInEveryPhase(t *testing.T) {
	draw := func(phase string, m *state.Model, wants ...string) {
		t.Helper()
		shown := html.UnescapeString(webtest.InOrder(app.HTMLString(&Page{model: m})))
		for _, want := range wants {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: the page does not show %q", phase, want)
			}
		}
	}
	m, f := webtest.Started(t)
	draw("empty", m, "Open a CSV")
	m.Data.Open(webtest.FakeFile("clinic.csv"))
	m.Data.Progress = engine.Progress{Phase: "opening", Done: 30, Total: 100}
	draw("opening", m, "Reading clinic.csv… 30 %", `value="300"`)
	f.Settle()
	draw("opened", m, "Can a person have several rows?")
	webtest.Confirm(m)
	draw("codebook", m, "Describe the columns")
	m.Codebook.Describe(1)
	m.Codebook.EditColumn(func(c *form.ColumnForm) { c.Lo, c.Hi = "x", "100" })
	m.Codebook.DescribeAs(codebook.Unanswered)
	draw("column", m, `aria-invalid aria-label="Smallest possible value"`)
	m.Codebook.EditColumn(func(c *form.ColumnForm) { c.Lo = "0" })
	m.Codebook.DescribeAs(codebook.Unanswered)
	m.Question.Ask()
	f.Settle()
	draw("priced", m, "Release")
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "x" })
	f.Settle()
	draw("fault", m, "Wanted: a number from 0.000000001 to 100")
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0.5" })
	f.Settle()
	m.Answer.Run()
	draw("running", m, "ε\u00a0=\u00a00.5 is spent once it begins to draw", "Cancel")
	f.Settle()
	webtest.Golden(t, "page-released.html", webtest.InOrder(app.HTMLString(&Page{model: m})))

	m, _ = webtest.Several(t, "histogram", "median")
	m.Answer.Compare(1, true)
	m.Answer.Compare(2, true)
	draw("compared", m, "side by side")
}
