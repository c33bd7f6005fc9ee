package parts

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
)

// ForecastList lists what is said before a release.
func ForecastList(id string, list []ask.Forecast) app.UI {
	return app.Dl().Class("forecast").ID(id).Body(
		app.Range(list).Slice(func(i int) app.UI {
			f := list[i]
			return app.Div().Body(
				app.Dt().Text(f.Label),
				app.Dd().Class("value").Text(f.Value),
				app.Dd().Class("detail").Text(f.Detail),
			)
		}),
	)
}
