package plot

import (
	"encoding/json"
	"math"
	"strconv"

	"hush/core/domain"
	"hush/web/say"
)

// ValueAxis returns the axis of a column's values, given as text: of numbers, of times or, if they
// are texts, with one position for each. place returns the position of the i-th value; nil for one
// without a position, such as an infinity.
func ValueAxis(kind domain.Kind, name string, values []string) (o object, place func(i int) any) {
	switch kind {
	case domain.Date, domain.Timestamp:
		o, place = Axis("time", name), func(i int) any { return values[i] }
	case domain.Text, domain.Bytes, domain.Category:
		o, place = Axis("category", name), func(i int) any { return i }
		o["data"] = values
	default:
		o, place = Axis("value", name), func(i int) any {
			if x, err := strconv.ParseFloat(values[i], 64); err != nil || math.IsInf(x, 0) {
				return nil
			}
			return json.Number(values[i])
		}
		o["scale"] = true
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, text := range values {
			if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(x, 0) {
				lo, hi = math.Min(lo, x), math.Max(hi, x)
			}
		}
		Numbered(o, lo, hi)
	}
	o["nameLocation"], o["nameGap"] = "middle", 30
	return o, place
}

// plain leaves the numbers of an axis ungrouped if they may be years: others are grouped from 1 000
// on.
func plain(axis object) object {
	axis["axisLabel"].(object)["numbers"] = "plain"
	return axis
}

// FigureAxis is the horizontal axis of figures from lo to hi, no wider than their spread.
func FigureAxis(name string, lo, hi float64) object {
	o := Numbered(Axis("value", name), lo, hi)
	o["scale"], o["nameLocation"], o["nameGap"] = true, "middle", 28
	return o
}

// Band is a line with the area that contains the true one: three series of [x, y] each, where low
// and height give the area's ends at the same x.
func Band(name string, line, low, height [][]any) []object {
	silent := object{"type": "line", "stack": "band", "silent": true, "showSymbol": false,
		"tooltip": object{"show": false}, "lineStyle": object{"opacity": 0}}
	with := func(data [][]any, more object) object {
		o := object{"data": data}
		for _, from := range []object{silent, more} {
			for key, value := range from {
				o[key] = value
			}
		}
		return o
	}
	return []object{
		with(low, object{"name": say.Text("low (95 %)")}),
		with(height,
			object{"name": say.Text("95 % range"),
				"areaStyle": object{"color": Accent, "opacity": 0.18}}),
		{"type": "line", "name": name, "data": line, "symbolSize": 6, "showSymbol": len(line) <= 80,
			"lineStyle": object{"color": Accent, "width": 2},
			"itemStyle": object{"color": Accent}},
	}
}

// ValueOnly is an axis without a name, for a picture whose words name it.
func ValueOnly(kind string) object {
	o := Axis(kind, "")
	delete(o, "name")
	delete(o, "nameTextStyle")
	return o
}

// Grid is the position of most plots in their frame.
func Grid() object {
	return object{"left": 8, "right": 24, "top": 8, "bottom": 8, "containLabel": true}
}

// Within returns x, or the end of the range beyond which it lies.
func Within(x, lo, hi float64) float64 { return math.Min(math.Max(x, lo), hi) }

// Numbered groups the numbers of an axis, unless they may be years.
func Numbered(axis object, lo, hi float64) object {
	if Years(lo, hi) {
		return plain(axis)
	}
	return axis
}
