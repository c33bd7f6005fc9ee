package chart

import (
	"encoding/json"
	"strings"

	"hush/core/domain"
	"hush/core/message"
	"hush/core/task"
	"hush/web/say"
	"hush/web/state"
)

// quantilesView shows values over the parts of the people below them.
type quantilesView struct{}

// chart draws the values as a rising line over the parts of the people below them.
func (quantilesView) chart(r *task.Release) (object, bool) {
	rows := r.Answer.Result.(*task.Quantiles).Rows
	values := make([]string, len(rows))
	for i, row := range rows {
		values[i] = row.Value
	}
	x, place := valueAxis(r.Recipe.Domain.Kind, r.Plan.Column, values)
	y := upward(say.Text("% of the people below"))
	y["min"], y["max"] = 0, 100
	points := make([][]any, len(rows))
	for i, row := range rows {
		points[i] = []any{place(i), json.Number(strings.TrimSuffix(row.Part, " %"))}
	}
	return object{
		"grid":    object{"left": 8, "right": 24, "top": 56, "bottom": 36, "containLabel": true},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x,
		"yAxis":   y,
		"series": []object{
			{"type": "line", "name": r.Plan.Column, "data": points, "symbolSize": 10,
				"lineStyle": object{"color": accentColour, "width": 2},
				"itemStyle": object{"color": accentColour}}},
	}, true
}

func (quantilesView) figures(r *task.Release) (list []figure) {
	for _, q := range r.Answer.Result.(*task.Quantiles).Rows {
		list = append(list,
			figure{
				q.Part, say.Format("%s (± %s people)", q.Value, message.Grouped(q.RankError))})
	}
	return list
}

// compare draws the quantiles of each release as a line.
func (v quantilesView) compare(chosen []*state.Past) (object, bool) {
	for _, p := range chosen {
		if kind := p.Release.Recipe.Domain.Kind; kind != chosen[0].Release.Recipe.Domain.Kind ||
			kind == domain.Text || kind == domain.Bytes {
			return nil, false // texts have places of their own in each
		}
	}
	var series []any
	var o object
	for i, p := range chosen {
		o, _ = v.chart(p.Release)
		line := o["series"].([]object)[0]
		line["name"] = p.SeriesName()
		line["lineStyle"], line["itemStyle"] = object{"color": comparedColour(i), "width": 2},
			object{"color": comparedColour(i)}
		series = append(series, line)
	}
	o["series"] = series
	return legend(o), true
}
