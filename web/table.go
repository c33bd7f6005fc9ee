package web

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Table shows rows of text under a header row, scrolling inside its own frame. A long one is drawn a piece after the other.
type Table struct {
	app.Compo
	gradual

	Caption string
	Header  []string
	Rows    [][]string
	Size    string  // of the frame: "low" or "tall"
	Numeric []bool  // the columns of numbers
	Written written // what it holds
}

// written is the language of a table's cells.
type written int

const (
	byPage   written = iota // the page's own
	byFile                  // whatever a file is in
	byTester                // English, below a header of the page's own
)

// cellsAFrame are drawn in one frame.
const cellsAFrame = 60

// Render draws the rows that have their turn.
func (t *Table) Render() app.UI {
	head, body := app.THead(), app.TBody()
	switch t.Written {
	case byFile:
		head, body = head.Attr("translate", "no"), body.Attr("translate", "no")
	case byTester:
		body = body.Lang("en").Dir("ltr")
	}
	rows := t.Rows[:t.upTo(len(t.Rows), max(1, cellsAFrame/max(1, len(t.Header))))]
	return app.Div().Class("scroll "+t.Size).TabIndex(0).Role("region").Aria("label", t.Caption).Body(
		app.Table().Body(
			app.Caption().Text(t.Caption),
			head.Body(app.Tr().Body(
				app.Range(t.Header).Slice(func(i int) app.UI {
					if t.Header[i] == "" { // above the names of the rows
						return app.Td()
					}
					return app.Th().Scope("col").Class(columnClass(t.Numeric, i)).Text(t.Header[i])
				}),
			)),
			body.Body(
				app.Range(rows).Slice(func(r int) app.UI { return &TableRow{Cells: rows[r], Numeric: t.Numeric} }),
			),
		),
	)
}

// TableRow is a row of a table. It is drawn once, and not with each piece of a long table that follows.
type TableRow struct {
	app.Compo

	Cells   []string
	Numeric []bool // the columns of numbers
}

// Render draws the cells.
func (r *TableRow) Render() app.UI {
	return app.Tr().Body(app.Range(r.Cells).Slice(func(i int) app.UI {
		return app.Td().Class(columnClass(r.Numeric, i)).Title(r.Cells[i]).Text(r.Cells[i])
	}))
}

func columnClass(numeric []bool, column int) string {
	if column < len(numeric) && numeric[column] {
		return "number"
	}
	return ""
}

// dataTable is a table in the page's own words; numeric, if not nil, tells the columns of numbers.
func dataTable(caption string, header []string, rows [][]string, size string, numeric func(column int) bool) *Table {
	t := &Table{Caption: caption, Header: header, Rows: rows, Size: size}
	if numeric != nil {
		for i := range header {
			t.Numeric = append(t.Numeric, numeric(i))
		}
	}
	return t
}
