package data

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/codebook"
	"hush/core/message"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/state/stage"
)

// mostProposed is the number of columns that are offered by name to identify a person.
const mostProposed = 2

// persons asks whether a person can have several rows: that is whom the guarantee protects, and
// which number is published. Nothing is chosen beforehand, and an answer that says it all leads on.
// Columns are proposed by their names, never by their cells.
func (s *Step) persons() app.UI {
	m := s.Model
	b := m.Codebook.Form
	answer := func(each codebook.Each, column int) func() {
		return func() {
			s.another = each == codebook.Several && column == 0
			m.Data.Unanswered = false
			m.Codebook.Edit("", func(b *form.BookForm) { b.Each, b.Column = each, column })
			if each == codebook.One || column > 0 {
				m.Data.Confirm()
			}
		}
	}
	rows := message.Grouped(m.Data.Opened.Rows)
	choices := []app.UI{choice("persons-no", b.Each == codebook.One, say.Text("No"), say.Format(
		"Each row is another person. The %s rows are %s people, and that number is published.",
		rows, rows), answer(codebook.One, 0))}
	proposed := codebook.Proposed(m.Data.Opened.Fields)
	proposed = proposed[:min(len(proposed), mostProposed)]
	several := b.Each == codebook.Several
	other := several
	for _, column := range proposed {
		chosen := several && b.Column == column && !s.another
		other = other && !chosen
		choices = append(choices, choice("persons-"+strconv.Itoa(column), chosen,
			say.Format("Yes, named by %s", m.Data.HeaderName(column)),
			say.Text("The number of people is published, and how many rows they have is not."),
			answer(codebook.Several, column)))
	}
	yes := say.Text("Yes")
	if len(proposed) > 0 {
		yes = say.Text("Yes, named by another column")
	}
	choices = append(choices,
		choice("persons-yes", other, yes, say.Text("A column says whose row it is."),
			answer(codebook.Several, 0)),
		choice("persons-counted", b.Each == codebook.Counted, say.Text("A row is many people"),
			say.Text("A column says how many, as in a table that was counted elsewhere."),
			answer(codebook.Counted, 0)))
	fault := ""
	if m.Data.Unanswered && b.Each != "" {
		fault = say.Text("Choose the column that identifies a row's person.")
	}
	return decide(say.Text("Can a person have several rows?"), say.Text("It decides whether the "+
		"guarantee protects all rows of a person or only one, and which number is published with "+
		"every answer."),
		app.FieldSet().ID(stage.PersonsID).TabIndex(-1).Class("choices").
			Aria("labelledby", "decide-title").
			Aria("describedby", "decide-help persons-fault").Body(choices...),
		app.If(other || b.Each == codebook.Counted, func() app.UI {
			return parts.DataField("whose", say.Text("Named in"), strconv.Itoa(b.Column),
				ColumnOptions(m), "", m.Codebook.Fault("rows.column"), func(v string) {
					m.Data.Unanswered = false
					m.Codebook.Edit("", func(b *form.BookForm) { b.Column = parts.Number(v) })
				})
		}),
		app.P().Class("field-error").ID("persons-fault").Role("alert").Text(fault),
		app.If(m.Data.Counting(), func() app.UI { return counting(m) }),
	)
}

// choice is one possible answer.
func choice(id string, chosen bool, title, about string, choose func()) app.UI {
	return app.Button().ID(id).Type("button").Class("choice").
		Aria("pressed", strconv.FormatBool(chosen)).
		Body(app.B().Text(title), app.Text(" "), app.Span().Class("soft").Text(about)).
		OnClick(func(app.Context, app.Event) { choose() }, app.EventScope(id))
}

// counting shows the places of the file that decide the number of rows: that number is published.
func counting(m *state.Model) app.UI {
	body := []app.UI{app.P().Body(app.B().Text(say.Format("Are %s rows right?",
		message.Grouped(m.Data.Opened.Rows))+" "),
		app.Text(say.Text("Some places of the file can be read in two ways.")))}
	for i, p := range m.Data.Opened.Problems {
		if p.CountsRows() {
			body = append(body, problemFold(i, p, m))
		}
	}
	return app.Div().ID("rows-depend").Body(body...)
}
