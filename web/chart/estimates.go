package chart

import (
	"encoding/json"
	"fmt"
	"strconv"

	"hush/core/task"
	"hush/web/say"
	"hush/web/state"
)

// estimatesView shows numbers with their intervals.
type estimatesView struct{}

// chart draws one number as a point with its interval, and those of groups as bars with error bars.
func (estimatesView) chart(r *task.Release) (o object, tall bool) {
	e := r.Answer.Result.(*task.Estimates)
	name := say.Text(e.Name)
	if e.Rows[0].Group == "" {
		one := e.Rows[0]
		x, y := figureAxis(name), axis("category", "")
		y["data"], y["axisLabel"], y["axisTick"] = []string{""}, object{"show": false},
			object{"show": false}
		return object{
			"grid":    object{"left": 24, "right": 24, "top": 40, "bottom": 44},
			"tooltip": object{"trigger": "item", "renderMode": "richText"},
			"xAxis":   x,
			"yAxis":   y,
			"series": []object{
				{"type": "custom", "name": say.Text("95 % range"),
					"renderItem": "errorBarHorizontal",
					"data": [][]json.Number{
						{"0", json.Number(one.Low), json.Number(one.High)}},
					"encode":    object{"x": []int{1, 2}, "y": 0},
					"itemStyle": object{"color": inkColour}},
				{"type": "scatter", "name": name, "symbolSize": 14,
					"data":      [][]json.Number{{json.Number(one.Value), "0"}},
					"itemStyle": object{"color": accentColour},
					"label":     valueLabel(one.Value)},
			},
		}, false
	}
	names := make([]string, len(e.Rows))
	values := make([]json.Number, len(e.Rows))
	ranges := make([][]json.Number, len(e.Rows))
	for i, row := range e.Rows {
		names[i], values[i] = e.GroupName(say.Language(), i), json.Number(row.Value)
		ranges[i] = []json.Number{json.Number(strconv.Itoa(i)), json.Number(row.Low),
			json.Number(row.High)}
	}
	o = barChart("", name, names, values, ranges)
	plain(o["yAxis"].(object))
	return o, true
}

func (estimatesView) figures(r *task.Release) (list []figure) {
	estimates := r.Answer.Result.(*task.Estimates)
	for i, e := range estimates.Rows {
		name := estimates.GroupName(say.Language(), i)
		if name == "" {
			name = task.Capital(say.Text(estimates.Name))
		}
		list = append(list, figure{name, say.Format("%s (%s to %s)", e.Value, e.Low, e.High)})
	}
	return list
}

// compare sets bars side by side, or single numbers one below the other.
func (estimatesView) compare(chosen []*state.Past) (o object, tall bool) {
	if !sameFigures(chosen) {
		return nil, false
	}
	if chosen[0].Release.Answer.Result.(*task.Estimates).Rows[0].Group != "" {
		return comparedBars(chosen), true
	}
	return comparedIntervals(chosen), false
}

// comparedIntervals draws one number of each release as a point with its interval, one below the
// other.
func comparedIntervals(chosen []*state.Past) object {
	name := say.Text(chosen[0].Release.Answer.Result.(*task.Estimates).Name)
	x, y := figureAxis(name), axis("category", "")
	names := make([]string, len(chosen))
	ranges := make([][]json.Number, len(chosen))
	points := make([][]json.Number, len(chosen))
	for i, p := range chosen {
		one, place := p.Release.Answer.Result.(*task.Estimates).Rows[0], json.Number(fmt.Sprint(i))
		names[i] = p.SeriesName()
		ranges[i] = []json.Number{place, json.Number(one.Low), json.Number(one.High)}
		points[i] = []json.Number{json.Number(one.Value), place}
	}
	y["data"], y["inverse"] = names, true
	return object{
		"grid":    object{"left": 8, "right": 24, "top": 16, "bottom": 36, "containLabel": true},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x,
		"yAxis":   y,
		"series": []object{
			{"type": "custom", "name": say.Text("95 % range"), "renderItem": "errorBarHorizontal",
				"data":      ranges,
				"encode":    object{"x": []int{1, 2}, "y": 0},
				"itemStyle": object{"color": inkColour}},
			{"type": "scatter", "name": name, "symbolSize": 12, "data": points,
				"itemStyle": object{"color": accentColour}},
		},
	}
}
