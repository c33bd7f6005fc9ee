package web

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/say"
)

// densityView shows a density above its distribution function with the band, and answers questions about both.
type densityView struct{}

// chart draws each cell as a flat piece. The axes show where nearly all people are: the domain may reach far beyond.
func (densityView) chart(r *task.Release) (object, bool) {
	d := r.Answer.Result.(*task.Density)
	var cells, places []string
	for _, c := range d.Cells {
		cells = append(cells, c.First, c.Last)
	}
	for _, b := range d.Bands {
		places = append(places, b.Value)
	}
	kind := r.Recipe.Domain.Kind
	above, place := valueAxis(kind, "", cells)
	below, at := valueAxis(kind, r.Plan.Column, places)
	if from, to := d.At(say.Language(), r.Recipe.Domain, 0.01), d.At(say.Language(), r.Recipe.Domain, 0.99); from != to {
		_, end := valueAxis(kind, "", []string{from, to})
		for _, axis := range []object{above, below} {
			if lo, hi := end(0), end(1); lo != nil && hi != nil {
				axis["min"], axis["max"] = lo, hi
			}
		}
	}
	above["gridIndex"], below["gridIndex"] = 0, 1
	dense, upTo := axis("value", say.Text("people per value")), axis("value", say.Text("people at or below"))
	dense["min"], upTo["min"] = 0, 0
	dense["nameTextStyle"], upTo["nameTextStyle"] = object{"color": softColour, "align": "left"}, object{"color": softColour, "align": "left"}
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
	series := band(r.Plan.Column, line, low, height)
	for _, s := range series {
		s["xAxisIndex"], s["yAxisIndex"] = 1, 1
		s["showSymbol"] = false
	}
	series = append(series, object{
		"type": "line", "name": say.Text("density"), "data": pieces, "showSymbol": false, "xAxisIndex": 0, "yAxisIndex": 0,
		"lineStyle": object{"color": accentColour, "width": 2}, "itemStyle": object{"color": accentColour}, "areaStyle": object{"color": accentColour, "opacity": 0.18},
	})
	return object{
		"grid": []object{
			{"left": 8, "right": 24, "top": 36, "height": "32%", "containLabel": true},
			{"left": 8, "right": 24, "top": "61%", "bottom": 36, "containLabel": true},
		},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   []object{above, below},
		"yAxis":   []object{dense, upTo},
		"series":  series,
	}, true
}

func (densityView) figures(r *task.Release) (list []figure) {
	d := r.Answer.Result.(*task.Density)
	for _, percent := range []int{10, 25, 50, 75, 90} {
		list = append(list, figure{fmt.Sprintf("%d %%", percent), d.At(say.Language(), r.Recipe.Domain, float64(percent)/100)})
	}
	return append(list, figure{say.Text("Densest"), say.Format("%s to %s", d.Peak().First, d.Peak().Last)})
}

func (densityView) explore(r *task.Release, revision int, browser *browser) app.UI {
	return &DensityAsk{Release: r, Revision: revision, Browser: browser}
}

// DensityAsk answers questions about ranges and percentiles from a release, and makes rows up. All of it costs nothing.
type DensityAsk struct {
	app.Compo

	Release  *task.Release // of a density
	Revision int           // Model.Revision
	Browser  *browser      // saves the file

	changed          func()        // draws it again
	asked            *task.Release // what the answers are about
	between, percent asking
}

// OnMount learns how to be drawn again.
func (a *DensityAsk) OnMount(ctx app.Context) { a.changed = func() { ctx.Update() } }

// Render draws the fields, each with its answer.
func (a *DensityAsk) Render() app.UI {
	between, percent := a.between, a.percent
	if a.asked != a.Release {
		between, percent = asking{}, asking{}
	}
	d, spec := a.Release.Answer.Result.(*task.Density), a.Release.Recipe.Domain
	return app.Section().Class("more no-print").Aria("labelledby", "ask-title").Body(
		app.H3().ID("ask-title").Text(say.Text("Ask it anything")),
		app.P().Class("small soft").Text(say.Text("Every answer is made from the release alone: it costs no privacy, and you may ask as often as you like.")),
		app.Div().Class("fields").Body(
			textField("ask-between", say.Text("How many are from … to …?"), between.text, say.Text("two possible values, such as 18 to 65"), between.fault, func(text string) {
				a.ask(&a.between, text, func() (string, error) { return d.Between(say.Language(), spec, text) })
			}),
			textField("ask-percent", say.Text("Which value has this percentage at or below it?"), percent.text, say.Text("a number from 0 to 100, such as 90"), percent.fault, func(text string) {
				a.ask(&a.percent, text, func() (string, error) { return d.Reaching(say.Language(), spec, text) })
			}),
		),
		app.P().ID("ask-between-answer").Class("answer-line").Role("status").Text(between.answer),
		app.P().ID("ask-percent-answer").Class("answer-line").Role("status").Text(percent.answer),
		&MadeUpRows{Release: a.Release, Revision: a.Revision, Browser: a.Browser},
	)
}

// ask keeps a question and its answer.
func (a *DensityAsk) ask(kept *asking, text string, answer func() (string, error)) {
	defer a.changed()
	if a.asked != a.Release {
		a.asked, a.between, a.percent = a.Release, asking{}, asking{}
	}
	*kept = asking{text: text}
	if text == "" {
		return
	}
	var err error
	if kept.answer, err = answer(); err != nil {
		kept.fault = say.Format("Wanted: %s.", wantOf(err))
	}
}

// compare draws the density of each release as a line.
func (v densityView) compare(chosen []*Past) (object, bool) {
	var series []any
	var o object
	for i, p := range chosen {
		if p.Release.Recipe.Domain.Kind != chosen[0].Release.Recipe.Domain.Kind {
			return nil, false
		}
		drawn, _ := v.chart(p.Release)
		all := drawn["series"].([]object)
		line := all[len(all)-1]
		delete(line, "areaStyle")
		delete(line, "xAxisIndex")
		delete(line, "yAxisIndex")
		line["name"] = p.seriesName()
		line["lineStyle"], line["itemStyle"] = object{"color": comparedColour(i), "width": 2}, object{"color": comparedColour(i)}
		series = append(series, line)
		if i == 0 {
			x, y := drawn["xAxis"].([]object)[0], drawn["yAxis"].([]object)[0]
			delete(x, "gridIndex")
			delete(y, "gridIndex")
			x["name"] = p.Release.Plan.Column
			o = object{"grid": object{"left": 8, "right": 24, "top": 36, "bottom": 36, "containLabel": true}, "tooltip": drawn["tooltip"], "xAxis": x, "yAxis": y}
		}
	}
	o["series"] = series
	return legend(o), true
}
