package chart

import (
	"encoding/json"
	"strconv"

	"hush/core/ask"
	"hush/web/chart/plot"
	"hush/web/engine"
)

// Curve draws the error to expect against ε, both on logarithmic scales, with the ε at hand marked.
func Curve(points []ask.Point, epsilon, unit string) json.RawMessage {
	x, y := plot.Axis("log", "ε"), plot.Axis("log", unit)
	x["nameLocation"], x["nameGap"] = "middle", 26
	data := make([][]any, 0, len(points))
	for _, p := range points {
		if p.Error > 0 {
			data = append(data, []any{json.Number(p.Epsilon), p.Error})
		}
	}
	line := object{"type": "line", "name": unit, "data": data, "symbolSize": 6,
		"lineStyle": object{"color": plot.Accent, "width": 2},
		"itemStyle": object{"color": plot.Accent}}
	if at, err := strconv.ParseFloat(epsilon, 64); err == nil && at > 0 {
		line["markLine"] = object{"silent": true, "symbol": "none",
			"lineStyle": object{"color": plot.Soft}, "label": object{"show": false},
			"data": []object{{"xAxis": at}}}
	}
	return json.RawMessage(engine.Encode(object{
		"backgroundColor": plot.Card,
		"textStyle":       object{"fontFamily": "system-ui, sans-serif", "color": plot.Ink},
		"grid": object{"left": 8, "right": 24, "top": 36, "bottom": 36,
			"containLabel": true},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x, "yAxis": y, "series": []object{line},
	}))
}

// CurveRows returns the same as a table.
func CurveRows(points []ask.Point) [][]string {
	rows := make([][]string, len(points))
	for i, p := range points {
		rows[i] = []string{p.Epsilon, strconv.FormatFloat(p.Error, 'g', 3, 64)}
	}
	return rows
}
