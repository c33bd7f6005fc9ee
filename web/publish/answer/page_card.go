package answer

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/place"
	"hush/web/state/stage"
)

// pageCard shows what is on the page of figures, and leads there.
func pageCard(m *state.Model) app.UI {
	t := m.Page.Tally()
	return app.Section().ID(stage.ReportID).TabIndex(-1).Class("card pad stack no-print").
		Aria("labelledby", stage.ReportID+"-title").Body(
		app.H2().ID(stage.ReportID+"-title").Class("minor").Text(say.Count(int64(t.Figures),
			"The page: one figure", "The page: %d figures", t.Figures)),
		app.P().Class("small soft").Text(parts.Together(say.Format(
			"%d released, %d to be drawn", t.Drawn, t.Planned+t.Paid))),
		app.Div().Body(app.A().ID("open-page").Class("button").Href("#"+place.ViewPage.Path()).
			Text(say.Text("Open the page"))),
	)
}

// PageLink leads to the page of figures that contains the answer shown.
func PageLink(m *state.Model) app.UI {
	t := m.Page.Tally()
	return app.A().ID("collected").Class("button main").Href("#" + place.ViewPage.Path()).
		Text(say.Count(int64(t.Figures), "Page: one figure", "Page: %d figures", t.Figures))
}

// CollectButton adds the answer shown to the page of figures.
func CollectButton(m *state.Model, class string) app.UI {
	return app.Button().ID("collect").Class(class).Type("button").
		Disabled(!m.Answer.MayCopy(m.Answer.Result)).Text(say.Text("Put it on the page")).
		OnClick(func(app.Context, app.Event) { m.Figures.Collect(m.Answer.Result) })
}
