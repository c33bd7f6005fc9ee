package proof

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/audit"
	"hush/core/message"
	"hush/core/task"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/claim"
	"hush/web/state/place"
)

// EvidencePage lists every audited claim with the figures that the tests wrote.
type EvidencePage struct {
	app.Compo

	Evidence *claim.Evidence // read and changed
	Revision int             // Model.Revision
}

// Render draws the totals, a section for each package, and what no proof is about.
func (v *EvidencePage) Render() app.UI {
	tag, _ := say.Spoken()
	body := []app.UI{tabs(place.ViewEvidence), app.Div().Class("intro").Body(
		app.H1().Text(say.Text("Evidence")),
		app.P().Text(say.Text("Each algorithm has a written proof beside its code, and tests "+
			"that do not trust the proof. They compute the exact law of its result for every "+
			"data set of a tiny space and compare all neighbours with the claim. Then they break "+
			"the algorithm on purpose, and must notice.")),
		app.If(tag != "en", func() app.UI {
			return app.P().
				Text(say.Text("What was audited is named in English, as the tests write it."))
		}),
	)}
	switch e := v.Evidence; e.Phase {
	case claim.EvidenceRead:
		body = append(body,
			app.Div().Class("ledger").
				Body(append([]app.UI{totals(e.Tally(), len(e.Records))},
					sections(e.Records)...)...))
	case claim.EvidenceFailed:
		body = append(body, parts.FailureNote(e.Failure),
			app.Div().Body(app.Button().Class("button").Type("button").Text(say.Text("Try again")).
				OnClick(func(app.Context, app.Event) { e.Read() })))
	default:
		body = append(body,
			app.P().Class("soft").Role("status").Text(say.Text("Reading the figures…")))
	}
	return app.Div().Body(append(body, &ThreatModel{})...)
}

func totals(t claim.Tally, packages int) app.UI {
	list := []struct {
		name string
		n    int
	}{{say.Text("claims audited, all hold"), t.Claims},
		{say.Text("planted mistakes, all caught"), t.Planted},
		{say.Text("data sets gone through"), t.DataSets},
		{say.Text("pairs of neighbours compared"), t.Pairs}}
	return app.Section().Class("more").Aria("label", say.Text("In all")).Body(
		app.Dl().Class("forecast").Body(app.Range(list).Slice(func(i int) app.UI {
			return app.Div().
				Body(app.Dt().Text(list[i].name),
					app.Dd().Class("value number").Text(message.Grouped(int64(list[i].n))))
		})),
		softly(say.Format("From %s. Each number on this page is read from the tables that the "+
			"tests write and check; none is typed by hand.",
			say.Count(int64(packages), "one package", "%d packages", packages))),
	)
}

func sections(records []audit.Record) (list []app.UI) {
	for _, r := range records {
		t := claim.TallyOf(r)
		list = append(list,
			parts.CardOf("evidence-"+r.Package,
				app.H2().Attr("translate", "no").Text(task.Capital(r.Package)), []app.UI{
					app.P().Lang("en").Dir("ltr").Text(task.Capital(r.About)),
					softly(say.Format(
						"Claims that hold: %d. Planted mistakes caught: %d. Compared: %s "+
							"pairs of neighbours, on %s data sets.",
						t.Claims, t.Planted, message.Grouped(int64(t.Pairs)),
						message.Grouped(int64(t.DataSets)))),
					&AuditedLines{Summary: say.Text("The claims, with the findings"),
						Caption: say.Format("Claims of %s", r.Package), Lines: r.Claims},
					&AuditedLines{
						Summary: say.Text("The planted mistakes, with the findings"),
						Caption: say.Format("Planted mistakes of %s", r.Package), Lines: r.Planted},
					app.If(len(r.Intervals) > 0, func() app.UI {
						return &MeasuredIntervals{Package: r.Package, Rows: r.Intervals}
					}),
				}))
	}
	return append(list, reading())
}

// AuditedLines draws a table of claims or of planted mistakes, to unfold.
type AuditedLines struct {
	app.Compo

	Summary, Caption string
	Lines            []audit.Line

	table parts.Table // as it is drawn, made once: it is drawn in many pieces
}

// OnUpdate starts over with other lines.
func (a *AuditedLines) OnUpdate(app.Context) { a.table = parts.Table{} }

// Render draws the table.
func (a *AuditedLines) Render() app.UI {
	if a.table.Header == nil {
		a.table = *linesTable(a.Caption, a.Lines)
	}
	table := a.table
	return app.Details().Body(app.Summary().Text(a.Summary), &table)
}

func linesTable(caption string, lines []audit.Line) *parts.Table {
	rows := make([][]string, len(lines))
	for i, l := range lines {
		found := l.Found
		if found == "none" {
			found = "∞"
		}
		rows[i] = []string{l.Name, message.Grouped(int64(l.DataSets)),
			message.Grouped(int64(l.Pairs)), l.Odds, found, l.Delta, l.Lost, l.Worst}
	}
	header := []string{say.Text("Audited"), say.Text("Data sets"), say.Text("Pairs"),
		say.Text("e^ε claimed"), say.Text("e^ε needed"), say.Text("δ claimed"),
		say.Text("δ needed"), say.Text("Worst pair")}
	table := parts.DataTable(caption, header, rows, "tall", func(column int) bool {
		return column > 0 && column < 7
	})
	table.Written = parts.ByTester
	return table
}

// MeasuredIntervals draws a table of how often intervals cover the true value and how wide they
// are, to unfold.
type MeasuredIntervals struct {
	app.Compo

	Package string
	Rows    [][]string // of audit.Record

	table parts.Table // as it is drawn, made once
}

// OnUpdate starts over with other rows.
func (m *MeasuredIntervals) OnUpdate(app.Context) { m.table = parts.Table{} }

// Render draws the table.
func (m *MeasuredIntervals) Render() app.UI {
	if m.table.Header == nil {
		header := []string{say.Text("Question"), say.Text("People"), "ε",
			say.Text("Error stated (95 %)"), say.Text("Within it were 95 of 100"),
			say.Text("Part of the proven bound"), say.Text("Held, of 100")}
		m.table = *parts.DataTable(say.Format("Intervals of %s", m.Package), header, m.Rows, "tall",
			func(column int) bool { return column > 0 })
		m.table.Written = parts.ByTester
	}
	table := m.table
	return app.Details().Body(
		app.Summary().Text(say.Text("What intervals cover, and how wide they are")),
		softly(say.Text("Each question was asked many times about made-up data. A stated error "+
			"has to hold in at least 95 of 100 releases. The error measured with the answer is "+
			"shown as a fraction of the bound proven for any data.")),
		&table)
}

// reading explains how to read the tables.
func reading() app.UI {
	return app.Section().Class("more").Aria("labelledby", "evidence-reading").Body(
		app.H2().ID("evidence-reading").Text(say.Text("How to read the tables")),
		app.P().Text(say.Text("A claim promises that replacing one person makes no set of "+
			"results more than e^ε times as likely, except with probability δ. “e^ε needed” is "+
			"the smallest number for which that is true at the claimed δ, over all pairs; ∞ if "+
			"no number is large enough. “δ needed” is the smallest δ that makes it true at the "+
			"claimed e^ε. If some noise was not followed, two numbers are given, and the true "+
			"one lies between them. A worst pair lists the values of all persons in both data "+
			"sets; ∅ means no value.")),
		app.P().Text(say.Text("Tiny data prove nothing about large data. But a wrong factor, an "+
			"off-by-one error or a forgotten case in a proof shows in tiny data all the same, "+
			"and the planted mistakes show that the tests would find it.")),
	)
}
