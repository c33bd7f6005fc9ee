// Package plot holds the elements of pictures: axes, bars, points, bands and heat maps as options
// of the chart library, and the way in which numbers and names are written in them. It does not
// depend on releases.
package plot

import (
	"encoding/json"

	"hush/web/engine"
)

// Chart options are plain data for the chart library: no functions, so that they can be compared in
// tests and stored. Colours are named as in the style sheet and looked up where the chart is shown,
// so that both themes work.
const (
	Ink    = "var(--ink)"
	Soft   = "var(--ink-soft)"
	Line   = "var(--line)"
	Accent = "var(--accent)"
	Card   = "var(--card)"
)

// The colours of a heat map go from Card over the middle to Accent. The middle is as far from black
// as from white, so that one of the two is readable on each colour: on those below the middle, and
// on those above.
const (
	heatMiddle = "var(--heat-mid)"
	onLow      = "var(--on-low)"
	onHigh     = "var(--on-high)"
)

// object is a chart option, or a part of one.
type object = map[string]any

// Finished adds to a chart what all charts have in common; description says in words what it shows.
func Finished(o object, description string) json.RawMessage {
	o["backgroundColor"] = Card
	o["textStyle"] = object{"fontFamily": "system-ui, sans-serif", "color": Ink}
	o["aria"] = object{"enabled": true, "label": object{"description": description}}
	return json.RawMessage(engine.Encode(o))
}

// Axis returns an axis of that kind, with its name.
func Axis(kind, name string) object {
	return object{
		"type": kind, "name": name,
		"nameTextStyle": object{"color": Soft},
		"axisLabel":     object{"color": Soft, "hideOverlap": true},
		"axisLine":      object{"lineStyle": object{"color": Line}},
		"splitLine":     object{"lineStyle": object{"color": Line}},
	}
}
