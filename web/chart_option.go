package web

import (
	"encoding/json"
	"strconv"
	"strings"

	"hush/core/domain"
	"hush/core/task"
)

// Chart options are plain data for the chart library: no functions, so that they can be compared in tests and stored.
// Colours are named as in the style sheet and looked up where the chart stands, so that both themes work.
const (
	inkColour    = "var(--ink)"
	softColour   = "var(--ink-soft)"
	lineColour   = "var(--line)"
	accentColour = "var(--accent)"
	cardColour   = "var(--card)"
)

type object = map[string]any

// chartOption draws a release; tall tells whether it needs a tall frame.
func chartOption(r *task.Release) (option json.RawMessage, tall bool) {
	var o object
	switch {
	case r.Answer.Histogram != nil:
		o, tall = histogramChart(r), true
	case r.Answer.Median != nil:
		o = medianChart(r)
	case r.Answer.Estimates != nil:
		o, tall = estimatesChart(r)
	case r.Answer.Quantiles != nil:
		o, tall = quantilesChart(r), true
	}
	o["backgroundColor"] = cardColour
	o["textStyle"] = object{"fontFamily": "system-ui, sans-serif", "color": inkColour}
	o["aria"] = object{"enabled": true, "label": object{"description": r.Statement}}
	return json.RawMessage(encode(o)), tall
}

func axis(kind, name string) object {
	return object{
		"type": kind, "name": name,
		"nameTextStyle": object{"color": softColour}, "axisLabel": object{"color": softColour, "hideOverlap": true},
		"axisLine": object{"lineStyle": object{"color": lineColour}}, "splitLine": object{"lineStyle": object{"color": lineColour}},
	}
}

// histogramChart draws bars with 95 % error bars.
func histogramChart(r *task.Release) object {
	h := r.Answer.Histogram
	labels := make([]string, len(h.Bins))
	counts := make([]int64, len(h.Bins))
	ranges := make([][3]int64, len(h.Bins))
	for i, b := range h.Bins {
		labels[i], counts[i] = b.Label, b.Count
		ranges[i] = [3]int64{int64(i), b.Count - h.Error, b.Count + h.Error}
	}
	return barChart(r.Plan.Column, "people", labels, counts, ranges)
}

// barChart draws one bar for each label; a range is [place, low, high].
func barChart(across, along string, labels []string, values, ranges any) object {
	x, y := axis("category", across), axis("value", along)
	x["data"], x["nameLocation"], x["nameGap"] = labels, "middle", 32
	return object{
		"grid":    object{"left": 8, "right": 16, "top": 36, "bottom": 36, "containLabel": true},
		"tooltip": object{"trigger": "axis", "renderMode": "richText", "axisPointer": object{"type": "shadow"}},
		"xAxis":   x,
		"yAxis":   y,
		"series": []object{
			{"type": "bar", "name": along, "data": values, "itemStyle": object{"color": accentColour, "opacity": 0.82}, "barCategoryGap": "18%", "barMaxWidth": 72},
			{"type": "custom", "name": "95 % range", "renderItem": "errorBar", "data": ranges,
				"encode": object{"x": 0, "y": []int{1, 2}}, "itemStyle": object{"color": inkColour}, "z": 3},
		},
	}
}

// medianChart draws where, among the people, the released value lies: a band around the middle.
func medianChart(r *task.Release) object {
	m := r.Answer.Median
	x, y := axis("value", "people away from the exact middle"), axis("category", "")
	reach := max(2*m.RankError, 1)
	x["min"], x["max"], x["nameLocation"], x["nameGap"] = -reach, reach, "middle", 28
	y["data"], y["axisLabel"], y["axisTick"] = []string{""}, object{"show": false}, object{"show": false}
	return object{
		"grid":    object{"left": 16, "right": 16, "top": 40, "bottom": 44},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x,
		"yAxis":   y,
		"series": []object{
			{"type": "custom", "name": "95 % range", "renderItem": "errorBarHorizontal", "data": [][3]int64{{0, -m.RankError, m.RankError}},
				"encode": object{"x": []int{1, 2}, "y": 0}, "itemStyle": object{"color": inkColour}},
			{"type": "scatter", "name": "median", "symbolSize": 14, "data": [][2]any{{0, 0}}, "itemStyle": object{"color": accentColour},
				"label": object{"show": true, "position": "top", "formatter": m.Value, "color": inkColour, "fontSize": 16, "fontWeight": 600}},
		},
	}
}

// estimatesChart draws one number as a point with its interval, and those of groups as bars with error bars.
func estimatesChart(r *task.Release) (o object, tall bool) {
	e := r.Answer.Estimates
	if len(e.Rows) == 1 && e.Rows[0].Group == "" {
		one := e.Rows[0]
		x, y := axis("value", e.Name), axis("category", "")
		x["scale"], x["nameLocation"], x["nameGap"] = true, "middle", 28
		y["data"], y["axisLabel"], y["axisTick"] = []string{""}, object{"show": false}, object{"show": false}
		return object{
			"grid":    object{"left": 24, "right": 24, "top": 40, "bottom": 44},
			"tooltip": object{"trigger": "item", "renderMode": "richText"},
			"xAxis":   x,
			"yAxis":   y,
			"series": []object{
				{"type": "custom", "name": "95 % range", "renderItem": "errorBarHorizontal", "data": [][]json.Number{{"0", json.Number(one.Low), json.Number(one.High)}},
					"encode": object{"x": []int{1, 2}, "y": 0}, "itemStyle": object{"color": inkColour}},
				{"type": "scatter", "name": e.Name, "symbolSize": 14, "data": [][]json.Number{{json.Number(one.Value), "0"}}, "itemStyle": object{"color": accentColour},
					"label": object{"show": true, "position": "top", "formatter": one.Value, "color": inkColour, "fontSize": 16, "fontWeight": 600}},
			},
		}, false
	}
	names := make([]string, len(e.Rows))
	values := make([]json.Number, len(e.Rows))
	ranges := make([][]json.Number, len(e.Rows))
	for i, row := range e.Rows {
		names[i], values[i] = row.Group, json.Number(row.Value)
		ranges[i] = []json.Number{json.Number(strconv.Itoa(i)), json.Number(row.Low), json.Number(row.High)}
	}
	return barChart("", e.Name, names, values, ranges), true
}

// quantilesChart draws the values as a rising line over the parts of the people below them.
func quantilesChart(r *task.Release) object {
	kind := "value"
	if k := r.Recipe.Domain.Kind; k == domain.Date || k == domain.Timestamp {
		kind = "time"
	}
	x, y := axis(kind, r.Plan.Column), axis("value", "% of the people below")
	x["scale"], x["nameLocation"], x["nameGap"] = true, "middle", 30
	y["min"], y["max"] = 0, 100
	points := make([][]any, len(r.Answer.Quantiles.Rows))
	for i, row := range r.Answer.Quantiles.Rows {
		var value any = row.Value
		if kind == "value" {
			value = json.Number(row.Value)
		}
		points[i] = []any{value, json.Number(strings.TrimSuffix(row.Part, " %"))}
	}
	return object{
		"grid":    object{"left": 8, "right": 24, "top": 36, "bottom": 36, "containLabel": true},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x,
		"yAxis":   y,
		"series": []object{{"type": "line", "name": r.Plan.Column, "data": points, "symbolSize": 10, "lineStyle": object{"color": accentColour, "width": 2},
			"itemStyle": object{"color": accentColour}}},
	}
}

// curveChart draws the error to expect against ε, both on logarithmic scales, with the ε at hand marked.
func curveChart(points []task.Point, epsilon, unit string) json.RawMessage {
	x, y := axis("log", "ε"), axis("log", unit)
	x["nameLocation"], x["nameGap"] = "middle", 26
	data := make([][]any, 0, len(points))
	for _, p := range points {
		if p.Error > 0 {
			data = append(data, []any{json.Number(p.Epsilon), p.Error})
		}
	}
	line := object{"type": "line", "name": unit, "data": data, "symbolSize": 6, "lineStyle": object{"color": accentColour, "width": 2}, "itemStyle": object{"color": accentColour}}
	if at, err := strconv.ParseFloat(epsilon, 64); err == nil && at > 0 {
		line["markLine"] = object{"silent": true, "symbol": "none", "lineStyle": object{"color": softColour}, "label": object{"show": false}, "data": []object{{"xAxis": at}}}
	}
	return json.RawMessage(encode(object{
		"backgroundColor": cardColour,
		"textStyle":       object{"fontFamily": "system-ui, sans-serif", "color": inkColour},
		"grid":            object{"left": 8, "right": 24, "top": 36, "bottom": 36, "containLabel": true},
		"tooltip":         object{"trigger": "item", "renderMode": "richText"},
		"xAxis":           x, "yAxis": y, "series": []object{line},
	}))
}

// curveRows is the same as a table.
func curveRows(points []task.Point) [][]string {
	rows := make([][]string, len(points))
	for i, p := range points {
		rows[i] = []string{p.Epsilon, strconv.FormatFloat(p.Error, 'g', 3, 64)}
	}
	return rows
}
