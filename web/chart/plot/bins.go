package plot

// MostBars is the number of bars that fit beside one another, each with its error.
const MostBars = 120

// ticked is an axis from the first edge to the last, with ticks at edges of bins.
func ticked(kind string, edges []float64) object {
	x := ValueOnly(kind)
	x["min"], x["max"], x["splitLine"] = edges[0], edges[len(edges)-1], object{"show": false}
	x["axisTick"] = object{"show": true, "lineStyle": object{"color": Soft}}
	if kind == "value" {
		x["ticks"] = edges
		Numbered(x, edges[0], edges[len(edges)-1])
	}
	return x
}

// Touching draws bars between their edges.
func Touching(list []Bar, edges []float64, many, kind string) Picture {
	x, y := ticked(kind, edges), ValueOnly("value")
	y["min"] = 0
	items, ranges := make([]object, len(list)), make([][]any, len(list))
	for i, b := range list {
		items[i] = object{"value": []any{edges[i], edges[i+1], max(b.Value, 0), flag(b.Hatched)},
			"says": b.Says}
		ranges[i] = []any{edges[i]/2 + edges[i+1]/2, b.Low, b.High}
	}
	return Picture{Tall: true, Height: 320, Plot: object{
		"grid":    Grid(),
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x, "yAxis": y,
		"series": drawnBars(many, "bin", "errorBar", items, ranges,
			object{"x": []int{0, 1}, "y": 2}, object{"encode": object{"x": 0, "y": []int{1, 2}}}),
	}}
}

// Outlined draws values as steps with a band.
func Outlined(list []Bar, edges []float64, name, kind string) Picture {
	y := ValueOnly("value")
	y["min"] = 0
	x := ValueOnly("category")
	at := func(i int) []any { return []any{i} }
	if edges != nil {
		x = ticked(kind, edges)
		at = func(i int) []any { return []any{edges[i], edges[i+1]} } // flat over the bin
	} else {
		names := make([]string, len(list))
		for i, b := range list {
			names[i] = b.Name
		}
		x["data"] = names
	}
	var line, low, height [][]any
	for i, b := range list {
		for _, place := range at(i) {
			line = append(line, []any{place, max(b.Value, 0)})
			low = append(low, []any{place, b.Low})
			height = append(height, []any{place, b.High - b.Low})
		}
	}
	series := Band(name, line, low, height)
	for _, s := range series {
		s["showSymbol"], s["stackStrategy"] = false, "all"
		if edges == nil {
			s["step"] = "middle"
		}
	}
	series[2]["areaStyle"] = object{"color": Accent, "opacity": 0.12}
	return Picture{Tall: true, Height: 320, Plot: object{
		"grid":    Grid(),
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x, "yAxis": y, "series": series,
	}}
}
