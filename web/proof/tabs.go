package proof

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/say"
	"hush/web/state/place"
)

// tabs are the two halves of the place: to try, and to read what was tried.
func tabs(current place.View) app.UI {
	tab := func(v place.View, text string) app.UI {
		link := app.A().Href("#" + v.Path()).Text(text)
		if v == current {
			link = link.Aria("current", "page")
		}
		return link
	}
	return app.Nav().Class("tabs").Aria("label", say.Text("Proof")).Body(
		tab(place.ViewProof, say.Text("Try to break it")),
		tab(place.ViewEvidence, say.Text("Evidence")),
	)
}
