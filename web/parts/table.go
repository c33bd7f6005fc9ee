package parts

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Table shows rows of text under a header row, scrolling inside its own frame. A long one is drawn
// a piece after the other.
type Table struct {
	app.Compo
	gradual

	Caption string
	Header  []string
	Rows    [][]string
	Size    string   // of the frame: "low" or "tall"
	Numeric []bool   // the columns of numbers
	Written written  // what it holds
	Names   []string // what stands in the header as its file has it
}

// written says in which language the cells of a table are written.
type written int

const (
	byPage   written = iota // the page's own
	ByFile                  // whatever a file is in
	ByTester                // English, below a header of the page's own
	Named                   // names and numbers, below a header of the page's own
)

// cellsAFrame is the number of cells drawn in one frame.
const cellsAFrame = 60

// Render draws the rows whose turn has come.
func (t *Table) Render() app.UI {
	head := app.THead()
	if t.Written == ByFile {
		head = head.Attr("translate", "no")
	}
	pieces := slices.Collect(slices.Chunk(t.Rows, max(1, cellsAFrame/max(1, len(t.Header)))))
	pieces = pieces[:t.UpTo(len(pieces))]
	return app.Div().Class("scroll "+t.Size).TabIndex(0).Role("region").Aria("label", t.Caption).
		Body(
			app.Table().Body(
				app.Caption().Text(t.Caption),
				head.Body(app.Tr().Body(
					app.Range(t.Header).Slice(func(i int) app.UI {
						if t.Header[i] == "" { // above the names of the rows
							return app.Td()
						}
						th := app.Th().Scope("col").Class(columnClass(t.Numeric, i))
						if slices.Contains(t.Names, t.Header[i]) {
							th = th.Attr("translate", "no")
						}
						return th.Text(Together(t.Header[i]))
					}),
				)),
				app.Range(pieces).Slice(func(i int) app.UI {
					return &TableRows{Rows: pieces[i], Numeric: t.Numeric, Written: t.Written}
				}),
			),
		)
}

// TableRows draws rows of a table that come in one frame. They are drawn once, and not with each
// piece that follows.
type TableRows struct {
	app.Compo

	Rows    [][]string
	Numeric []bool // the columns of numbers
	Written written
}

// Render draws the rows.
func (r *TableRows) Render() app.UI {
	body := app.TBody()
	switch r.Written {
	case ByFile, Named:
		body = body.Attr("translate", "no")
	case ByTester:
		body = body.Lang("en").Dir("ltr")
	}
	return body.Body(app.Range(r.Rows).Slice(func(i int) app.UI {
		return app.Tr().
			Body(app.Range(r.Rows[i]).
				Slice(func(column int) app.UI { return r.cell(column, r.Rows[i][column]) }))
	}))
}

func (r *TableRows) cell(column int, text string) app.UI {
	cell := app.Td().Class(columnClass(r.Numeric, column)).Text(text)
	if len(text) > alwaysWhole {
		cell = cell.Title(text)
	}
	return cell
}

// alwaysWhole is a length in bytes for which no column is too narrow: static/style.css cuts longer
// texts where they do not fit.
const alwaysWhole = 12

func columnClass(numeric []bool, column int) string {
	if column < len(numeric) && numeric[column] {
		return "number"
	}
	return ""
}

// DataTable is a table in the page's own words; numeric, if not nil, tells the columns of numbers.
func DataTable(caption string, header []string, rows [][]string, size string,
	numeric func(column int) bool) *Table {
	t := &Table{Caption: caption, Header: header, Rows: rows, Size: size}
	if numeric != nil {
		for i := range header {
			t.Numeric = append(t.Numeric, numeric(i))
		}
	}
	return t
}
