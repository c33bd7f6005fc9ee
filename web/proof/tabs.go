package proof

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/say"
	"hush/web/state/place"
)

// tabs draws the three parts of the place: to try, to read what the tests tried, and to check a
// file.
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
		tab(place.ViewCheck, say.Text("Check a release")),
	)
}
