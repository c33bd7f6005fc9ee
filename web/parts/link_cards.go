package parts

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// LinkCard is a link with a sentence on where it leads.
type LinkCard struct{ To, Title, About string }

// LinkCards draws several of them beside each other.
func LinkCards(list ...LinkCard) app.UI {
	return app.Ul().Class("cards").Body(app.Range(list).Slice(func(i int) app.UI {
		return app.Li().Body(app.A().Href(list[i].To).Text(list[i].Title),
			app.P().Class("soft").Text(list[i].About))
	}))
}
