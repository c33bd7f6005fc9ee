package parts

import (
	"encoding/json"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/say"
)

// Chart shows a chart option. The library draws into the element after the page has been painted;
// the table beside the chart says the same to those who cannot see it.
type Chart struct {
	app.Compo

	ID      string   // of the element, unique on the page
	Option  string   // the chart as JSON
	Class   string   // its size
	Label   string   // what it shows, in words
	Browser *Browser // draws it

	// Pick, if not nil, learns which point of a graph was clicked, from 0. It is for the mouse:
	// what it does can be done without it.
	Pick func(point int)
}

// OnMount draws the chart for the first time.
func (c *Chart) OnMount(app.Context) { c.draw() }

// OnUpdate draws it again when a prop has changed.
func (c *Chart) OnUpdate(app.Context) { c.draw() }

func (c *Chart) draw() {
	if c.Browser != nil {
		c.Browser.drawChart(c.ID, json.RawMessage(c.Option))
	}
}

// Render draws the empty element.
func (c *Chart) Render() app.UI {
	frame := app.Div().ID(c.ID).Class(c.Class).Role("img").
		Aria("label", say.Format("Chart. %s", c.Label))
	if c.Pick != nil {
		frame = frame.On("pick", func(_ app.Context, e app.Event) { c.Pick(e.Get("detail").Int()) })
	}
	return frame
}
