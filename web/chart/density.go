package chart

import (
	"fmt"

	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
	"hush/web/state/session"
)

// densityView shows a density above its distribution function with the band, and answers questions
// about both.
type densityView struct{}

// picture draws each cell as a flat piece. The axes show where nearly all people are: the domain
// may extend far beyond.
func (densityView) picture(r *task.Release) plot.Picture {
	d := r.Answer.Result.(*task.Density)
	var cells, places []string
	for _, c := range d.Cells {
		cells = append(cells, c.First, c.Last)
	}
	for _, b := range d.Bands {
		places = append(places, b.Value)
	}
	kind := r.Recipe.Domain.Kind
	_, many := nounOf(r)
	above, place := plot.ValueAxis(kind, "", cells)
	below, at := plot.ValueAxis(kind, "", places)
	if from, to := d.At(say.Language(), r.Recipe.Domain, 0.01),
		d.At(say.Language(), r.Recipe.Domain, 0.99); from != to {
		_, end := plot.ValueAxis(kind, "", []string{from, to})
		for _, axis := range []object{above, below} {
			if lo, hi := end(0), end(1); lo != nil && hi != nil {
				axis["min"], axis["max"] = lo, hi
			}
		}
	}
	above["gridIndex"], below["gridIndex"] = 0, 1
	dense, upTo := plot.Axis("value", say.Format("%s per value", many)),
		plot.Axis("value", say.Format("%s at or below", many))
	dense["min"], upTo["min"] = 0, 0
	dense["nameTextStyle"], upTo["nameTextStyle"] = object{"color": plot.Soft, "align": "left"},
		object{"color": plot.Soft, "align": "left"}
	dense["gridIndex"], upTo["gridIndex"] = 0, 1

	var pieces, line, low, height [][]any
	sum := 0.0
	for i, c := range d.Cells {
		pieces = append(pieces, []any{place(2 * i), c.Height}, []any{place(2*i + 1), c.Height})
		sum += c.People
		line = append(line, []any{place(2*i + 1), sum})
	}
	for i, b := range d.Bands {
		low = append(low, []any{at(i), b.Low})
		height = append(height, []any{at(i), b.High - b.Low})
	}
	series := plot.Band(r.Plan.Column, line, low, height)
	for _, s := range series {
		s["xAxisIndex"], s["yAxisIndex"] = 1, 1
		s["showSymbol"] = false
	}
	series = append(series, object{
		"type": "line", "name": say.Text("density"), "data": pieces, "showSymbol": false,
		"xAxisIndex": 0, "yAxisIndex": 0,
		"lineStyle": object{"color": plot.Accent, "width": 2},
		"itemStyle": object{"color": plot.Accent},
		"areaStyle": object{"color": plot.Accent, "opacity": 0.18},
	})
	return plot.Picture{Tall: true, Height: 420, Axis: column(r),
		What: say.Format("How %s are spread over %s, and how many are at or below", many,
			r.Plan.Column),
		Bars: say.Text("The band shows the range that holds in 95 of 100 releases."),
		Plot: object{
			"grid": []object{
				{"left": 8, "right": 24, "top": 28, "height": "34%", "containLabel": true},
				{"left": 8, "right": 24, "top": "56%", "bottom": 8, "containLabel": true},
			},
			"tooltip": object{"trigger": "item", "renderMode": "richText"},
			"xAxis":   []object{above, below},
			"yAxis":   []object{dense, upTo},
			"series":  series,
		}}
}

func (densityView) figures(r *task.Release) (list []Figure) {
	d := r.Answer.Result.(*task.Density)
	for _, percent := range []int{10, 25, 50, 75, 90} {
		list = append(list,
			Figure{fmt.Sprintf("%d %%", percent),
				d.At(say.Language(), r.Recipe.Domain, float64(percent)/100)})
	}
	return append(list,
		Figure{say.Text("Densest"), say.Format("%s to %s", d.Peak().First, d.Peak().Last)})
}

// compare draws the density of each release as a line.
func (v densityView) compare(chosen []*session.Past) (object, bool) {
	var series []any
	var o object
	for i, p := range chosen {
		if p.Release.Recipe.Domain.Kind != chosen[0].Release.Recipe.Domain.Kind {
			return nil, false
		}
		drawn := v.picture(p.Release).Plot
		all := drawn["series"].([]object)
		line := all[len(all)-1]
		delete(line, "areaStyle")
		delete(line, "xAxisIndex")
		delete(line, "yAxisIndex")
		line["name"] = p.SeriesName()
		line["lineStyle"], line["itemStyle"] = object{"color": comparedColour(i), "width": 2},
			object{"color": comparedColour(i)}
		series = append(series, line)
		if i == 0 {
			x, y := drawn["xAxis"].([]object)[0], drawn["yAxis"].([]object)[0]
			delete(x, "gridIndex")
			delete(y, "gridIndex")
			x["name"] = p.Release.Plan.Column
			o = object{"grid": object{"left": 8, "right": 24, "top": 36, "bottom": 36,
				"containLabel": true}, "tooltip": drawn["tooltip"], "xAxis": x, "yAxis": y}
		}
	}
	o["series"] = series
	return aside(o), true
}
