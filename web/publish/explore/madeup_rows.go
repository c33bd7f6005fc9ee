package explore

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/coin"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/parts"
	"hush/web/say"
)

// MadeUpRows makes rows up from a release of one distribution, or of several columns, each by
// itself or together. It costs nothing.
type MadeUpRows struct {
	app.Compo

	Release  *task.Release
	Revision int            // Model.Revision
	Browser  *parts.Browser // saves the file

	asked *task.Release // what is typed and answered is about it
	rows  asking
}

// Render draws the field, the button and what came of it.
func (a *MadeUpRows) Render() app.UI {
	if a.asked != a.Release {
		a.asked, a.rows = a.Release, asking{text: "1000"}
	}
	lost := say.Text("Columns made up from several releases are drawn independently: relations " +
		"in the data, such as who earns more at which age, are lost.")
	more := ""
	if m, several := a.Release.Answer.Result.(*task.MadeUp); several {
		lost = say.Text(task.Lost)
		if n := len(m.Columns); n > chart.MostDrawn {
			more = say.Format("The chart shows the first %d of %d columns, the table all of them.",
				chart.MostDrawn, n)
		}
	}
	if _, joined := a.Release.Answer.Result.(*task.Joint); joined {
		lost = say.Text(task.OnlyPairs)
	}
	return app.Section().Class("more no-print").Aria("labelledby", "rows-title").Body(
		app.H3().ID("rows-title").Text(say.Text("Make rows up")),
		app.P().Class("small soft").Text(say.Format("Rows are drawn from the release alone: they "+
			"cost no privacy, are as safe to publish, and you may make as many files as you "+
			"like. %s", more)),
		parts.Note("warn", lost),
		app.Div().Class("fields").
			Body(parts.TextField("ask-rows", say.Text("How many rows of made-up data?"),
				a.rows.text, say.Text("a number such as 1000"), a.rows.fault, func(text string) {
					a.rows = asking{text: text}
				})),
		app.Div().Body(app.Button().ID("make-rows").Class("button").Type("button").
			Text(say.Text("Save them as CSV")).OnClick(func(app.Context, app.Event) { a.save() })),
		app.P().ID("ask-rows-answer").Class("answer-line").Role("status").Text(a.rows.answer),
	)
}

// save makes the file.
func (a *MadeUpRows) save() {
	var file string
	var err error
	src, r := coin.NewCrypto(), a.Release
	a.rows.answer, a.rows.fault = "", ""
	switch result := r.Answer.Result.(type) {
	case *task.MadeUp:
		file, err = result.Synthetic(say.Language(), src, r.Recipe, a.rows.text)
	case *task.Joint:
		file, err = result.Synthetic(say.Language(), src, r.Recipe, a.rows.text)
	case *task.Density:
		file, err = result.Synthetic(say.Language(), src, r.Recipe.Domain, r.Plan.Column,
			a.rows.text)
	}
	if err != nil {
		a.rows.fault = say.Format("Wanted: %s.", wantOf(err))
		return
	}
	a.Browser.Download("hush-made-up.csv", "text/csv", file)
	a.rows.answer = say.Format("Saved as hush-made-up.csv: %s rows, drawn from the release.",
		a.rows.text)
}
