package web

import (
	"encoding/json"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Chart shows a chart option. The library draws into the element after the page has been painted; the table beside
// the chart says the same to those who cannot see it.
type Chart struct {
	app.Compo

	ID      string   // of the element, unique on the page
	Option  string   // the chart as JSON
	Class   string   // its size
	Label   string   // what it shows, in words
	Browser *browser // draws it
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
	return app.Div().ID(c.ID).Class(c.Class).Role("img").Aria("label", "Chart. "+c.Label)
}
