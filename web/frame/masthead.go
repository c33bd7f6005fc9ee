// Package frame draws what surrounds the places: masthead, menu, notes and offers.
package frame

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/place"
)

// Masthead stands above every view.
type Masthead struct {
	app.Compo

	View     place.View     // on the screen
	Requests state.Requests // of the tab so far
	Network  state.Network
	Browser  *parts.Browser // for dialogs, the theme and the language
}

// Render draws the links to the places, the promise, and the menu for the whole page.
func (h *Masthead) Render() app.UI {
	return app.Header().Class("masthead").Body(
		app.A().Class("brand").Href("#/").Body(
			app.Img().Src("/web/icons/icon.svg").Role("presentation").Aria("hidden", "true").
				Width(28).Height(28),
			app.Span().Text(say.Text("Hush")),
		),
		app.Nav().Class("places").Aria("label", say.Text("Places")).Body(
			app.Range(place.Views).Slice(func(i int) app.UI {
				return app.If(place.Views[i].Title != "", func() app.UI {
					link := app.A().Href("#" + place.Views[i].Path()).
						Text(say.Text(place.Views[i].Title))
					if place.Views[i].View == h.View.Place() {
						link = link.Aria("current", "page")
					}
					return link
				})
			}),
		),
		app.Div().Class("masthead-end").Body(
			&Promise{Requests: h.Requests, Off: h.Network.Off && h.Network.Able},
			h.menu(),
		),
	)
}

// menu unfolds without the program; static/page.js folds it again.
func (h *Masthead) menu() app.UI {
	link := func(v place.View, text string) app.UI {
		return app.Li().Body(app.A().Href("#" + v.Path()).Text(text))
	}
	button := func(text string, do func()) app.UI {
		return app.Li().Body(app.Button().Type("button").Text(text).
			OnClick(func(app.Context, app.Event) { do() }))
	}
	dialog := func(text, id string) app.UI {
		return button(text, func() { h.Browser.ShowDialog(id) })
	}
	language, several := languageField(h.Browser)
	return app.Details().Class("menu").Body(
		app.Summary().Aria("label", say.Text("Menu")).Body(parts.Icon(parts.IconMenu)),
		app.Ul().Body(
			link(place.ViewDocs, say.Text("Questions described")),
			link(place.ViewWords, say.Text("In plain words")),
			link(place.ViewCheck, say.Text("Check a release")),
			link(place.ViewTable, say.Text("Living table")),
			dialog(say.Text("Keyboard shortcuts"), parts.KeysID),
			button(say.Text("Light or dark"), func() { h.Browser.ToggleTheme() }),
			dialog(say.Text("Work offline"), parts.OfflineID),
			app.If(h.Network.Installable, func() app.UI {
				return app.Li().Body(
					parts.InstallButton(h.Network, func() *parts.Browser { return h.Browser }))
			}),
			dialog(say.Text("About Hush"), AboutID),
			app.If(several, func() app.UI { return app.Li().Body(language) }),
		),
	)
}

// Promise says that nothing leaves the tab, with the live count of the requests that the browser
// reports to the page and its workers.
type Promise struct {
	app.Compo

	Requests state.Requests // what the tab asked of the network so far
	Off      bool           // the network is switched off
}

// Render draws a line with a dot that turns red should a foreign request ever be seen.
func (p *Promise) Render() app.UI {
	class, text := "here", say.Text("Nothing leaves this tab")
	if p.Off {
		class, text = "here off", say.Text("Offline: every request is refused")
	}
	if p.Requests.Foreign > 0 {
		class, text = "here broken", say.Text("A foreign request was seen")
	}
	// before the program runs: a script translates whole texts only
	count := say.Text("0 foreign requests, 0 own")
	if p.Requests.Own+p.Requests.Foreign > 0 {
		count = say.Count(int64(p.Requests.Foreign), "%d foreign request, %d own",
			"%d foreign requests, %d own", p.Requests.Foreign, p.Requests.Own)
	}
	return app.Div().Class(class).Role("status").ID("promise").Body(
		app.I().Aria("hidden", "true"),
		app.Span().Class("promised").Body(
			app.B().Text(text),
			app.Span().Class("number").ID("request-count").Text(count),
		),
	)
}
