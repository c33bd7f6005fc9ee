package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/task"
	"hush/web/say"
)

// madeUpView shows the distribution of each column, and makes rows up.
type madeUpView struct{}

const mostDrawn = 4 // columns in a chart; all are in the table

// chart draws the first columns, each by itself: categories as bars, others as densities.
func (madeUpView) chart(r *task.Release) (object, bool) {
	columns := r.Answer.Result.(*task.MadeUp).Columns
	columns = columns[:min(len(columns), mostDrawn)]
	var grids, across, along, series []object
	for i, c := range columns {
		x, y, s := madeUpColumn(c, r.Recipe.Others[i].Domain)
		x["gridIndex"], y["gridIndex"], s["xAxisIndex"], s["yAxisIndex"] = i, i, i, i
		grids, across, along, series = append(grids, placeOf(i, len(columns))), append(across, x), append(along, y), append(series, s)
	}
	return object{"grid": grids, "tooltip": object{"trigger": "item", "renderMode": "richText"}, "xAxis": across, "yAxis": along, "series": series}, true
}

// placeOf is where the chart of column i of n stands: one above the other, and beside it where there are more than two.
func placeOf(i, n int) object {
	o := object{"left": 8, "right": 24, "top": 36, "bottom": 44, "containLabel": true}
	if n > 2 {
		o["right"] = "53%"
		if i%2 == 1 {
			o["left"], o["right"] = "53%", 16
		}
		i, n = i/2, 2
	}
	if n == 2 {
		o["height"] = "28%"
		delete(o, "bottom")
		if i == 1 {
			o["top"] = "60%"
		}
	}
	return o
}

// madeUpColumn is the picture of one column.
func madeUpColumn(c task.MadeUpColumn, spec domain.Spec) (x, y, series object) {
	y = axis("value", say.Text("people per value"))
	y["min"], y["splitNumber"], y["nameTextStyle"] = 0, 3, object{"color": softColour, "align": "left"}
	if spec.Kind == domain.Category {
		y["name"] = say.Text("people")
		var names []string
		var people []float64
		for _, cell := range c.Density.Cells {
			name := cell.First
			if cell.Last != cell.First {
				name += " " + say.Format("to %s", cell.Last)
			}
			names, people = append(names, name), append(people, cell.People)
		}
		x, _ = valueAxis(spec.Kind, c.Name, names)
		return x, y, object{"type": "bar", "name": c.Name, "data": people, "itemStyle": object{"color": accentColour, "opacity": 0.82}, "barMaxWidth": 48}
	}
	var ends []string
	for _, cell := range c.Density.Cells {
		ends = append(ends, cell.First, cell.Last)
	}
	x, place := valueAxis(spec.Kind, c.Name, ends)
	if from, to := c.Density.At(say.Language(), spec, 0.01), c.Density.At(say.Language(), spec, 0.99); from != to {
		_, end := valueAxis(spec.Kind, "", []string{from, to})
		if lo, hi := end(0), end(1); lo != nil && hi != nil {
			x["min"], x["max"] = lo, hi
		}
	}
	var pieces [][]any
	for i, cell := range c.Density.Cells {
		pieces = append(pieces, []any{place(2 * i), cell.Height}, []any{place(2*i + 1), cell.Height})
	}
	return x, y, object{"type": "line", "name": c.Name, "data": pieces, "showSymbol": false,
		"lineStyle": object{"color": accentColour, "width": 2}, "itemStyle": object{"color": accentColour}, "areaStyle": object{"color": accentColour, "opacity": 0.18}}
}

func (madeUpView) figures(r *task.Release) (list []figure) {
	for i, c := range r.Answer.Result.(*task.MadeUp).Columns {
		if spec := r.Recipe.Others[i].Domain; spec.Kind != domain.Category {
			list = append(list, figure{say.Format("%s, middle half", c.Name), say.Format("%s to %s", c.Density.At(say.Language(), spec, 0.25), c.Density.At(say.Language(), spec, 0.75))})
		}
	}
	return list
}

func (madeUpView) explore(r *task.Release, revision int, browser *browser) app.UI {
	return &MadeUpRows{Release: r, Revision: revision, Browser: browser}
}

// MadeUpRows makes rows up from a release of one distribution or of several columns. It costs nothing.
type MadeUpRows struct {
	app.Compo

	Release  *task.Release
	Revision int      // Model.Revision
	Browser  *browser // saves the file

	asked *task.Release // what is typed and answered is about it
	rows  asking
}

// Render draws the field, the button and what came of it.
func (a *MadeUpRows) Render() app.UI {
	if a.asked != a.Release {
		a.asked, a.rows = a.Release, asking{text: "1000"}
	}
	lost := say.Text("Columns made up from several releases are drawn independently: what connects them in the data, such as who earns more at which age, is lost.")
	more := ""
	if m, several := a.Release.Answer.Result.(*task.MadeUp); several {
		lost = say.Text(task.Lost)
		if n := len(m.Columns); n > mostDrawn {
			more = say.Format("The chart shows the first %d of %d columns, the table all of them.", mostDrawn, n)
		}
	}
	return app.Section().Class("more no-print").Aria("labelledby", "rows-title").Body(
		app.H3().ID("rows-title").Text(say.Text("Make rows up")),
		app.P().Class("small soft").Text(say.Format("Rows are drawn from the release alone: they cost no privacy, are as safe to publish, and you may make as many files as you like. %s", more)),
		note("warn", lost),
		app.Div().Class("fields").Body(textField("ask-rows", say.Text("How many rows of made-up data?"), a.rows.text, say.Text("a number such as 1000"), a.rows.fault, func(text string) { a.rows = asking{text: text} })),
		app.Div().Body(app.Button().ID("make-rows").Class("button").Type("button").Text(say.Text("Save them as CSV")).OnClick(func(app.Context, app.Event) { a.save() })),
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
	case *task.Density:
		file, err = result.Synthetic(say.Language(), src, r.Recipe.Domain, r.Plan.Column, a.rows.text)
	}
	if err != nil {
		a.rows.fault = say.Format("Wanted: %s.", wantOf(err))
		return
	}
	a.Browser.download("hush-made-up.csv", "text/csv", file)
	a.rows.answer = say.Format("Saved as hush-made-up.csv: %s rows, drawn from the release.", a.rows.text)
}
