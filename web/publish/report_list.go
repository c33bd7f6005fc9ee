package publish

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/parts"
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
	)
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
