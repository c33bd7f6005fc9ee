// Package finding draws the finding of a proof's demonstration.
package finding

import (
	"encoding/json"
	"math"

	"hush/core/audit"
	"hush/core/prove"
	"hush/web/chart/plot"
	"hush/web/engine"
	"hush/web/say"
)

// Everything drawn is a rounded copy of an exact rational. Parts that do not depend on the finding
// are written as JSON, which takes a tenth of the space in the browser's binary that the same maps
// take in Go.

// object is a chart option, or a part of one.
type object = map[string]any

// template is the JSON of a chart in which texts "@name" are still to be filled in.
type template string

// fill replaces the names by values.
func (p template) fill(values object) object {
	var o object
	engine.Decode([]byte(p), &o)
	return put(o, values).(object)
}

func put(v any, values object) any {
	switch v := v.(type) {
	case object:
		for key, part := range v {
			v[key] = put(part, values)
		}
	case []any:
		for i, part := range v {
			v[i] = put(part, values)
		}
	case string:
		if v != "" && v[0] == '@' {
			return values[v[1:]]
		}
	}
	return v
}

const lawsPlot template = `{
	"grid": {"left": 8, "right": 16, "top": 44, "bottom": 8, "containLabel": true},
	"legend": {"top": 0, "textStyle": {"color": "var(--ink)"}},
	"tooltip": {"trigger": "axis", "renderMode": "richText", "axisPointer": {"type": "shadow"}},
	"xAxis": "@x", "yAxis": "@y",
	"series": [
		{"type": "bar", "name": "@first name", "data": "@first", "barMaxWidth": 36, "barGap": "0%", "itemStyle": {"color": "var(--accent)", "opacity": 0.85}},
		{"type": "bar", "name": "@second name", "data": "@second", "barMaxWidth": 36, "barGap": "0%", "itemStyle": {"color": "var(--warn)", "opacity": 0.85}}
	]
}`

const ratiosPlot template = `{
	"grid": {"left": 8, "right": 24, "top": 36, "bottom": 8, "containLabel": true},
	"tooltip": {"trigger": "item", "renderMode": "richText"},
	"xAxis": "@x", "yAxis": "@y",
	"series": [{"type": "bar", "name": "@logarithm", "data": "@bars", "barMaxWidth": 48, "markLine": {
		"silent": true, "symbol": "none", "lineStyle": {"color": "var(--ink)", "type": "dashed"}, "label": {"show": false},
		"data": [{"yAxis": "@claim"}, {"yAxis": "@minus"}]
	}}]
}`

const needPlot template = `{
	"grid": {"left": 8, "right": 24, "top": 72, "bottom": 36, "containLabel": true},
	"legend": {"top": 0, "textStyle": {"color": "var(--ink)"}},
	"tooltip": {"trigger": "axis", "renderMode": "richText"},
	"xAxis": "@x", "yAxis": "@y",
	"series": [
		{"type": "line", "name": "@forward", "data": "@there", "showSymbol": false, "lineStyle": {"color": "var(--accent)", "width": 2}, "itemStyle": {"color": "var(--accent)"}},
		{"type": "line", "name": "@backward", "data": "@back", "showSymbol": false, "lineStyle": {"color": "var(--warn)", "width": 2}, "itemStyle": {"color": "var(--warn)"}},
		{"type": "line", "name": "@the claim", "data": "@corner", "showSymbol": false,
			"lineStyle": {"color": "var(--ink)", "width": 2, "type": "dashed"}, "itemStyle": {"color": "var(--ink)"}}
	]
}`

// The bars of ratios: within the claim, beyond it where the claim allows some, beyond it where the
// claim fails, and infinite.
const (
	ratioBar   template = `{"value": "@value", "itemStyle": {"color": "@colour", "opacity": 0.85}}`
	endlessBar template = `{"value": "@value", "itemStyle": {"color": "@colour", "opacity": 0.85}, "tooltip": {"formatter": "@words"},
		"label": {"show": true, "formatter": "@label", "position": "@position", "color": "var(--card)", "fontWeight": 600}}`
)

// outcomeAxis has one position for each outcome, at the bottom of the picture.
func outcomeAxis(f *prove.Finding) object {
	names := make([]string, len(f.Outcomes))
	for i, o := range f.Outcomes {
		names[i] = o.Label
	}
	x := plot.Axis("category", "")
	x["data"], x["axisTick"] = names, object{"show": false}
	x["axisLine"].(object)["onZero"] = false
	return x
}

// Laws draws both laws side by side.
func Laws(f *prove.Finding) json.RawMessage {
	first, second := make([]float64, len(f.Outcomes)), make([]float64, len(f.Outcomes))
	for i, o := range f.Outcomes {
		first[i], second[i] = o.First, o.Second
	}
	return plot.Finished(
		lawsPlot.fill(
			object{"x": outcomeAxis(f), "y": plot.Axis("value", ""),
				"first": first, "second": second,
				"first name":  say.Text("first data set"),
				"second name": say.Text("second data set")}),
		say.Text("The probability of each outcome for both data sets."))
}

// Ratios draws the logarithm of the ratio of each outcome's probabilities between the lines that
// the claim sets. An infinite ratio reaches the edge of the picture. Ratios beyond the claim have a
// colour of their own: a claim with a δ allows some.
func Ratios(f *prove.Finding) json.RawMessage {
	reach := f.Epsilon
	for _, o := range f.Outcomes {
		if o.Log != nil {
			reach = math.Max(reach, math.Abs(*o.Log))
		}
	}
	reach, step := plot.EvenEnd(1.1*reach, 3)
	bars := make([]object, len(f.Outcomes))
	for i, o := range f.Outcomes {
		colour := plot.Accent
		if !o.Within || !o.Reverse {
			if colour = "var(--warn)"; f.Verdict == audit.Violated {
				colour = "var(--bad)"
			}
		}
		bar := object{"colour": colour}
		switch {
		case o.Log != nil:
			bar["value"] = *o.Log
			bars[i] = ratioBar.fill(bar)
			continue
		case o.Second == 0:
			bar["value"], bar["label"], bar["position"], bar["words"] = reach, "∞", "insideTop",
				say.Format("%s: impossible for the second data set", o.Label)
		default:
			bar["value"], bar["label"], bar["position"], bar["words"] = -reach, "−∞",
				"insideBottom", say.Format("%s: impossible for the first data set", o.Label)
		}
		bars[i] = endlessBar.fill(bar)
	}
	y := plot.Axis("value", say.Text("ln(first ÷ second)"))
	y["min"], y["max"], y["interval"] = -reach, reach, step
	y["nameTextStyle"].(object)["align"] = "left"
	return plot.Finished(
		ratiosPlot.fill(
			object{"x": outcomeAxis(f), "y": y, "bars": bars, "claim": f.Epsilon,
				"minus": -f.Epsilon, "logarithm": say.Text("ln(first ÷ second)")}),
		say.Text("The logarithm of each outcome's ratio, and the claim."))
}

// Need draws the δ needed at each ε, in both directions, and the corner that the claim excludes:
// from the claimed ε on, at most the claimed δ is needed.
func Need(f *prove.Finding) json.RawMessage {
	there, back := make([][2]float64, len(f.Curve)), make([][2]float64, len(f.Curve))
	last, top := 0.0, f.Allowed
	for i, p := range f.Curve {
		there[i], back[i] = [2]float64{p.Epsilon, p.There}, [2]float64{p.Epsilon, p.Back}
		top = math.Max(top, math.Max(p.There, p.Back))
		last = p.Epsilon
	}
	last, step := plot.EvenEnd(last, 6)
	x, y := plot.Axis("value", "ε"), plot.Axis("value", say.Text("δ needed"))
	x["nameLocation"], x["nameGap"], x["min"], x["max"], x["interval"] = "middle", 26, 0, last, step
	y["min"] = 0
	y["nameTextStyle"].(object)["align"] = "left"
	corner := [][2]float64{{f.Epsilon, top}, {f.Epsilon, f.Allowed}, {last, f.Allowed}}
	return plot.Finished(
		needPlot.fill(object{"x": x, "y": y, "there": there, "back": back, "corner": corner,
			"forward":   say.Text("first against second"),
			"backward":  say.Text("second against first"),
			"the claim": say.Text("the claim: curves stay below its corner")}),
		say.Text("The δ that is needed at each ε, and the claim."))
}
