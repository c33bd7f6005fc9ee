package chart

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"hush/core/task"
	"hush/web/say"
	"hush/web/state/session"
)

// estimatesView shows numbers with their intervals.
type estimatesView struct{}

// picture draws one number with its interval on the scale of what it can be, and those of groups as
// bars, or as points where 0 is not on their scale.
func (estimatesView) picture(r *task.Release) (p picture) {
	e := r.Answer.Result.(*task.Estimates)
	name, unit := e.Title(say.Language()), r.Recipe.Unit
	_, many := nounOf(r)
	lo, hi, scaled := task.ScaleOf(r.Recipe, r.Plan.People)
	counts := e.Counts()
	if counts {
		name, unit = say.Format("number of %s", many), many
	}
	what := say.Format("%s of %s", task.Capital(e.Title(say.Language())), r.Plan.Column)
	if counts {
		what = say.Format("Number of %s by %s", many, r.Plan.Column)
	}
	text := func(t string) string {
		if counts {
			t, _, _ = strings.Cut(t, ".")
		}
		return written(t)
	}
	if e.Rows[0].Group == "" {
		one := e.Rows[0]
		at, low, high, ok := numbersOf(one)
		label := text(one.Value)
		if scaled && counts {
			label = written(strconv.FormatFloat(within(at, lo, hi), 'f', 0, 64))
		}
		if unit != "" {
			label += " " + unit
		}
		if scaled {
			at, low, high = within(at, lo, hi), within(low, lo, hi), within(high, lo, hi)
		}
		p = alone(point{name: name, label: label, at: at, low: low, high: high, known: ok,
			ranged: ok, lo: lo, hi: hi, scaled: scaled,
			says: said(name, label, text(one.Low), text(one.High))})
		p.axis, p.bars, p.what = withUnit(name, unit), errorBars(), what
		if counts {
			p.axis = name
		}
		return p
	}
	var list []bar
	for i, row := range e.Rows {
		at, low, high, ok := numbersOf(row)
		if !ok {
			continue
		}
		group := e.GroupName(say.Language(), i)
		b := bar{name: group, value: at, low: low, high: high,
			hatched: r.Verdict != nil && noisy(r, i, at, 0),
			says:    said(group, text(row.Value), text(row.Low), text(row.High))}
		p.hatched = p.hatched || b.hatched
		list = append(list, b)
	}
	hatched := p.hatched
	switch {
	case !scaled:
		p = lyingBars(name, list, math.Inf(-1), math.Inf(1))
	case lo > 0 || hi < 0:
		p = dots(name, list, lo, hi)
	default:
		p = lyingBars(name, list, lo, hi)
	}
	p.hatched, p.axis, p.bars = hatched, withUnit(name, unit), errorBars()
	if counts {
		p.axis = name
	}
	p.what = say.Format("%s, by group", what)
	if group := r.Recipe.Group; group != nil && group.Label != "" {
		p.what = say.Format("%s, by %s", what, group.Label)
	}
	return p
}

// numbersOf are an estimate's, as numbers to draw.
func numbersOf(e task.Estimate) (at, low, high float64, ok bool) {
	at, err1 := strconv.ParseFloat(e.Value, 64)
	low, err2 := strconv.ParseFloat(e.Low, 64)
	high, err3 := strconv.ParseFloat(e.High, 64)
	return at, low, high, err1 == nil && err2 == nil && err3 == nil
}

// dots draws a point with its interval for each name, where a bar would need a 0 that is not on the
// scale.
func dots(name string, list []bar, lo, hi float64) picture {
	p := lyingBars(name, list, lo, hi)
	x, y := p.plot["xAxis"].(object), p.plot["yAxis"].(object)
	x["min"], x["max"] = lo, hi
	numbered(x, lo, hi)
	series := p.plot["series"].([]object)
	points := make([]object, len(list))
	for i, b := range list {
		points[i] = object{"value": []any{within(b.value, lo, hi), i}, "says": b.says,
			"symbol": []string{"circle", "emptyCircle"}[flag(b.hatched)]}
	}
	series[0] = object{"type": "scatter", "name": name, "symbolSize": 12, "data": points, "z": 4,
		"itemStyle": object{"color": accentColour}}
	y["splitLine"] = object{"show": true, "lineStyle": object{"color": lineColour}}
	return p
}

func (estimatesView) figures(r *task.Release) (list []figure) {
	estimates := r.Answer.Result.(*task.Estimates)
	for i, e := range estimates.Rows {
		name := estimates.GroupName(say.Language(), i)
		if name == "" {
			name = task.Capital(estimates.Title(say.Language()))
		}
		list = append(list, figure{name, say.Format("%s (%s to %s)", e.Value, e.Low, e.High)})
	}
	return list
}

// compare sets bars side by side, or single numbers one below the other.
func (estimatesView) compare(chosen []*session.Past) (o object, tall bool) {
	if !sameFigures(chosen) {
		return nil, false
	}
	if chosen[0].Release.Answer.Result.(*task.Estimates).Rows[0].Group != "" {
		var names []string
		values := make([][]any, len(chosen))
		for i, p := range chosen {
			names = nil
			e := p.Release.Answer.Result.(*task.Estimates)
			for k, row := range e.Rows {
				names = append(names, e.GroupName(say.Language(), k))
				values[i] = append(values[i], json.Number(row.Value))
			}
		}
		title := chosen[0].Release.Answer.Result.(*task.Estimates).Title(say.Language())
		return comparedBars(chosen, "", title, names, values), true
	}
	return comparedIntervals(chosen), false
}

// comparedIntervals draws one number of each release as a point with its interval, one below the
// other.
func comparedIntervals(chosen []*session.Past) object {
	name := chosen[0].Release.Answer.Result.(*task.Estimates).Title(say.Language())
	x, y := axis("value", name), axis("category", "")
	x["scale"], x["nameLocation"], x["nameGap"] = true, "middle", 28
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
