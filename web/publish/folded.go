package publish

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/codebook"
	"hush/core/message"
	"hush/web/parts"
	"hush/web/publish/answer"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/stage"
)

// Folded shows the stages that are done, one line for each, with a way back.
type Folded struct {
	app.Compo

	Model    *state.Model // read and changed
	Revision int          // Model.Revision
}

// Render draws the lines of the stages before the open one.
func (f *Folded) Render() app.UI {
	m := f.Model
	lines := []app.UI{f.line(stage.Data, say.Text("Data"), f.data())}
	if m.Way.Stage() > stage.Columns {
		lines = append(lines, f.line(stage.Columns, say.Text("Columns"), f.columns()))
	}
	if m.Answer.OnScreen() {
		plan := m.Answer.Result.Plan
		lines = append(lines, f.line(stage.Question, say.Text("Question"),
			parts.Together(answer.QuestionTitle(plan)+", "+say.Phrase(plan.Loss))))
	}
	return app.Ol().Class("folded").Aria("label", say.Text("Finished steps")).Body(lines...)
}

func (f *Folded) line(to stage.Stage, name, text string) app.UI {
	return app.Li().Class("fold").Body(
		parts.Icon(parts.IconCheck), app.B().Text(name),
		app.Span().Attr("translate", "no").Text(text),
		app.Button().ID("edit-"+to.ID()).Class("button quiet small").Type("button").
			Aria("label", say.Text("Edit")+": "+name).Text(say.Text("Edit")).
			OnClick(func(app.Context, app.Event) { f.Model.Way.GoTo(to) }, app.EventScope(int(to))))
}

func (f *Folded) data() string {
	m := f.Model
	d := m.Data.File
	text := d.Name + " · "
	if _, many := m.Codebook.People(); m.Codebook.Noun.Many != "" && m.Codebook.Rows.Column == 0 {
		text += parts.Together(message.Grouped(d.Opened.Rows)) + " " + many
	} else {
		text += say.Count(d.Opened.Rows, "%s row", "%s rows", message.Grouped(d.Opened.Rows))
	}
	if n := int64(len(d.Opened.Problems)); n > 0 {
		text += " · " + say.Count(n, "%d kind of problem", "%d kinds of problems", n)
	}
	return text
}

// columns names the first few described columns.
func (f *Folded) columns() string {
	const most = 3
	var list []string
	for _, c := range f.Model.Codebook.Columns() {
		if c.State() == codebook.Described {
			list = append(list, say.Phrase(c.Title()))
		}
	}
	switch n := len(list); {
	case n == 0:
		return say.Text("none is described yet")
	case n > most:
		return say.Format("%s and %d more are described", strings.Join(list[:most], ", "), n-most)
	}
	return say.Format("%s described", strings.Join(list, ", "))
}
