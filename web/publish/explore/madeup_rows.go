package explore

import (
	"encoding/csv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	corask "hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/place"
)

// MadeUpRows makes up rows from a release of one distribution or of several columns, each
// separately or all together. It costs nothing.
type MadeUpRows struct {
	app.Compo

	Release  *task.Release
	Revision int            // Model.Revision
	Browser  *parts.Browser // saves the file

	changed func()        // draws it again
	asked   *task.Release // the release that the typed text and the answers are about
	rows    asking
}

// rowForm is a form in which made-up rows are saved.
type rowForm struct {
	id        string // also the extension of its file
	title     phrase.Key
	mediaType string
}

var rowForms = []rowForm{
	{"csv", "Save them as CSV", "text/csv"},
	{"xlsx", "Save them as XLSX",
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
	{"parquet", "Save them as Parquet", "application/vnd.apache.parquet"},
}

// OnMount stores how to redraw the component.
func (a *MadeUpRows) OnMount(ctx app.Context) { a.changed = func() { ctx.Update() } }

// Render draws the field, the buttons and their results.
func (a *MadeUpRows) Render() app.UI {
	if a.asked != a.Release {
		a.asked, a.rows = a.Release, asking{text: "1000"}
	}
	lost := parts.Note("warn", say.Text("Columns made up from several releases are drawn "+
		"independently: relations in the data, such as pay rising with age, are lost."))
	more := ""
	switch m := a.Release.Answer.Result.(type) {
	case *task.MadeUp:
		lost = parts.Note("warn", say.Text(task.Lost))
		if n := len(m.Columns); n > chart.MostDrawn {
			more = say.Format("The chart shows the first %d of %d columns, the table all of them.",
				chart.MostDrawn, n)
		}
	case *task.Joint:
		lost = notFor(m.NotFor(a.Release.Voice(say.Language())))
	}
	return app.Section().Class("more no-print").Aria("labelledby", "rows-title").Body(
		app.H3().ID("rows-title").Text(say.Text("Make rows up")),
		app.P().Class("small soft").Text(say.Format("Rows are drawn from the release alone: they "+
			"cost no privacy and are as safe to publish as the release, and you may make as many "+
			"files as you like. %s", more)),
		lost,
		app.Div().Class("fields").
			Body(parts.TextField("ask-rows", say.Text("How many rows of made-up data?"),
				a.rows.text, say.Text("a number such as 1000"), a.rows.fault, func(text string) {
					a.rows = asking{text: text}
				})),
		app.Div().Class("row").Body(app.Range(rowForms).Slice(func(i int) app.UI {
			form := rowForms[i]
			id := "make-rows"
			if i > 0 {
				id += "-" + form.id
			}
			return app.Button().ID(id).Class("button").Type("button").
				Text(say.Text(form.title)).
				OnClick(func(app.Context, app.Event) { a.save(form) })
		})),
		app.P().ID("ask-rows-answer").Class("answer-line").Role("status").Text(a.rows.answer),
	)
}

// notFor lists what the rows must not be used for.
func notFor(list []string) app.UI {
	return app.Section().Class("note rough").Aria("labelledby", "not-for").Body(
		app.H4().ID("not-for").Text(say.Text("Do not use them for")),
		app.Ul().Class("donts").Body(app.Range(list).Slice(func(i int) app.UI {
			return app.Li().Text(list[i])
		})),
	)
}

// save makes the file.
func (a *MadeUpRows) save(form rowForm) {
	var file string
	var err error
	src, r := coin.NewCrypto(), a.Release
	a.rows.answer, a.rows.fault = "", ""
	fields := r.Recipe.Others
	switch result := r.Answer.Result.(type) {
	case *task.MadeUp:
		file, err = result.Synthetic(say.Language(), src, r.Recipe, a.rows.text)
	case *task.Joint:
		file, err = result.Synthetic(say.Language(), src, r.Recipe, a.rows.text)
	case *task.Density:
		file, err = result.Synthetic(say.Language(), src, r.Recipe.Domain, r.Plan.Column,
			a.rows.text)
		fields = []corask.Field{{Domain: r.Recipe.Domain}}
	}
	if err != nil {
		a.rows.fault = say.Format("Wanted: %s.", wantOf(err))
		return
	}
	name := "hush-made-up." + form.id
	if form.id == "csv" {
		a.Browser.Download(name, form.mediaType, file)
	} else {
		table, err := tableOf(file, fields)
		if err != nil { // unreachable: it was written as CSV
			a.rows.fault = say.Error(err)
			return
		}
		a.Browser.DownloadRows(name, form.mediaType, form.id, engine.Encode(table),
			func(_ engine.Request, kind string, body []byte) {
				if kind == engine.ReplyFailed {
					a.rows.answer = say.Format("The file could not be made: %s.",
						place.Failure(body).Message)
					a.changed()
				}
			})
	}
	a.rows.answer = say.Format("Saved as %s: %s rows, drawn from the release.", name,
		a.rows.text)
}

// rowTable holds made-up rows for the writers of forms other than CSV.
type rowTable struct {
	Name  string     `json:"name"` // a sheet's
	Names []string   `json:"names"`
	Kinds []string   `json:"kinds"` // "whole", "number" or "text"
	Rows  [][]string `json:"rows"`
}

// tableOf reads the CSV file of rows with these fields; its cells are defused.
func tableOf(file string, fields []corask.Field) (t rowTable, err error) {
	all, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil {
		return t, err
	}
	t = rowTable{Name: say.Text("made up"), Names: all[0], Rows: all[1:]}
	for i := range t.Names {
		kind := "text"
		switch fields[i].Domain.Kind {
		case domain.Integer:
			kind = "whole"
		case domain.Decimal, domain.Float64:
			kind = "number"
		}
		t.Kinds = append(t.Kinds, kind)
	}
	return t, nil
}
