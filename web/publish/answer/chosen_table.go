package answer

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/chart"
	"hush/web/chart/plot"
	"hush/web/parts"
	"hush/web/say"
)

// ChosenTable is one of several tables, as CrossTable prints it, with the choice among them.
type ChosenTable struct {
	app.Compo

	Release *task.Release  // of several tables of at least two columns
	Browser *parts.Browser // for the picture of made-up rows

	changed func() // draws it again

	at    int           // the table
	one   *task.Release // the chosen table as a release of its own
	about *task.Release // the release it comes from
}

// OnMount stores how to redraw the component.
func (c *ChosenTable) OnMount(ctx app.Context) { c.changed = func() { ctx.Update() } }

// Render draws the choice and the table.
func (c *ChosenTable) Render() app.UI {
	if c.about != c.Release {
		c.about = c.Release
		c.choose(0)
	}
	tables := tablesOf(c.Release)
	options := make([]parts.Option, len(tables))
	for i, t := range tables {
		options[i] = parts.Option{Value: strconv.Itoa(i + 1),
			Text: strings.Join(task.AxisNames(t.Axes), " · ")}
	}
	return app.Div().Class("stack").Body(
		app.Div().Class("fields no-print").Body(parts.DataField("chosen-table", say.Text("Table"),
			strconv.Itoa(c.at+1), options, "", "", func(v string) {
				number, _ := strconv.Atoi(v)
				c.choose(number - 1)
				c.changed()
			})),
		c.beside(tables[c.at]),
		&CrossTable{Release: c.one, MadeUp: c.madeUp()},
	)
}

// madeUp reports whether the tables hold made-up rows.
func (c *ChosenTable) madeUp() bool {
	_, is := c.Release.Answer.Result.(*task.Joint)
	return is
}

// beside draws made-up rows beside the released counts.
func (c *ChosenTable) beside(t *task.ContingencyTable) app.UI {
	if !c.madeUp() {
		return parts.Absent()
	}
	option, _ := chart.Beside(c.Release, t)
	title := say.Text("Made up, beside what was released")
	left := ""
	if n := len(t.Counts); n > plot.MostInHeatMap {
		left = say.Format("These are the first %d of %d cells; the table has all of them.",
			plot.MostInHeatMap, n)
	}
	return app.Section().Class("card pad stack").Aria("labelledby", "beside-title").Body(
		app.H3().ID("beside-title").Text(title),
		app.Ul().Class("legend small").Body(
			app.Li().Body(app.I().Class("made-key").Aria("hidden", true),
				app.Text(say.Text("made up"))),
			app.Li().Body(app.I().Class("released-key").Aria("hidden", true),
				app.Text(say.Text("released, with its error"))),
		),
		&parts.Chart{ID: "beside-chart", Option: string(option), Class: "chart", Label: title,
			Browser: c.Browser},
		app.P().Class("small soft").Text(left),
	)
}

// tablesOf returns the tables of a release with several.
func tablesOf(r *task.Release) []*task.ContingencyTable {
	return r.Answer.Result.(interface {
		Tables() []*task.ContingencyTable
	}).Tables()
}

// choose makes a release from one table, with the grades of its cells.
func (c *ChosenTable) choose(at int) {
	tables := tablesOf(c.Release)
	one := *c.Release
	one.Answer.Result = tables[at]
	if one.Verdict != nil {
		from := 0
		for _, t := range tables[:at] {
			from += len(t.Counts)
		}
		verdict := *one.Verdict
		to := min(from+len(tables[at].Counts), len(verdict.Cells))
		verdict.Cells = verdict.Cells[min(from, to):to]
		one.Verdict = &verdict
	}
	c.at, c.one = at, &one
}
