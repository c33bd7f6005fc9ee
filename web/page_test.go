package web

import (
	"hush/web/engine"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// TestPageInEveryPhase draws the page natively in each phase; the golden files are what a reviewer reads.
func TestPageInEveryPhase(t *testing.T) {
	draw := func(name string, m *Model) {
		golden(t, "page-"+name+".html", inOrder(app.HTMLString(&Page{model: m})))
	}
	m, f := started(t)
	draw("empty", m)
	m.Open(fakeFile("clinic.csv"))
	m.Data.Progress = engine.Progress{Phase: "opening", Done: 30, Total: 100}
	draw("opening", m)
	f.settle()
	draw("opened", m)
	m.Confirm()
	m.Edit("", func(q *Question) { q.Column = 1 })
	f.settle()
	draw("column", m)
	m.Edit("", func(q *Question) { q.Domain.Lo, q.Domain.Hi = "0", "100" })
	f.settle()
	draw("priced", m)
	m.Edit("", func(q *Question) { q.Domain.Lo = "x" })
	f.settle()
	draw("fault", m)
	m.Edit("", func(q *Question) { q.Domain.Lo = "0" })
	f.settle()
	m.Run()
	draw("running", m)
	f.settle()
	draw("released", m)
}
