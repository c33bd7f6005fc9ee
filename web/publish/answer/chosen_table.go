package answer

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/parts"
	"hush/web/say"
)

// ChosenTable is one of several tables, as CrossTable prints it, and the choice among them.
type ChosenTable struct {
	app.Compo

	Release *task.Release // of several tables of at least two columns

	changed func() // draws it again

	at    int           // the table
	one   *task.Release // as a release of its own
	about *task.Release // what it is about
}

// OnMount learns how to be drawn again.
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
		&CrossTable{Release: c.one},
	)
}

// tablesOf are the tables of a release that has several.
func tablesOf(r *task.Release) []*task.ContingencyTable {
	return r.Answer.Result.(interface {
		Tables() []*task.ContingencyTable
	}).Tables()
}

// choose makes a release of one table, with the grades of its cells.
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
