package publish

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
)

const claimsID = "claims"

// claims asks about the claims that a link, a recipe or a codebook makes about the file, beside the
// file's own names. Nothing is agreed to until the button is pressed.
func (b *Bar) claims(lines []string) app.UI {
	m := b.Model
	does := func(id, class, text string, act func()) app.UI {
		return app.Button().ID(id).Class(class).Type("button").Text(text).
			OnClick(func(app.Context, app.Event) {
				b.Browser.HideDialog(claimsID)
				act()
			})
	}
	return app.Dialog().ID(claimsID).Class("dialog").Open(b.Asks).
		Aria("labelledby", claimsID+"-title").Body(
		app.H2().ID(claimsID+"-title").Text(say.Text("Is this so of your file?")),
		app.P().Text(say.Text("It came with a link, a question or a codebook, and is published "+
			"with the answer. You have not said it.")),
		app.Ul().Body(app.Range(lines).Slice(func(i int) app.UI {
			return app.Li().Text(parts.Together(lines[i]))
		})),
		app.Div().Class("row").Body(
			does("claims-own", "button main", say.Text("Use the file’s own"), m.Codebook.UseOwn),
			does("claims-agree", "button", say.Text("Agree"), m.Claims.Agree),
		),
	)
}
