package data

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/message"
	"hush/core/table"
	"hush/core/task"
	"hush/web/outside"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
)

// ProblemList draws problems in groups, each with its places, advice, and a repair that one click
// makes part of the recipe.
func ProblemList(title string, list []table.Problem, m *state.Model) app.UI {
	return app.Div().Class("note warn").Body(
		app.P().Body(app.B().Text(title)),
		app.Ul().Class("problems").Body(app.Range(list).Slice(func(i int) app.UI {
			return app.Li().Class("more").Body(problemBody(list[i], m)...)
		})),
	)
}

// problemBody is a problem with advice, its places and its repair.
func problemBody(p table.Problem, m *state.Model) []app.UI {
	return []app.UI{
		app.P().Text(
			task.Capital(say.Phrase(p.Text)) + ". " + task.Capital(say.Phrase(p.Advice)) + "."),
		app.Details().Body(app.Summary().Text(placesText(p)), placeList(p)),
		app.If(p.Repair != nil, func() app.UI { return repairButton(*p.Repair, m) }),
	}
}

func placeList(p table.Problem) app.UI {
	return app.Ul().Body(app.Range(p.Places).Slice(func(k int) app.UI {
		return app.Li().Text(placeText(p.Places[k]))
	}))
}

// folds shows how the file was read and where it is not as it should be, one line for each, with
// the remedy.
func (s *Step) folds() (list []app.UI) {
	m := s.Model
	d := m.Data.File
	decided := !d.Misfit && d.Unusable() == "" && len(d.Opened.Readings) == 0
	if !d.NotText() && !d.Misfit {
		list = append(list, foldCard("reading", parts.IconCheck, say.Text("How it was read"),
			outside.Words(d.Opened.Options), app.Div().Class("fields").Body(readingFields(m)...)))
	}
	for i, p := range d.Opened.Problems {
		if p.CountsRows() && decided {
			continue // it is in the middle of the page
		}
		list = append(list, problemFold(i, p, m))
	}
	if len(d.Opened.Notes) > 0 {
		list = append(list, app.Ul().ID("notes").Class("soft small").
			Body(app.Range(d.Opened.Notes).Slice(func(i int) app.UI {
				return app.Li().Text(say.Phrase(d.Opened.Notes[i].Phrase()))
			})))
	}
	if d.Opened.Options.Keys != "" {
		list = append(list, app.P().Class("small soft").Text(say.Text("The names of the columns "+
			"are part of the question, and are published with it.")))
	}
	return list
}

// problemFold is a problem in one line, with its places and its repair below.
func problemFold(i int, p table.Problem, m *state.Model) app.UI {
	title := task.Capital(say.Phrase(p.Text))
	if p.Count > 1 {
		title = say.Format("%s · %s places", title, message.Grouped(p.Count))
	}
	return foldCard("problem-"+strconv.Itoa(i+1), iconAlert, title,
		task.Capital(say.Phrase(p.Advice))+".", app.Div().Class("more").Body(placeList(p),
			app.If(p.Repair != nil, func() app.UI { return repairButton(*p.Repair, m) })))
}

// foldCard is one line that unfolds to more.
func foldCard(id, icon, title, done string, body app.UI) app.UI {
	return app.Details().ID(id).Class("fold-card").Body(
		app.Summary().Body(
			app.Span().Body(parts.Icon(icon), app.B().Text(title)),
			app.Span().Class("soft small").Text(done)),
		body)
}

func repairButton(r table.Repair, m *state.Model) app.UI {
	return app.Div().Body(app.Button().Class("button").Type("button").Text(say.Phrase(r.Label)).
		OnClick(func(app.Context, app.Event) { m.Codebook.Accept(r) },
			app.EventScope(r.Field, r.Value)))
}

func placesText(p table.Problem) string {
	switch shown := int64(len(p.Places)); {
	case p.Count == 1:
		return say.Text("Where")
	case p.Count > shown:
		return say.Format("%s places, the first %d", message.Grouped(p.Count), shown)
	}
	return say.Format("%s places", message.Grouped(p.Count))
}

// placeText describes a place: by row, column and byte, with the cell if it is about one.
func placeText(p table.Place) string {
	if p.Row == 0 {
		return say.Text("the whole file")
	}
	text := say.Format("row %s (line %s, byte %s)", message.Grouped(p.Row), message.Grouped(p.Line),
		message.Grouped(p.Byte))
	if p.Column > 0 {
		text = say.Format("row %s (line %s, column %d, byte %s)", message.Grouped(p.Row),
			message.Grouped(p.Line), p.Column, message.Grouped(p.Byte))
	}
	if p.Cell != "" {
		text += fmt.Sprintf(": “%s”", p.Cell)
	}
	return text
}
