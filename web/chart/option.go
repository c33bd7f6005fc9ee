// Package chart turns answers, proofs and lessons into chart options and figures: plain data, made
// from releases alone.
package chart

import (
	"encoding/json"
	"strconv"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
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

// Of draws a release; tall tells whether it needs a tall frame.
func Of(r *task.Release) (option json.RawMessage, tall bool) {
	o, tall := viewOfAnswer(r).chart(r)
	return finished(o, r.Statement), tall
}

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

// barChart draws one bar for each label; a range is [place, low, high].
func barChart(across, along string, labels []string, values, ranges any) object {
	x, y := axis("category", across), axis("value", along)
	x["data"], x["nameLocation"], x["nameGap"] = labels, "middle", 32
	return object{
		"grid": object{"left": 8, "right": 16, "top": 36, "bottom": 36, "containLabel": true},
		"tooltip": object{"trigger": "axis", "renderMode": "richText",
			"axisPointer": object{"type": "shadow"}},
		"xAxis": x,
		"yAxis": y,
		"series": []object{
			{"type": "bar", "name": along, "data": values,
				"itemStyle":      object{"color": accentColour, "opacity": 0.82},
				"barCategoryGap": "18%", "barMaxWidth": 72},
			{"type": "custom", "name": say.Text("95 % range"), "renderItem": "errorBar",
				"data":   ranges,
				"encode": object{"x": 0, "y": []int{1, 2}}, "itemStyle": object{"color": inkColour},
				"z": 3},
		},
	}
}

// valueLabel writes a released value above its point, unless it is too long for a small screen: the
// statement has it too.
func valueLabel(value string) object {
	return object{"show": len(value) <= 20, "position": "top", "formatter": value,
		"color": inkColour, "fontSize": 16, "fontWeight": 600}
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
