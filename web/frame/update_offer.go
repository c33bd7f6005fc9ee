package frame

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/say"
)

// UpdateOffer is the quiet bar that offers a new version of the page. Nothing is loaded before it
// is asked for.
type UpdateOffer struct {
	app.Compo

	Lost     string // what the page holds and would lose; empty: nothing
	Running  bool   // a release is being drawn: not now
	OnAccept func()
	OnLater  func()
}

// Render draws the bar.
func (u *UpdateOffer) Render() app.UI {
	text := say.Text("Nothing is open here that would be lost.")
	switch {
	case u.Running:
		text = say.Text("A release is being drawn: wait until it is there.")
	case u.Lost != "":
		text = say.Format("Reloading closes %s. Save what you need first. The question stays in "+
			"the address, and the record of the budget spent stays too.",
			u.Lost)
	}
	return app.Section().ID("update").Class("offer no-print").
		Aria("label", say.Text("New version")).Body(
		app.P().Role("status").
			Body(app.B().Text(say.Text("A new version of this page is ready.")+" "),
				app.Text(text)),
		app.Div().Class("row").Body(
			app.Button().Class("button").Type("button").Text(say.Text("Reload now")).
				Disabled(u.Running).OnClick(func(app.Context, app.Event) { u.OnAccept() }),
			app.Button().Class("button plain").Type("button").Text(say.Text("Later")).
				OnClick(func(app.Context, app.Event) { u.OnLater() }),
		),
	)
}
