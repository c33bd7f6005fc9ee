package parts

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Card is a section of the page, as steps are, without a number.
func Card(id, title string, body []app.UI) app.UI {
	return CardOf(id, app.H2().Text(title), body)
}

// CardOf is Card with a heading that has more than a text.
func CardOf(id string, title app.HTMLH2, body []app.UI) app.UI {
	return app.Section().Class("step").ID(id).Aria("labelledby", id+"-title").Body(
		app.Div().Class("step-head").Body(title.ID(id+"-title")),
		app.Div().Class("step-body").Body(body...),
	)
}
