package data

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/message"
	"hush/core/table"
	"hush/core/task"
	"hush/web/say"
	"hush/web/state"
)

// ProblemList draws problems in groups, each with its places, what to do, and a repair that one
// click makes part of the recipe.
func ProblemList(title string, list []table.Problem, m *state.Model) app.UI {
	return app.Div().Class("note warn").Body(
		app.P().Body(app.B().Text(title)),
		app.Ul().Class("problems").Body(app.Range(list).Slice(func(i int) app.UI {
			p := list[i]
			return app.Li().Class("more").Body(
				app.P().Text(
					task.Capital(say.Phrase(p.Text))+". "+task.Capital(say.Phrase(p.Advice))+"."),
				app.Details().Body(
					app.Summary().Text(placesText(p)),
					app.Ul().Body(
						app.Range(p.Places).
							Slice(func(k int) app.UI {
								return app.Li().Text(placeText(p.Places[k]))
							})),
				),
				app.If(p.Repair != nil, func() app.UI { return repairButton(*p.Repair, m) }),
			)
		})),
	)
}

func repairButton(r table.Repair, m *state.Model) app.UI {
	return app.Div().Body(app.Button().Class("button").Type("button").Text(say.Phrase(r.Label)).
		OnClick(func(app.Context, app.Event) { m.Accept(r) }, app.EventScope(r.Field, r.Value)))
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

// placeText says where: by row, column and byte, with the cell if it is about one.
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
