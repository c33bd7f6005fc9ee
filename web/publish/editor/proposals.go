package editor

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/place"
)

const proposalsID = "proposals"

// Proposals is the dialog in which figures are chosen: questions that the codebook suggests, one
// press each, and the way to a question of one's own.
type Proposals struct {
	app.Compo

	Model    *state.Model   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // closes the dialog
}

// Render lists the proposals.
func (d *Proposals) Render() app.UI {
	m := d.Model
	list := m.Figures.Proposals()
	return app.Dialog().ID(proposalsID).Class("dialog wide").
		Aria("labelledby", proposalsID+"-title").Body(
		app.H2().ID(proposalsID+"-title").Text(say.Text("Put a figure on the page")),
		app.P().Class("soft").Text(say.Text("Nothing is spent before all figures are released "+
			"together.")),
		app.Ul().Class("proposals").Body(app.Range(list).Slice(func(i int) app.UI {
			r := list[i].Recipe
			words := questionOf(m, r)
			return app.Li().Body(
				app.Button().ID("propose-"+strconv.Itoa(i+1)).Class("button small").Type("button").
					Aria("label", say.Format("Put it on the page: %s", words)).
					Body(parts.Icon(iconPlus), app.Span().Text(parts.Together(words))).
					OnClick(func(app.Context, app.Event) { m.Figures.Add(r) },
						app.EventScope(i, words)))
		})),
		app.P().Hidden(len(list) > 0).
			Text(say.Text("All that the described columns suggest is on the page.")),
		app.Div().Class("row").Body(
			app.Button().ID("proposals-done").Class("button main").Type("button").
				Text(say.Text("Done")).
				OnClick(func(app.Context, app.Event) { d.Browser.HideDialog(proposalsID) }),
			app.Button().ID("proposals-own").Class("button").Type("button").
				Text(say.Text("Ask a question of your own")).
				OnClick(func(app.Context, app.Event) {
					d.Browser.HideDialog(proposalsID)
					m.Answer.AskAnother()
					d.Browser.Visit(place.ViewWorkbench.Path())
				}),
		))
}
