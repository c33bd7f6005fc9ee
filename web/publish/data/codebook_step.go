package data

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/codebook"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/state/stage"
)

// CodebookStep is where each column is described once, publicly: its possible values.
type CodebookStep struct {
	app.Compo
	gradual

	Model    *state.Model   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // for files

	sought string // part of a column's name
	more   int    // further rows that were asked for
}

// The lines of more icons (parts.Icon).
const (
	iconAlert = "M8 2 1.5 13.5h13zM8 6.5v3M8 11.7v.1"
	iconEye   = "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8z" +
		"M6 8a2 2 0 0 1 4 0a2 2 0 0 1-4 0"
)

const (
	bookInputID = "codebook-file"
	rowsAtOnce  = 40 // columns that are shown until more are requested
	rowsAFrame  = 5  // of those, columns that are drawn in one frame
)

// Render draws the statements about the data set, and its columns.
func (s *CodebookStep) Render() app.UI {
	m := s.Model
	return app.Section().ID(stage.Columns.ID()).TabIndex(-1).Class("stage").
		Aria("labelledby", "columns-title").Body(
		app.Div().Class("head").Body(
			app.H1().ID("columns-title").Text(say.Text("Describe the columns")),
			app.P().Text(say.Text("Only those you will ask about. Once per data set.")),
			app.Span().Class("end row").Body(
				openBook(m, s.Browser),
				app.Button().ID("save-codebook").Class("button small").Type("button").
					Text(say.Text("Save")).OnClick(func(app.Context, app.Event) {
					m.Codebook.Save(func(text string) {
						s.Browser.Download("hush-codebook.json", "application/json", text)
					})
				}),
			),
		),
		BookNotes(m),
		app.Div().Class("card").Body(s.about(), s.search(), s.table()),
		s.bar(),
	)
}

// openBook opens a codebook that was saved.
func openBook(m *state.Model, b *parts.Browser) app.UI {
	return app.Span().Body(
		app.Button().ID("open-codebook").Class("button small").Type("button").
			Text(say.Text("Open a codebook…")).
			OnClick(func(app.Context, app.Event) { b.Pick(bookInputID) }),
		parts.FileInput(bookInputID, parts.AcceptJSON,
			func(f engine.File) { b.Text(f, m.Codebook.Open, m.Codebook.Refuse) }),
	)
}

// BookNotes reports what happened to a codebook or a recipe.
func BookNotes(m *state.Model) app.UI {
	if m.Codebook.Refused+m.Codebook.Note == "" && len(m.Codebook.Differing) == 0 {
		return parts.Absent()
	}
	return app.Div().Class("stack").Body(
		app.If(m.Codebook.Refused != "", func() app.UI {
			return parts.Note("bad", m.Codebook.Refused)
		}),
		app.If(m.Codebook.Note != "", func() app.UI { return parts.Note("warn", m.Codebook.Note) }),
		app.If(len(m.Codebook.Differing) > 0, func() app.UI {
			return parts.Note("warn", say.Format("The codebook describes columns that this file "+
				"does not have: %s. They are left out.", strings.Join(m.Codebook.Differing, ", ")))
		}),
	)
}

// about asks for the facts about the data set as a whole.
func (s *CodebookStep) about() app.UI {
	m, b := s.Model, s.Model.Codebook.Form
	one, _ := m.Codebook.People()
	field := func(id, label, value string, set func(*form.BookForm, string)) app.UI {
		return parts.TextField(id, label, value, "", m.Codebook.Fault(bookField[id]),
			func(v string) {
				m.Codebook.Edit(id, func(b *form.BookForm) { set(b, v) })
			})
	}
	fields := []app.UI{
		parts.SelectField("who", say.Text("One row is"), string(b.Each), []parts.Option{
			{Value: "", Text: say.Text("Choose…")},
			{Value: string(codebook.One), Text: say.Format("one %s", one)},
			{Value: string(codebook.Several),
				Text: say.Format("one of several rows per %s", one)},
			{Value: string(codebook.Counted), Text: say.Text("a counted group")},
		}, "", m.Codebook.Fault("rows.each"), func(v string) {
			m.Codebook.Edit("", func(b *form.BookForm) { b.Each, b.Column = codebook.Each(v), 0 })
		}),
		app.Div().Class("nouns").Body(
			field("noun-one", say.Text("We call one"), b.One, func(b *form.BookForm, v string) {
				b.One = v
			}),
			field("noun-many", say.Text("and many"), b.Many, func(b *form.BookForm, v string) {
				b.Many = v
			}),
		),
		field("data-name", say.Text("Name of the data"), b.Name,
			func(b *form.BookForm, v string) { b.Name = v }),
		field("source", say.Text("Source line"), b.Source,
			func(b *form.BookForm, v string) { b.Source = v }),
	}
	if b.Each != codebook.One && b.Each != "" {
		fields = append(fields, s.rowColumn())
	}
	return app.Div().Class("about").Body(fields...)
}

// bookField maps the names of fields of the data set as a whole to their names in faults.
var bookField = map[string]string{"noun-one": "noun.one", "noun-many": "noun.many",
	"data-name": "name", "source": "source"}

// rowColumn asks for the column that identifies the person of a row, or states a number of people;
// columns whose names say so by convention are offered as chips.
func (s *CodebookStep) rowColumn() app.UI {
	m, b := s.Model, s.Model.Codebook.Form
	help := say.Text("All rows of one person are protected, whichever of them count. The number " +
		"of people is public, the number of rows is not.")
	if b.Each == codebook.Counted {
		help = say.Text("For tables that were counted elsewhere, as by SQL. One person is " +
			"protected, and not one row. It is no survey weight.")
	}
	choose := func(column int) {
		m.Codebook.Edit("", func(b *form.BookForm) { b.Column = column })
	}
	var chips []app.UI
	for _, c := range m.Codebook.Columns() {
		if b.Column == 0 && codebook.RowsOf(c.Header) == b.Each {
			chips = append(chips, chip(c.Header, c.Number, func() { choose(c.Number) }))
		}
	}
	return app.Div().Class("stack whose").Body(
		parts.DataField("who-column", say.Text("Named in"), strconv.Itoa(b.Column),
			ColumnOptions(m), help, m.Codebook.Fault("rows.column"),
			func(v string) { choose(parts.Number(v)) }),
		app.Div().Class("suggests").Body(chips...),
		app.If(b.Each == codebook.Several, func() app.UI { return personRows(m) }),
	)
}

// ColumnOptions lists the file's columns for a select, from 1, after a first entry that chooses
// none.
func ColumnOptions(m *state.Model) []parts.Option {
	options := []parts.Option{{Value: "0", Text: say.Text("Choose a column…")}}
	for i := range m.Data.Opened.Fields {
		options = append(options,
			parts.Option{Value: strconv.Itoa(i + 1), Text: m.Data.ColumnName(i + 1)})
	}
	return options
}

// chip is a suggestion that one click accepts.
func chip(text string, scope any, take func()) app.UI {
	return app.Button().Class("suggest").Type("button").Attr("translate", "no").Text(text).
		OnClick(func(app.Context, app.Event) { take() }, app.EventScope(scope, text))
}

// search narrows the list of a wide file.
func (s *CodebookStep) search() app.UI {
	if len(s.Model.Codebook.Columns()) <= rowsAtOnce {
		return parts.Absent()
	}
	return app.Div().Class("about").Body(
		parts.TextField("find-column", say.Text("Find a column"), s.sought, "", "",
			func(v string) { s.sought, s.more = v, 0 }))
}

func (s *CodebookStep) table() app.UI {
	m := s.Model
	var columns []codebook.Column
	for _, c := range m.Codebook.Columns() {
		name := strings.ToLower(c.Header + " " + c.Name + " " + strconv.Itoa(c.Number))
		if strings.Contains(name, strings.ToLower(strings.TrimSpace(s.sought))) ||
			c.Number == m.Codebook.Describing.Column {
			columns = append(columns, c)
		}
	}
	shown := min(len(columns), rowsAtOnce+s.more)
	body := []app.UI{app.THead().Body(app.Tr().Body(
		columnHead("", say.Text("Column")),
		app.Th().Scope("col").Body(app.Span().Class("owner").Body(parts.Icon(iconEye),
			app.Span().Text(say.Text("First rows, only on your screen")))),
		columnHead("", say.Text("Type")),
		columnHead("", say.Text("Public range or categories")),
		columnHead("unit", say.Text("Unit")),
		columnHead("miss", say.Text("Missing")),
	))}
	drawn := rowsAFrame * s.UpTo((shown+rowsAFrame-1)/rowsAFrame)
	for i, c := range columns {
		switch {
		case c.Number == m.Codebook.Describing.Column:
			body = append(body, &DescribeRow{Model: m, Revision: m.Revision})
		case i < shown && i >= drawn: // keeps its place, so that those below stay as they are
			body = append(body, app.TBody())
		case i < shown:
			body = append(body, &BookRow{Model: m, Column: c, Cells: cells(m, c.Number)})
		}
		if open, more := m.Codebook.Spelling.Of(c.Number); len(open) > 0 || more {
			if c.Number != m.Codebook.Describing.Column && i < shown {
				body = append(body, &PlaceRow{Model: m, Revision: m.Revision, Column: c})
			}
		}
	}
	return app.Div().Body(
		app.Table().Class("book").Aria("labelledby", "columns-title").Body(body...),
		app.If(shown < len(columns), func() app.UI {
			return app.P().Class("about").Body(app.Button().ID("more-columns").Class("button").
				Type("button").Text(say.Format("Show more of the %d columns", len(columns))).
				OnClick(func(app.Context, app.Event) { s.more += 2 * rowsAtOnce }))
		}),
	)
}

func columnHead(class, text string) app.UI {
	return app.Th().Scope("col").Class(class).Text(text)
}

// cells returns the first rows of a column, for its owner's screen.
func cells(m *state.Model, column int) string {
	const most = 3
	var list []string
	for _, row := range m.Data.Opened.Preview {
		if column <= len(row) && strings.TrimSpace(row[column-1]) != "" && len(list) < most {
			list = append(list, row[column-1])
		}
	}
	return strings.Join(list, " · ")
}

// bar shows how far the description is, and leads to the question.
func (s *CodebookStep) bar() app.UI {
	m := s.Model
	n, all := m.Codebook.Described(), int64(len(m.Codebook.Columns()))
	detail := say.Text("Describe the columns that you will ask about.")
	if n > 0 {
		detail = say.Text("Enough to ask about those.")
	}
	return app.Section().Class("bar-stay").Aria("label", say.Text("Next step")).Body(
		app.Div().Class("bar-in").Body(
			app.Div().Class("fact first0").Body(
				app.B().Text(say.Count(all, "%d of %d column described",
					"%d of %d columns described", n, all)),
				app.Span().Text(detail)),
			app.Div().Class("push").Body(
				app.A().ID("make-page").Class("button").Href("#"+place.ViewPage.Path()).
					Text(say.Text("Make a page of figures")),
				app.Button().ID("ask").Class("button main").Type("button").
					Text(say.Text("Ask a question")).
					OnClick(func(app.Context, app.Event) { m.Question.Ask() })),
		))
}
