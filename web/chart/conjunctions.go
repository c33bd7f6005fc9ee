package chart

import (
	"math"

	"hush/core/task"
	"hush/web/say"
)

// conjunctionsView shows how many people have any two attributes, and answers questions about more.
type conjunctionsView struct{}

const mostInHeatMap = 40 // rows of a heat map that can still be read

// chart is a heat map of all pairs, with single attributes on the diagonal; bars where attributes
// are not asked for together.
func (conjunctionsView) chart(r *task.Release) (object, bool) {
	c := r.Answer.Result.(*task.Conjunctions)
	n := min(len(c.Attributes), mostInHeatMap)
	names := make([]string, n)
	for x := range names {
		names[x] = c.Attributes[x].Name
	}
	if c.Width == 1 {
		values, ranges := make([]float64, n), make([][3]float64, n)
		for x := range n {
			found, err := c.Ask([]int{x}, false)
			if err != nil {
				continue
			}
			values[x] = math.Round(found.People)
			ranges[x] = [3]float64{float64(x), max(values[x]-math.Ceil(found.Error), 0),
				values[x] + math.Ceil(found.Error)}
		}
		return barChart("", say.Text("people"), names, values, ranges), true
	}
	var cells []heatCell
	for x := range n {
		for y := range x + 1 {
			if found, err := c.Ask([]int{x, y}, false); err == nil {
				cells = append(cells, heatCell{x, y, math.Round(found.People)})
			}
		}
	}
	return heatMap(names, say.Text("people with both"), cells), true
}

// heatCell is how many there are at column x and row y.
type heatCell struct {
	x, y  int
	count float64
}

// heatMap colours the cells of a table of names by names.
func heatMap(names []string, what string, cells []heatCell) object {
	top := 1.0
	for _, c := range cells {
		top = max(top, c.count)
	}
	data := make([]object, len(cells))
	for i, c := range cells {
		data[i] = object{"value": [3]float64{float64(c.x), float64(c.y), c.count}}
		if c.count > top/2 { // the cell is dark by day, and light by night
			data[i]["label"] = object{"color": cardColour}
		}
	}
	x, y := axis("category", ""), axis("category", "")
	x["data"], y["data"] = names, names
	x["axisLabel"] = object{"color": softColour, "rotate": 60, "width": 110, "overflow": "truncate"}
	y["axisLabel"] = object{"color": softColour, "width": 110, "overflow": "truncate"}
	return object{
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
				"label":     object{"show": len(names) <= 12, "color": inkColour}}},
	}
}

func (conjunctionsView) figures(r *task.Release) (list []figure) {
	c := r.Answer.Result.(*task.Conjunctions)
	for x, a := range c.Attributes[:min(len(c.Attributes), 20)] {
		if found, err := c.Ask([]int{x}, false); err == nil {
			list = append(list,
				figure{
					a.Name, say.Format("%.0f people (± %.0f)", found.People,
						math.Ceil(found.Error))})
		}
	}
	return list
}
