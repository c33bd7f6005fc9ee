package answer

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/task"
	"hush/web/parts"
	"hush/web/say"
)

// CrossTable is a table of two or more columns as statistical offices print it: the places of the
// last column side by side, a row for each combination of the others, sums at the ends. It shows
// counts, or shares computed from them at no cost, and at most as many rows at once as keep the
// page fast.
type CrossTable struct {
	app.Compo

	Release *task.Release // a release of a table with at least two columns
	MadeUp  bool          // its counts are those of made-up rows, and Raw what was released

	changed func() // draws it again

	shows   string        // what its cells are: counts, shares, beside, or within- and an axis
	numbers crossed       // for that: worked out once, and not for each page of rows
	from    int           // the first row that is drawn
	about   *task.Release // the release that they are about
}

const (
	showCounts = "counts"
	showShares = "shares"
	showWithin = "within-" // before the number of an axis
	showBeside = "beside"  // counts of made-up rows and what was released

	crossRows = 50 // rows drawn at once
)

// OnMount stores how to redraw the component.
func (c *CrossTable) OnMount(ctx app.Context) { c.changed = func() { ctx.Update() } }

// Render draws the chosen table, and the choice.
func (c *CrossTable) Render() app.UI {
	r := c.Release
	t := r.Answer.Result.(*task.ContingencyTable)
	if c.about != r {
		c.about, c.from = r, 0
		if c.show(showCounts); c.MadeUp {
			c.show(showBeside)
		}
	}
	options := []parts.Option{{Value: showCounts, Text: say.Text("Counts")},
		{Value: showShares, Text: say.Text("Shares of all")}}
	if c.MadeUp {
		options = append([]parts.Option{{Value: showBeside,
			Text: say.Text("Made up, and released")}}, options...)
	}
	for i, a := range t.Axes {
		options = append(options, parts.Option{Value: showWithin + strconv.Itoa(i),
			Text: say.Format("Shares within each %s", a.Column)})
	}
	rows := len(t.Counts) / len(t.Axes[len(t.Axes)-1].Places)
	return app.Section().Class("data across card pad stack").Aria("label",
		say.Text("The numbers")).Body(
		app.Div().Class("fields no-print").Body(parts.DataField("cross-shows", say.Text("Show"),
			c.shows, options, "", "", func(v string) {
				c.show(v)
				c.changed()
			})),
		c.table(t),
		c.pages(rows),
		app.P().Class("small soft").Text(c.key(t)),
	)
}

// key explains how to read the cells.
func (c *CrossTable) key(t *task.ContingencyTable) string {
	text := say.Format("Each count is within %s of the true one in 95 of 100 releases; sums are "+
		"sums of these counts, with their own ±.",
		message.Grouped(t.CellError()))
	if t.Raw != nil {
		text = say.Format("In 95 of 100 releases the true count is in the interval given in the "+
			"files: %s to either side of the count before fitting. Sums add up these counts, and "+
			"have their own ±.",
			message.Grouped(t.CellError()))
	}
	switch c.shows {
	case showCounts:
	case showBeside:
		text = say.Format("First the made-up rows; behind them what was released, within %s of "+
			"the true count in 95 of 100 releases.", message.Grouped(t.CellError()))
	default:
		text = say.Text("In brackets, the range that holds the true share in 95 of 100 " +
			"releases.")
	}
	text += " " + say.Text("* Too few to tell from noise.")
	if len(t.Impossible) > 0 {
		text += " " + say.Text("– Cannot be.")
	}
	return text
}

// crossed holds the numbers of a table to be drawn.
type crossed struct {
	*task.ContingencyTable
	shares  []task.Estimated       // nil: counts are shown
	beside  bool                   // with the released counts
	rowSums *task.ContingencyTable // over all axes but the last; nil for shares, like the next two
	ends    *task.ContingencyTable // over the last axis
	total   *task.ContingencyTable // over none
	grades  []ask.Grade
}

// show computes what the cells are to show.
func (c *CrossTable) show(what string) {
	t := c.Release.Answer.Result.(*task.ContingencyTable)
	last := len(t.Axes) - 1
	rest := make([]int, last)
	for i := range rest {
		rest[i] = i
	}
	x := crossed{ContingencyTable: t}
	if c.Release.Verdict != nil {
		x.grades = c.Release.Verdict.Cells
	}
	switch {
	case what == showCounts, what == showBeside:
		x.beside = what == showBeside
		x.rowSums, x.ends, x.total = t.Over(rest...), t.Over(last), t.Over()
	case what == showShares:
		x.shares = t.Shares(-1)
	default:
		within, _ := strconv.Atoi(strings.TrimPrefix(what, showWithin))
		x.shares = t.Shares(within)
	}
	c.shows, c.numbers = what, x
}

func (c *CrossTable) table(t *task.ContingencyTable) app.UI {
	last, x := len(t.Axes)-1, c.numbers
	columns := t.Axes[last].Places
	rows := len(t.Counts) / len(columns)
	var body []app.UI
	for row := c.from; row < min(c.from+crossRows, rows); row++ {
		body = append(body, x.row(row))
	}
	if x.shares == nil && c.from+crossRows >= rows {
		body = append(body, x.sums())
	}
	caption := say.Text("The release as a table")
	return app.Div().Class("scroll tall").TabIndex(0).Role("region").Aria("label", caption).Body(
		app.Table().Class("table cross").Body(
			app.Caption().Text(caption),
			app.THead().Body(
				app.Tr().Body(
					app.Range(t.Axes[:last]).Slice(func(i int) app.UI {
						return app.Th().Scope("col").Rowspan(2).Attr("translate", "no").
							Text(t.Axes[i].Column)
					}),
					app.Th().Scope("colgroup").ColSpan(len(columns)).Attr("translate", "no").
						Text(t.Axes[last].Column),
					app.If(x.shares == nil, func() app.UI {
						return app.Th().Scope("col").Rowspan(2).Class("num").
							Text(say.Text("Total"))
					}),
				),
				app.Tr().Body(app.Range(columns).Slice(func(i int) app.UI {
					return app.Th().Scope("col").Class("num").Attr("translate", "no").
						Text(columns[i].Label)
				})),
			),
			app.TBody().Body(body...),
		),
	)
}

// row is one combination of the places on all axes but the last.
func (x crossed) row(row int) app.UI {
	last := len(x.Axes) - 1
	each, names := len(x.Axes[last].Places), x.RowLabels(row)
	return app.Tr().Body(
		app.Range(names).Slice(func(i int) app.UI {
			return app.Th().Scope("row").Attr("translate", "no").Text(names[i])
		}),
		app.Range(x.Axes[last].Places).Slice(func(i int) app.UI { return x.cell(row*each + i) }),
		app.If(x.shares == nil, func() app.UI { return sumCell(x.rowSums, row) }),
	)
}

// cell is a count or a share; one too small to distinguish from nothing is marked.
func (x crossed) cell(cell int) app.UI {
	count := x.Count(cell)
	if count == (task.Estimated{}) && x.CannotBe(cell) {
		return app.Td().Class("num soft").Aria("label", say.Text("cannot be")).Text("–")
	}
	text := message.Grouped(int64(count.Value))
	if x.shares != nil {
		s := x.shares[cell]
		text = fmt.Sprintf("%.1f %% (%.1f–%.1f)", 100*s.Value, 100*s.Low, 100*s.High)
	}
	td := app.Td().Class("num")
	if x.beside {
		return td.Body(app.Text(text+" "), app.Span().Class("small soft").
			Text(say.Format("released %s ± %s", message.Grouped(x.Raw[cell]),
				message.Grouped(x.CellError()))))
	}
	if cell < len(x.grades) && x.grades[cell] == ask.Noise {
		return td.Class("soft").Text(text + " *")
	}
	return td.Text(text)
}

// sums are the totals of the columns, at the end.
func (x crossed) sums() app.UI {
	last := len(x.Axes) - 1
	return app.Tr().Class("sums").Body(
		app.Th().Scope("row").ColSpan(last).Text(say.Text("Total")),
		app.Range(x.Axes[last].Places).Slice(func(i int) app.UI { return sumCell(x.ends, i) }),
		sumCell(x.total, 0),
	)
}

// sumCell is a sum of counts with its own error: for a fitted one, the distance to the further end
// of its interval.
func sumCell(t *task.ContingencyTable, cell int) app.UI {
	off := t.AllError
	if t.Raw != nil {
		c := t.Count(cell)
		off = int64(math.Ceil(max(c.High-c.Value, c.Value-c.Low)))
	}
	return app.Td().Class("num").Body(
		app.Text(message.Grouped(t.Counts[cell])+" "),
		app.Span().Class("small soft").Text("± "+message.Grouped(off)))
}

// pages leads to the rows that are not drawn.
func (c *CrossTable) pages(rows int) app.UI {
	if rows <= crossRows {
		return parts.Absent()
	}
	step := func(id, text string, to int) app.UI {
		return app.Button().ID(id).Class("button small quiet").Type("button").Text(text).
			Disabled(to < 0 || to >= rows).
			OnClick(func(ctx app.Context, _ app.Event) {
				c.from = max(min(to, rows-1), 0)
				ctx.Update()
			}, app.EventScope(to))
	}
	return app.Nav().Class("row no-print").Aria("label", say.Text("Rows of the table")).Body(
		step("cross-first", say.Text("First"), min(0, c.from-1)),
		step("cross-before", say.Text("Previous"), c.from-crossRows),
		app.Span().Role("status").Text(say.Format("Rows %s to %s of %s",
			message.Grouped(int64(c.from+1)), message.Grouped(int64(min(c.from+crossRows, rows))),
			message.Grouped(int64(rows)))),
		step("cross-next", say.Text("Next"), c.from+crossRows),
		step("cross-last", say.Text("Last"), lastPage(c.from, rows)),
	)
}

// lastPage returns where the last rows begin; a position beyond them if they are already shown.
func lastPage(from, rows int) int {
	last := (rows - 1) / crossRows * crossRows
	if from >= last {
		return rows
	}
	return last
}
