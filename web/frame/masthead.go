// Package frame draws what surrounds the places: masthead, footer, notes and offers.
package frame

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
)

// Masthead stands above every view.
type Masthead struct {
	app.Compo

	View     state.View     // on the screen
	Requests state.Requests // of the tab so far
	Network  state.Network
	Browser  *parts.Browser // for dialogs and the theme
}

// Render draws the way to the other views, the promise, and what is for the whole page.
func (h *Masthead) Render() app.UI {
	return app.Header().Class("masthead").Body(
		app.A().Class("brand").Href("#/").Body(
			app.Img().Src("/web/icons/icon.svg").Role("presentation").Aria("hidden", "true").
				Width(32).Height(32),
			app.Span().Text(say.Text("Hush")),
		),
		app.Nav().Class("views").Aria("label", say.Text("Pages")).Body(
			app.Range(state.Views).Slice(func(i int) app.UI {
				return app.If(state.Views[i].Title != "", func() app.UI {
					link := app.A().Href("#" + state.Views[i].Path()).
						Text(say.Text(state.Views[i].Title))
					if state.Views[i].View == h.View {
						link = link.Aria("current", "page")
					}
					return link
				})
			}),
		),
		app.Div().Class("masthead-end").Body(
			&Promise{Requests: h.Requests, Off: h.Network.Off && h.Network.Able},
			parts.InstallButton(h.Network, func() *parts.Browser { return h.Browser }),
			app.Button().Class("button plain").Type("button").Text(say.Text("Offline")).
				OnClick(func(app.Context, app.Event) { h.Browser.ShowDialog(parts.OfflineID) }),
			app.Button().Class("button plain").Type("button").Text(say.Text("Keys")).
				OnClick(func(app.Context, app.Event) { h.Browser.ShowDialog(parts.KeysID) }),
			app.Button().Class("button plain").Type("button").Text(say.Text("Light or dark")).
				OnClick(func(app.Context, app.Event) { h.Browser.ToggleTheme() }),
		),
	)
}

// Promise says that nothing leaves the tab, with the live count of requests that shows it.
type Promise struct {
	app.Compo

	Requests state.Requests // what the tab asked of the network so far
	Off      bool           // the network is switched off
}

// Render draws a pill with a dot that turns red should a foreign request ever be seen.
func (p *Promise) Render() app.UI {
	class, text := "promise", say.Text("Nothing leaves this tab")
	if p.Off {
		class, text = "promise off", say.Text("Offline: nothing can leave this tab")
	}
	if p.Requests.Foreign > 0 {
		class, text = "promise broken", say.Text("A foreign request was seen")
	}
	// before the program runs: a script translates whole texts only
	count := say.Text("0 foreign requests, 0 own")
	if p.Requests.Own+p.Requests.Foreign > 0 {
		count = say.Count(int64(p.Requests.Foreign), "%d foreign request, %d own",
			"%d foreign requests, %d own", p.Requests.Foreign, p.Requests.Own)
	}
	return app.Div().Class(class).Role("status").ID("promise").Body(
		app.Span().Class("dot").Aria("hidden", "true"),
		app.Span().Class("promised").Body(
			app.Span().Text(text),
			app.Span().Class("soft number").ID("request-count").Text(count),
		),
	)
}

// Footer stands below every view.
type Footer struct {
	app.Compo

	Browser *parts.Browser // for the language
}

// Render draws it.
func (f *Footer) Render() app.UI {
	return app.Footer().Class("footer").Body(
		app.P().Text(say.Text("Hush implements differential privacy with exact arithmetic: no "+
			"floating-point number decides what is released, "+
			"and all randomness comes from the system's cryptographic generator.")),
		app.P().Text(say.Text("Known limits: how long a run takes is not hidden. The record of "+
			"what was spent is a memory aid on this device: "+
			"an edited file counts as a new one.")),
		languageField(f.Browser),
		app.P().Body(
			app.A().Href("#"+state.ViewDocs.Path()).Text(say.Text("Every question, described"))),
		app.P().Body(
			app.A().Href("#"+state.ViewGallery.Path()).
				Text(say.Text("Every part of this page, in every state"))),
	)
}
