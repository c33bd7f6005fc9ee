package web

import (
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/codebook"
	"hush/web/engine"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestPageInEveryPhase draws the page natively in each phase, whole as it begins and as it ends,
// else one level deep; the golden files are what a reviewer reads.
func TestPageInEveryPhase(t *testing.T) {
	shallow := webtest.Shallow{Elsewhere: []string{"question.TaskChoices"}} // the gallery's
	draw := func(name string, m *state.Model) {
		webtest.Golden(t, "page-"+name+".html", shallow.Draw(&Page{model: m}))
	}
	whole := func(name string, m *state.Model) {
		webtest.Golden(t, "page-"+name+".html", webtest.InOrder(app.HTMLString(&Page{model: m})))
	}
	m, f := webtest.Started(t)
	whole("empty", m)
	m.Open(webtest.FakeFile("clinic.csv"))
	m.Data.Progress = engine.Progress{Phase: "opening", Done: 30, Total: 100}
	draw("opening", m)
	f.Settle()
	draw("opened", m)
	webtest.Confirm(m)
	draw("codebook", m)
	m.Describe(1)
	m.EditColumn(func(c *form.ColumnForm) { c.Lo, c.Hi = "x", "100" })
	m.DescribeAs(codebook.Unanswered)
	draw("column", m)
	m.EditColumn(func(c *form.ColumnForm) { c.Lo = "0" })
	m.DescribeAs(codebook.Unanswered)
	m.Ask()
	f.Settle()
	draw("priced", m)
	m.Edit("", func(q *form.Question) { q.Epsilon = "x" })
	f.Settle()
	draw("fault", m)
	m.Edit("", func(q *form.Question) { q.Epsilon = "0.5" })
	f.Settle()
	m.Run()
	draw("running", m)
	f.Settle()
	whole("released", m)

	m, _ = webtest.Several(t, "histogram", "median")
	m.Compare(1, true)
	m.Compare(2, true)
	draw("compared", m)
}
