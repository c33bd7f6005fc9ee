package frame

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
)

// AboutID is the dialog that says what Hush is.
const AboutID = "about"

// AboutDialog says what Hush is, and what it does not promise.
type AboutDialog struct {
	app.Compo

	ID      string         // of the dialog, unique on the page
	Shown   bool           // without being asked for, in the gallery
	Browser *parts.Browser // closes it
}

// Render draws the dialog; the browser opens it above everything else.
func (a *AboutDialog) Render() app.UI {
	return app.Dialog().ID(a.ID).Class("dialog").Open(a.Shown).Aria("labelledby", a.ID+"-title").
		Body(
			app.H2().ID(a.ID+"-title").Text(say.Text("About Hush")),
			app.P().Text(say.Text("Hush implements differential privacy with exact arithmetic: "+
				"no floating-point number decides a release, and all randomness comes from the "+
				"system's cryptographic generator.")),
			app.P().Text(
				say.Text("Known limits: how long a run takes is not hidden. The record of the "+
					"budget spent is a memory aid on this device: an edited file counts as a new "+
					"one.")),
			app.Div().Body(app.Button().Class("button").Type("button").Text(say.Text("Close")).
				OnClick(func(app.Context, app.Event) { a.Browser.HideDialog(a.ID) })),
		)
}
