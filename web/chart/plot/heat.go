package plot

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"hush/web/say"
)

const (
	MostInHeatMap = 40 // rows of a heat map that can still be read
	Longest       = 60 // letters in the name of a row
)

// wide reports whether a name is too long for the place below a column.
func wide(name string) bool { return utf8.RuneCountInString(name) > LongName }

// HeatCell is the number at column x and row y.
type HeatCell struct {
	X, Y    int
	Count   float64
	Hatched bool // too small to distinguish from nothing
}

// HeatMap colours the cells of a table of columns by rows. Long names are written at the rows only,
// with a number by which the columns are found; if the columns have other names, these are written
// upright.
func HeatMap(columns, names []string, what string, cells []HeatCell) Picture {
	top := 1.0
	for _, c := range cells {
		top = max(top, c.Count)
	}
	data := make([]object, len(cells))
	hatched := [][2]int{}
	for i, c := range cells {
		if c.Hatched {
			hatched = append(hatched, [2]int{c.X, c.Y})
		}
		data[i] = object{"value": [3]float64{float64(c.X), float64(c.Y), c.Count}}
		label := object{"formatter": Number(c.Count)}
		data[i]["label"] = label
		if c.Count > top/2 { // the cell is dark in the light theme, and light in the dark one
			label["color"] = onHigh
		}
	}
	x, y := Axis("category", ""), Axis("category", "")
	x["data"], y["data"] = columns, names
	x["axisLabel"] = object{"color": Soft, "interval": 0}
	if slices.ContainsFunc(columns, wide) || len(columns) > ManyBars {
		x["axisLabel"] = object{"color": Soft, "rotate": 60, "interval": 0}
	}
	var rows []string
	if slices.ContainsFunc(names, wide) {
		rows = make([]string, len(names))
		for i, name := range names {
			rows[i] = Shortened(name, Longest)
		}
		if slices.Equal(columns, names) {
			numbers := make([]string, len(names))
			for i := range names {
				numbers[i] = strconv.Itoa(i + 1)
				rows[i] += " · " + numbers[i]
			}
			x["data"], x["axisLabel"] = numbers, object{"color": Soft}
		}
		y["data"] = rows
	}
	y["axisLabel"] = object{"color": Soft, "interval": 0}
	return Picture{Tall: true, Height: max(340, 26*len(names)+120), Rows: rows,
		Hatched: len(hatched) > 0,
		Plot: object{
			"grid":    object{"left": 8, "right": 16, "top": 48, "bottom": 8, "containLabel": true},
			"tooltip": object{"trigger": "item", "renderMode": "richText"},
			"visualMap": object{"type": "continuous", "min": 0, "max": top, "orient": "horizontal",
				"left": "center", "top": 0, "text": []string{what, "0"},
				"textStyle": object{"color": Soft},
				"inRange":   object{"color": []string{Card, heatMiddle, Accent}}},
			"xAxis": x,
			"yAxis": y,
			"series": []object{
				{"type": "heatmap", "name": what, "data": data,
					"itemStyle": object{"borderColor": Line, "borderWidth": 1},
					"label":     object{"show": len(columns) <= 12, "color": onLow}},
				{"type": "custom", "name": say.Text("too few to tell"), "renderItem": "cell",
					"data": hatched, "encode": object{"x": 0, "y": 1}, "hatchColor": Hatch,
					"silent": true, "tooltip": object{"show": false}, "z": 3}},
		}}
}

// TableMap is a heat map whose first row is at the top; title names the axis of the rows.
func TableMap(columns, rows []string, many, title, axis string, cells []HeatCell) Picture {
	p := HeatMap(columns, rows, many, cells)
	y := p.Plot["yAxis"].(object)
	y["inverse"] = true
	if title != "" {
		y["name"], y["nameLocation"] = Shortened(title, Longest), "start"
		y["nameTextStyle"] = object{"color": Soft, "align": "left"}
		p.Plot["grid"].(object)["top"] = 72
	}
	p.Axis = axis
	return p
}
