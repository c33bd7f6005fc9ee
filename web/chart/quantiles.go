package chart

import (
	"strconv"
	"strings"

	"hush/core/domain"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
	"hush/web/state/session"
)

// quantilesView shows values over the parts of the people below them.
type quantilesView struct{}

// picture draws the values as a rising line over the parts of the people below them, each with the
// error of its part, or with its interval in the column's unit.
func (quantilesView) picture(r *task.Release) plot.Picture {
	rows := r.Answer.Result.(*task.Quantiles).Rows
	_, many := nounOf(r)
	var values []string
	for _, row := range rows {
		values = append(values, row.Value)
	}
	kind := r.Recipe.Domain.Kind
	inUnit := rows[0].Span != nil && kind != domain.Text && kind != domain.Bytes
	if inUnit {
		for _, row := range rows {
			values = append(values, row.Span.Low, row.Span.High)
		}
	}
	x, place := plot.ValueAxis(kind, "", values)
	delete(x, "name")
	y := plot.ValueOnly("value")
	y["min"], y["max"] = 0, 100
	points := make([]object, len(rows))
	var ranges [][]any
	bar, encode, dot := "errorBar", object{"x": 0, "y": []int{1, 2}}, 10
	if inUnit {
		bar, encode = "errorBarHorizontal", object{"x": []int{1, 2}, "y": 0}
		dot = 5 // a narrow bar is seen beside it
	}
	for i, row := range rows {
		at, err := strconv.ParseFloat(strings.TrimSuffix(row.Part, " %"), 64)
		if err != nil {
			continue
		}
		value := beyond(r, row.Value, plot.Written(row.Value))
		low, high := "", ""
		if inUnit {
			low, high = plot.Written(row.Span.Low), plot.Written(row.Span.High)
			first := len(rows) + 2*i
			ranges = append(ranges, []any{at, place(first), place(first + 1)})
		}
		points[i] = object{"value": []any{place(i), at}, "says": plot.Said(
			say.Format("%s of the %s", row.Part, many), value, low, high)}
		if inUnit {
			continue
		}
		if n := float64(r.Plan.People); n > 0 && place(i) != nil {
			off := 100 * float64(row.RankError) / n
			ranges = append(ranges, []any{place(i), max(at-off, 0), min(at+off, 100)})
		}
	}
	return plot.Picture{Tall: true, Axis: column(r), Unit: say.Format("%% of the %s below", many),
		What: say.Format("Quantiles of %s", r.Plan.Column), Bars: plot.ErrorBars(),
		Plot: object{
			"grid":    object{"left": 8, "right": 32, "top": 8, "bottom": 8, "containLabel": true},
			"tooltip": object{"trigger": "item", "renderMode": "richText"},
			"xAxis":   x,
			"yAxis":   y,
			"series": []object{
				{"type": "line", "name": r.Plan.Column, "data": points, "symbolSize": dot,
					"lineStyle": object{"color": plot.Accent, "width": 2},
					"itemStyle": object{"color": plot.Accent}},
				{"type": "custom", "name": say.Text("95 % range"), "renderItem": bar,
					"data": ranges, "encode": encode, "z": 3,
					"itemStyle": object{"color": plot.Ink}, "silent": true},
			},
		}}
}

func (quantilesView) figures(r *task.Release) (list []Figure) {
	for _, q := range r.Answer.Result.(*task.Quantiles).Rows {
		if text, is := spanned(r, q.Value, q.Span); is {
			list = append(list, Figure{q.Part, text})
			continue
		}
		list = append(list,
			Figure{
				q.Part, say.Format("%s (± %s)", beyond(r, q.Value, q.Value),
					howMany(r, q.RankError))})
	}
	return list
}

// compare draws the quantiles of each release as a line.
func (v quantilesView) compare(chosen []*session.Past) (object, bool) {
	for _, p := range chosen {
		if kind := p.Release.Recipe.Domain.Kind; kind != chosen[0].Release.Recipe.Domain.Kind ||
			kind == domain.Text || kind == domain.Bytes {
			return nil, false // texts have positions of their own in each
		}
	}
	var series []any
	var o object
	for i, p := range chosen {
		o = v.picture(p.Release).Plot
		line := o["series"].([]object)[0]
		line["name"] = p.SeriesName()
		line["lineStyle"], line["itemStyle"] = object{"color": comparedColour(i), "width": 2},
			object{"color": comparedColour(i)}
		series = append(series, line)
	}
	o["series"] = series
	_, many := nounOf(chosen[0].Release)
	named(o["xAxis"].(object), chosen[0].Release.Plan.Column)
	o["yAxis"].(object)["name"] = say.Format("%% of the %s below", many)
	return aside(o), true
}
