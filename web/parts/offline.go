package parts

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/say"
	"hush/web/state"
)

// OfflineID is the dialog of the switch.
const OfflineID = "offline"

// OfflineDialog holds the switch that closes the network, and says whether the browser may delete
// stored data.
type OfflineDialog struct {
	app.Compo

	ID      string // of the dialog, unique on the page
	Shown   bool   // without being asked for, in the gallery
	Network state.Network
	Browser *Browser
}

// Render draws the dialog; the browser opens it above everything else.
func (o *OfflineDialog) Render() app.UI {
	return app.Dialog().ID(o.ID).Class("dialog").Open(o.Shown).Aria("labelledby", o.ID+"-title").
		Body(
			app.H2().ID(o.ID+"-title").Text(say.Text("Offline")),
			OfflineSwitch(o.ID, o.Network, o.browser),
			app.H3().Text(say.Text("What the browser stores, and may delete")),
			app.P().Text(say.Text("The page, the ledger and this switch live in this browser's "+
				"storage. A browser that is short of space may delete all three; some also do so "+
				"when a page has not been visited for a week. Then the page is loaded from the "+
				"network again, and the record of the budget spent is lost: save the ledger as a "+
				"file from time to time.")),
			storage(o.Network, o.browser),
			app.Div().Body(app.Button().Class("button").Type("button").Text(say.Text("Close")).
				OnClick(func(app.Context, app.Event) { o.Browser.HideDialog(o.ID) })),
		)
}

// browser is the prop as it is when something is pressed: go-app keeps the handlers of the first
// drawing.
func (o *OfflineDialog) browser() *Browser { return o.Browser }

// OfflineSwitch is the switch, with a text about its present effect.
func OfflineSwitch(id string, n state.Network, b func() *Browser) app.UI {
	var text string
	switch {
	case n.Off && !n.Able:
		text = say.Text(
			"The network is switched off, but this page was loaded past the switch. Reload it.")
	case n.Off && n.Refused:
		text = say.Text("The network is switched off. Everything comes from this browser's " +
			"storage; a test request made just now was refused.")
	case n.Off:
		text = say.Text("The network is switched off, and yet a request made just now was " +
			"answered. Do not rely on it, and reload the page.")
	case n.Able:
		text = say.Text("All of the page is stored in this browser and works without a network.")
	default:
		text = say.Text("The page is not stored yet: that takes some seconds after the first " +
			"visit, in a browser that allows pages to store data.")
	}
	return app.Div().Class("more").Body(
		app.P().Role("status").ID(id+"-state").Text(text),
		app.Div().Class("tick").Body(
			app.Label().Class("check").Body(
				app.Input().ID(id+"-switch").Type("checkbox").Checked(n.Off).
					Disabled(!n.Able && !n.Off).Aria("describedby", id+"-switch-help").
					OnChange(func(ctx app.Context, e app.Event) {
						b().switchOff(ctx.JSSrc().Get("checked").Bool())
					}),
				app.Span().Text(say.Text("Go offline now")),
			),
			app.P().Class("small soft").ID(id+"-switch-help").Text(say.Text("Until you switch "+
				"back, the page's service worker refuses every request to the network, in every "+
				"tab and after a reload too. Only the browser itself may still check for a new "+
				"version.")),
		),
	)
}

// storage asks the browser to keep what is stored, unless it has promised to.
func storage(n state.Network, b func() *Browser) app.UI {
	if n.Kept {
		return app.P().Text(say.Text("This browser has promised to keep it until you delete it."))
	}
	return app.Div().Class("row").Body(
		app.Button().Class("button").Type("button").Text(say.Text("Ask the browser to keep it")).
			OnClick(func(app.Context, app.Event) { b().keepStorage() }),
		InstallButton(n, b),
	)
}

// InstallButton is there only while the browser offers to install the page.
func InstallButton(n state.Network, b func() *Browser) app.UI {
	return app.If(n.Installable, func() app.UI {
		return app.Button().Class("button plain").Type("button").Text(say.Text("Install Hush")).
			OnClick(func(app.Context, app.Event) { b().install() })
	})
}

// KeysID is the dialog that lists the shortcuts.
const KeysID = "keys"

// PresentID is the lesson that is presented, which takes the keys of its presenter.
const PresentID = "presented"
