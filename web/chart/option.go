// Package chart turns answers, proofs and lessons into chart options and figures: plain data, made
// from releases alone.
package chart

import (
	"encoding/json"
	"strconv"

	"hush/core/ask"
	"hush/web/engine"
)

// Chart options are plain data for the chart library: no functions, so that they can be compared in
// tests and stored. Colours are named as in the style sheet and looked up where the chart stands,
// so that both themes work.
const (
	inkColour    = "var(--ink)"
	softColour   = "var(--ink-soft)"
	lineColour   = "var(--line)"
	accentColour = "var(--accent)"
	cardColour   = "var(--card)"
)

type object = map[string]any

// finished adds to a chart what all have in common; description says in words what it shows.
func finished(o object, description string) json.RawMessage {
	o["backgroundColor"] = cardColour
	o["textStyle"] = object{"fontFamily": "system-ui, sans-serif", "color": inkColour}
	o["aria"] = object{"enabled": true, "label": object{"description": description}}
	return json.RawMessage(engine.Encode(o))
}

func axis(kind, name string) object {
	return object{
		"type": kind, "name": name,
		"nameTextStyle": object{"color": softColour},
		"axisLabel":     object{"color": softColour, "hideOverlap": true},
		"axisLine":      object{"lineStyle": object{"color": lineColour}},
		"splitLine":     object{"lineStyle": object{"color": lineColour}},
	}
}

// Curve draws the error to expect against ε, both on logarithmic scales, with the ε at hand marked.
func Curve(points []ask.Point, epsilon, unit string) json.RawMessage {
	x, y := axis("log", "ε"), axis("log", unit)
	x["nameLocation"], x["nameGap"] = "middle", 26
	data := make([][]any, 0, len(points))
	for _, p := range points {
		if p.Error > 0 {
			data = append(data, []any{json.Number(p.Epsilon), p.Error})
		}
	}
	line := object{"type": "line", "name": unit, "data": data, "symbolSize": 6,
		"lineStyle": object{"color": accentColour, "width": 2},
		"itemStyle": object{"color": accentColour}}
	if at, err := strconv.ParseFloat(epsilon, 64); err == nil && at > 0 {
		line["markLine"] = object{"silent": true, "symbol": "none",
			"lineStyle": object{"color": softColour}, "label": object{"show": false},
			"data": []object{{"xAxis": at}}}
	}
	return json.RawMessage(engine.Encode(object{
		"backgroundColor": cardColour,
		"textStyle":       object{"fontFamily": "system-ui, sans-serif", "color": inkColour},
		"grid": object{"left": 8, "right": 24, "top": 36, "bottom": 36,
			"containLabel": true},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x, "yAxis": y, "series": []object{line},
	}))
}

// CurveRows is the same as a table.
func CurveRows(points []ask.Point) [][]string {
	rows := make([][]string, len(points))
	for i, p := range points {
		rows[i] = []string{p.Epsilon, strconv.FormatFloat(p.Error, 'g', 3, 64)}
	}
	return rows
}
