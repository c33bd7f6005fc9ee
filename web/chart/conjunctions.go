package chart

import (
	"math"
	"slices"
	"strconv"

	"hush/core/task"
	"hush/web/say"
)

// conjunctionsView shows how many people have any two attributes, and answers questions about more.
type conjunctionsView struct{}

const (
	mostInHeatMap = 40 // rows of a heat map that can still be read
	longest       = 60 // letters of a name at a row
)

// picture is a heat map of all pairs, with single attributes on the diagonal; bars where attributes
// are not asked for together.
func (conjunctionsView) picture(r *task.Release) picture {
	c := r.Answer.Result.(*task.Conjunctions)
	n := min(len(c.Attributes), mostInHeatMap)
	names := make([]string, n)
	_, many := nounOf(r)
	for x := range names {
		names[x] = c.Attributes[x].Name
	}
	if c.Width == 1 {
		var list []bar
		for x := range n {
			if found, err := c.Ask([]int{x}, false); err == nil {
				list = append(list, foundBar(r, x, names[x], found))
			}
		}
		return counts(r, list, many)
	}
	var cells []heatCell
	for x := range n {
		for y := range x + 1 {
			if found, err := c.Ask([]int{x, y}, false); err == nil {
				cells = append(cells, heatCell{x, y, math.Round(found.People),
					math.Round(found.People) < 2*found.Error})
			}
		}
	}
	return heatMap(names, names, say.Format("%s with both", many), cells)
}

// foundBar is the bar of a count that was found, with its error.
func foundBar(r *task.Release, i int, name string, found task.Found) bar {
	count, off := math.Round(found.People), math.Ceil(found.Error)
	b := bar{name: name, value: max(count, 0), low: max(count-off, 0), high: max(count+off, 0),
		hatched: noisy(r, i, count, off)}
	b.says = said(name, Number(b.value), Number(b.low), Number(b.high))
	return b
}

// counts draws bars of what was counted, below one another.
func counts(r *task.Release, list []bar, of string) picture {
	p := lyingBars(of, list, 0, math.Inf(1))
	p.axis, p.bars = of, errorBars()
	for _, b := range list {
		p.hatched = p.hatched || b.hatched
	}
	return p
}

// heatCell is how many there are at column x and row y.
type heatCell struct {
	x, y    int
	count   float64
	hatched bool // too few to tell
}

// heatMap colours the cells of a table of columns by rows. Names that are long stand at the rows
// only, with a number by which the columns are found; where those are others, they stand upright.
func heatMap(columns, names []string, what string, cells []heatCell) picture {
	top := 1.0
	for _, c := range cells {
		top = max(top, c.count)
	}
	data := make([]object, len(cells))
	hatched := [][2]int{}
	for i, c := range cells {
		if c.hatched {
			hatched = append(hatched, [2]int{c.x, c.y})
		}
		data[i] = object{"value": [3]float64{float64(c.x), float64(c.y), c.count}}
		label := object{"formatter": Number(c.count)}
		data[i]["label"] = label
		if c.count > top/2 { // the cell is dark by day, and light by night
			label["color"] = cardColour
		}
	}
	x, y := axis("category", ""), axis("category", "")
	x["data"], y["data"] = columns, names
	x["axisLabel"] = object{"color": softColour, "interval": 0}
	if slices.ContainsFunc(columns, wide) || len(columns) > manyBars {
		x["axisLabel"] = object{"color": softColour, "rotate": 60, "interval": 0}
	}
	var rows []string
	if slices.ContainsFunc(names, wide) {
		rows = make([]string, len(names))
		for i, name := range names {
			rows[i] = shortened(name, longest)
		}
		if slices.Equal(columns, names) {
			numbers := make([]string, len(names))
			for i := range names {
				numbers[i] = strconv.Itoa(i + 1)
				rows[i] += " · " + numbers[i]
			}
			x["data"], x["axisLabel"] = numbers, object{"color": softColour}
		}
		y["data"] = rows
	}
	y["axisLabel"] = object{"color": softColour, "interval": 0}
	return picture{tall: true, height: max(340, 26*len(names)+120), rows: rows,
		hatched: len(hatched) > 0,
		plot: object{
			"grid":    object{"left": 8, "right": 16, "top": 48, "bottom": 8, "containLabel": true},
			"tooltip": object{"trigger": "item", "renderMode": "richText"},
			"visualMap": object{"type": "continuous", "min": 0, "max": top, "orient": "horizontal",
				"left": "center", "top": 0, "text": []string{what, "0"},
				"textStyle": object{"color": softColour},
				"inRange":   object{"color": []string{cardColour, accentColour}}},
			"xAxis": x,
			"yAxis": y,
			"series": []object{
				{"type": "heatmap", "name": what, "data": data,
					"itemStyle": object{"borderColor": lineColour, "borderWidth": 1},
					"label":     object{"show": len(columns) <= 12, "color": inkColour}},
				{"type": "custom", "name": say.Text("too few to tell"), "renderItem": "cell",
					"data": hatched, "encode": object{"x": 0, "y": 1}, "hatchColor": hatchColour,
					"silent": true, "tooltip": object{"show": false}, "z": 3}},
		}}
}

func (conjunctionsView) figures(r *task.Release) (list []figure) {
	c := r.Answer.Result.(*task.Conjunctions)
	for x, a := range c.Attributes[:min(len(c.Attributes), 20)] {
		if found, err := c.Ask([]int{x}, false); err == nil {
			list = append(list,
				figure{
					a.Name, say.Format("%s (± %.0f)",
						howMany(r, int64(math.Round(found.People))), math.Ceil(found.Error))})
		}
	}
	return list
}
