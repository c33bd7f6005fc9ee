package publish

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/chart"
	"hush/web/parts"
	"hush/web/report"
	"hush/web/say"
	"hush/web/state"
)

// ReportList is the report: the answers that were collected, in their order, and the page that they
// are saved as.
type ReportList struct {
	app.Compo

	Model    *state.Model   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // draws the pictures, saves the file

	told string // what became of the last download
}

// Render draws the list.
func (l *ReportList) Render() app.UI {
	m := l.Model
	list := m.Collected
	return app.Section().ID(state.ReportID).TabIndex(-1).Class("card pad stack no-print").
		Aria("labelledby", state.ReportID+"-title").Body(
		app.H2().ID(state.ReportID+"-title").Class("minor").Text(say.Count(int64(len(list)),
			"The report: one answer", "The report: %d answers", len(list))),
		app.Ol().Class("past").Body(app.Range(list).Slice(func(i int) app.UI {
			return l.entry(i, list[i])
		})),
		app.Div().Class("row").Body(
			app.Button().ID("save-report").Class("button main").Type("button").
				Text(say.Text("Download the report")).
				OnClick(func(ctx app.Context, _ app.Event) { l.save(ctx) }),
			app.P().Class("small soft").Role("status").Text(l.told),
		),
		app.P().Class("small soft").Text(say.Text("One page of HTML with all of them, to open, "+
			"print and pass on. Until then the report is in the memory of this page only.")),
	)
}

// save draws the answers one after the other, and saves the report of all.
func (l *ReportList) save(ctx app.Context) {
	tell := func(text string) {
		l.told = text
		ctx.Update()
	}
	list := slices.Clone(l.Model.Collected)
	answers := make([]report.Answer, 0, len(list))
	var next func()
	next = func() {
		at := len(answers)
		if at == len(list) {
			l.Browser.Download("hush-report.html", "text/html",
				report.Of(l.Browser.Build(), l.Browser.Today(), answers...).HTML())
			tell(say.Text("The report is saved."))
			return
		}
		publication(l.Browser, list[at], func(p *chart.Picture) {
			answers = append(answers, report.Answer{Release: list[at], Picture: p})
			next()
		}, tell)
	}
	tell(say.Text("Drawing the pictures…"))
	next()
}

func (l *ReportList) entry(i int, r *task.Release) app.UI {
	title := QuestionTitle(r.Plan)
	verdict := parts.Absent()
	if v := state.VerdictOf(r); v != nil {
		verdict = app.Span().Body(parts.VerdictChip(v.Grade))
	}
	return app.Li().Body(
		app.Span().Class("n").Text(strconv.Itoa(i+1)),
		app.Div().Class("stack").Body(
			app.B().Text(title), app.Span().Class("small soft").Text(r.Statement), verdict),
		app.Button().Class("button plain").Type("button").Text(say.Text("Remove")).
			Aria("label", say.Format("Remove from the report: %s", title)).
			OnClick(func(app.Context, app.Event) {
				l.Model.Drop(i)
			}, app.EventScope(i, len(l.Model.Collected))),
	)
}
