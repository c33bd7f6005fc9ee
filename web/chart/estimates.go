package chart

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
	"hush/web/state/session"
)

// mostNamed is the number of values that a title names.
const mostNamed = 4

// estimatesView shows numbers with their intervals.
type estimatesView struct{}

// picture draws one number with its interval on the scale of its possible values, and the numbers
// of groups as bars, or as points if their scale does not include 0.
func (estimatesView) picture(r *task.Release) (p plot.Picture) {
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
	named := r.Recipe.Domain.Categories
	if len(named) > 0 && len(named) <= mostNamed && (counts || e.Of == ask.OfShare) {
		who := say.Format("%s who are %s (%s)", many, ask.OneOf(say.Language(), named),
			r.Plan.Column)
		if what = say.Format("Share of %s", who); counts {
			what = say.Format("Number of %s", who)
		}
	} else if values := valuesOf(r); values != "" && (counts || e.Of == ask.OfShare) {
		who := say.Format("%s with %s", many, values)
		if what = say.Format("Share of %s", who); counts {
			what = say.Format("Number of %s", who)
		}
	}
	part := 1.0
	if e.Of == ask.OfShare { // in percent, as in sentences
		unit, part, lo, hi = "%", 100, 100*lo, 100*hi
	}
	text := func(t string) string {
		if counts {
			t, _, _ = strings.Cut(t, ".")
		} else if part != 1 {
			t = percent(t)
		}
		return plot.Written(t)
	}
	if e.Rows[0].Group == "" {
		one := e.Rows[0]
		at, low, high, ok := numbersOf(one, part)
		label := text(one.Shown())
		if scaled && counts {
			label = plot.Written(strconv.FormatFloat(plot.Within(at, lo, hi), 'f', 0, 64))
		}
		if unit != "" {
			label += " " + unit
		}
		if scaled {
			at, low = plot.Within(at, lo, hi), plot.Within(low, lo, hi)
			high = plot.Within(high, lo, hi)
			lo, hi = plot.Near(lo, hi, low, high)
		}
		p = plot.Alone(plot.Point{Name: name, Label: label, At: at, Low: low, High: high, Known: ok,
			Ranged: ok, Lo: lo, Hi: hi, Scaled: scaled,
			Says: plot.Said(name, label, text(one.Low), text(one.High))})
		p.Axis, p.Bars, p.What = plot.WithUnit(name, unit), plot.ErrorBars(), what
		if counts {
			p.Axis = name
		}
		return p
	}
	var list []plot.Bar
	for i, row := range e.Rows {
		at, low, high, ok := numbersOf(row, part)
		if !ok {
			continue
		}
		group := e.GroupName(say.Language(), i)
		b := plot.Bar{Name: group, Value: at, Low: low, High: high,
			Hatched: r.Verdict != nil && noisy(r, i, at/part, 0),
			Says:    plot.Said(group, text(row.Shown()), text(row.Low), text(row.High))}
		p.Hatched = p.Hatched || b.Hatched
		list = append(list, b)
	}
	hatched := p.Hatched
	switch {
	case !scaled:
		p = plot.LyingBars(name, list, math.Inf(-1), math.Inf(1))
	case lo > 0 || hi < 0:
		p = plot.Dots(name, list, lo, hi)
	default:
		p = plot.LyingBars(name, list, lo, hi)
	}
	p.Hatched, p.Axis, p.Bars = hatched, plot.WithUnit(name, unit), plot.ErrorBars()
	if counts {
		p.Axis = name
	}
	if p.What = say.Format("%s, by group", what); e.Directions() {
		p.What = say.Format("%s, by direction", what)
	}
	if group := r.Recipe.Group; group != nil && group.Label != "" {
		p.What = say.Format("%s, by %s", what, group.Label)
	}
	return p
}

// valuesOf words the values that count, if they are between bounds: "age from 0 to 9 years".
func valuesOf(r *task.Release) string {
	q, _, err := ask.Prepare(task.All{}, r.Recipe, r.Plan.People)
	if err != nil || !q.Bounded() {
		return ""
	}
	q.Say = say.Language()
	return q.Values()
}

// numbersOf returns an estimate's numbers for drawing, in units of which one has that many.
func numbersOf(e task.Estimate, units float64) (at, low, high float64, ok bool) {
	at, err1 := strconv.ParseFloat(e.Shown(), 64)
	low, err2 := strconv.ParseFloat(e.Low, 64)
	high, err3 := strconv.ParseFloat(e.High, 64)
	return units * at, units * low, units * high, err1 == nil && err2 == nil && err3 == nil
}

// percent writes a part of all, given as text, in percent; other text stays.
func percent(text string) string {
	if len(text) > 400 || !ask.IsNumber(text) {
		return text // it comes from a file
	}
	x, _ := new(big.Rat).SetString(text)
	_, behind, _ := strings.Cut(text, ".")
	return x.Mul(x, big.NewRat(100, 1)).FloatString(max(len(behind)-2, 0))
}

func (estimatesView) figures(r *task.Release) (list []Figure) {
	estimates := r.Answer.Result.(*task.Estimates)
	for i, e := range estimates.Rows {
		name := estimates.GroupName(say.Language(), i)
		if name == "" {
			name = task.Capital(estimates.Title(say.Language()))
		}
		list = append(list, Figure{name, say.Format("%s (%s to %s)", e.Shown(), e.Low, e.High)})
	}
	return list
}

// compare draws bars side by side, or single numbers one below another.
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
				values[i] = append(values[i], json.Number(row.Shown()))
			}
		}
		title := chosen[0].Release.Answer.Result.(*task.Estimates).Title(say.Language())
		return comparedBars(chosen, "", title, names, values), true
	}
	return comparedIntervals(chosen), false
}

// comparedIntervals draws one number of each release as a point with its interval, one below
// another.
func comparedIntervals(chosen []*session.Past) object {
	name := chosen[0].Release.Answer.Result.(*task.Estimates).Title(say.Language())
	x, y := plot.Axis("value", name), plot.Axis("category", "")
	x["scale"], x["nameLocation"], x["nameGap"] = true, "middle", 28
	names := make([]string, len(chosen))
	ranges := make([][]json.Number, len(chosen))
	points := make([][]json.Number, len(chosen))
	for i, p := range chosen {
		one, place := p.Release.Answer.Result.(*task.Estimates).Rows[0], json.Number(fmt.Sprint(i))
		names[i] = p.SeriesName()
		ranges[i] = []json.Number{place, json.Number(one.Low), json.Number(one.High)}
		points[i] = []json.Number{json.Number(one.Shown()), place}
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
				"itemStyle": object{"color": plot.Ink}},
			{"type": "scatter", "name": name, "symbolSize": 12, "data": points,
				"itemStyle": object{"color": plot.Accent}},
		},
	}
}
