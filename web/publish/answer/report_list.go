package answer

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/chart/svg"
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
		app.Button().ID("save-report").Class("button").Type("button").
			Text(say.Text("Save the report")).OnClick(func(app.Context, app.Event) {
			l.save(slices.Clone(l.Model.Collected), nil)
		}),
	)
}

// save draws one picture after the other, and saves the report when it has all.
func (l *ReportList) save(left []*task.Release, done []report.Answer) {
	if len(left) == 0 {
		if len(done) > 0 {
			l.Browser.Download("hush-report.html", "text/html",
				report.Of(l.Browser.Build(), l.Browser.Today(), done...).HTML())
		}
		return
	}
	drawPicture(l.Browser, l.Model, left[0], func(p *svg.Picture) {
		l.save(left[1:], append(done, report.Answer{Release: left[0], Picture: p}))
	})
}

func (l *ReportList) entry(i int, r *task.Release) app.UI {
	title := QuestionTitle(r.Plan)
	return app.Li().Body(
		app.Span().Class("n").Text(strconv.Itoa(i+1)),
		app.Div().Class("stack").Body(
			app.B().Text(title), app.Span().Class("small soft").Text(r.Statement),
			verdictIn(r)),
		app.Button().Class("button plain").Type("button").Text(say.Text("Remove")).
			Aria("label", say.Format("Remove from the report: %s", title)).
			OnClick(func(app.Context, app.Event) {
				l.Model.Drop(i)
			}, app.EventScope(i, len(l.Model.Collected))),
	)
}

// CollectButton adds the answer that is shown to the report.
func CollectButton(m *state.Model, class string) app.UI {
	return app.Button().ID("collect").Class(class).Type("button").
		Disabled(!m.MayCopy(m.Release.Result)).Text(say.Text("Add to report")).
		OnClick(func(app.Context, app.Event) { m.Collect(m.Release.Result) })
}
