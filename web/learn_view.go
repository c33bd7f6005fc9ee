package web

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/motion"
	"hush/core/phrase"
	"hush/core/task"
	"hush/web/say"
)

// LearnPage teaches: a question asked again and again of made-up data, beside what the data say.
type LearnPage struct {
	app.Compo

	Model    *Model   // read and changed
	Revision int      // Model.Revision
	Browser  *browser // for the charts
}

// Render draws the list of questions, or the lesson that is chosen.
func (p *LearnPage) Render() app.UI {
	l := &p.Model.Learn
	switch {
	case l.Task == nil && l.Own != nil:
		return p.choice()
	case l.Task == nil:
		return p.index()
	}
	t := l.Task
	about, warning := say.Text("Your file, as it was opened."), say.Text(notPrivate)
	var embed, dialog app.UI // of made-up people only
	if l.Own == nil {
		embed = embedButton("embed-lesson", func() *browser { return p.Browser })
		dialog = &EmbedDialog{ID: "embed-lesson", Demo: p.Model.demoOfLesson(), Words: demoWords(t, l.Taught), Browser: p.Browser}
		about, warning = say.Text(l.Set().About), say.Text("This is a lesson, not a release: the people are made up, the coins are seeded, and what the data really say is shown.")
	}
	body := []app.UI{
		app.Div().Class("intro").Body(
			app.P().Class("small row").Body(app.A().Href("#"+ViewLearn.Path()).Text(say.Text("All lessons")), embed),
			app.H1().Text(say.Text(t.Title)),
			app.P().Text(say.Text(t.Question)),
			app.P().Class("small").Body(app.A().Href(docsOf(t.ID)).Text(say.Text("Its guarantee, its fields and its limits"))),
		),
		note("warn", warning),
		app.Div().Class("bench").Body(
			app.Div().Class("column").Body(
				p.section("question", say.Text("The question"), app.P().Text(about), p.controls()),
				p.section("how", say.Text("How it is answered"), append([]app.UI{
					app.P().Text(say.Text(t.How)),
					app.P().Class("soft small").Text(say.Format("%s. Source: %s.", task.Capital(say.Text(t.Algorithm)), t.Source)),
					app.H3().Text(say.Text("When simple is better")),
					app.P().Text(say.Text(t.Simple)),
					app.P().ID("learn-used").Class("soft small").Text(l.used()),
				}, explain(say.Text(t.How), say.Text(t.Algorithm)))...),
				p.film(),
			),
			app.Div().Class("column answer").Body(p.outcome()...),
		),
	}
	return app.Div().ID("learn").Body(append(body, dialog)...)
}

// film shows a run of an algorithm, of several that may answer the question the one that is chosen.
func (p *LearnPage) film() app.UI {
	l := &p.Model.Learn
	var body []app.UI
	if films := l.Task.Films; len(films) > 1 {
		var options []option
		for _, id := range films {
			options = append(options, option{id, say.Text(motion.Name(id))})
		}
		body = append(body, selectField("learn-film", say.Text("Algorithm"), l.Showing.ID, options, "", "", p.Model.ShowFilm))
	}
	return p.section("film", say.Text("See it work"), append(body, &FilmView{Model: p.Model, Revision: p.Revision})...)
}

func (p *LearnPage) section(name, title string, body ...app.UI) app.UI {
	id := "learn-" + name + "-title"
	return app.Section().Class("step").Aria("labelledby", id).Body(
		app.Div().Class("step-head").Body(app.H2().ID(id).Text(title)),
		app.Div().Class("step-body").Body(body...),
	)
}

func (p *LearnPage) index() app.UI {
	return app.Div().ID("learn").Body(
		app.Div().Class("intro").Body(
			app.H1().Text(say.Text("Learn what the noise does")),
			app.P().Text(say.Text("Ask made-up people, see what the data really say beside the private answer, draw it again and again, and turn what matters: "+
				"the privacy loss, the number of people, the width of the bounds.")),
			app.P().Class("small").Body(app.A().Href("#"+ViewLearn.Path()+"/"+ownLesson).Text(say.Text("The same of a file of your own: read first what that costs"))),
		),
		app.Ul().Class("cards").Body(app.Range(p.Model.Tasks).Slice(func(i int) app.UI {
			t := p.Model.Tasks[i]
			return app.If(t.Example != nil, func() app.UI {
				return app.Li().Body(
					app.A().Href("#"+ViewLearn.Path()+"/"+t.ID).Text(say.Text(t.Title)),
					app.P().Class("soft").Text(say.Text(t.Question)),
				)
			})
		})),
	)
}

// controls are what a lesson lets one turn.
func (p *LearnPage) controls() app.UI {
	m, l := p.Model, &p.Model.Learn
	list := []app.UI{
		stops("learn-epsilon", say.Text("Privacy loss ε"), Epsilons, l.Epsilon, func(s string) string { return s },
			func(s string) { m.ChangeLesson(func(l *Learn) { l.Epsilon = s }) }),
	}
	if l.Own == nil {
		list = append(list, stops("learn-people", say.Text("People"), l.parts(), l.Part, func(part int) string { return grouped(int64(max(l.Set().Rows*part/100, 1))) },
			func(part int) { m.ChangeLesson(func(l *Learn) { l.Part = part }) }))
	}
	if widers, listed := l.widers(); widers != nil {
		list = append(list, stops("learn-wider", say.Text("Possible values"), widers, l.Wider, func(powers int) string {
			switch {
			case powers == 0 && listed:
				return say.Text("those listed")
			case powers == 0:
				return say.Text("as wide as need be")
			case listed:
				return say.Format("%s more, which nobody has", grouped(int64(pow10(powers))))
			}
			return say.Format("%s times as wide", grouped(int64(pow10(powers))))
		}, func(powers int) { m.ChangeLesson(func(l *Learn) { l.Wider = powers }) }))
	}
	if l.labels() {
		list = append(list, p.asideControl())
	}
	for _, param := range l.Task.Params {
		if param.Kind != ask.Chosen {
			continue
		}
		var options []option
		for _, c := range param.AllChoices() {
			options = append(options, option{c.Value, say.Text(c.Label)})
		}
		value := cmp.Or(l.Params[param.Name], l.recipe().Params[param.Name], param.Default)
		list = append(list, selectField("learn-"+param.Name, say.Text(param.Label), value, options, say.Text(param.Help), "", func(v string) {
			m.ChangeLesson(func(l *Learn) {
				l.Params[param.Name] = v
			})
		}))
	}
	buttons := []app.UI{app.Div().Class("row").Role("group").Aria("label", say.Text("Draw again")).Body(
		app.Range(DrawCounts).Slice(func(i int) app.UI {
			n := DrawCounts[i]
			text := say.Format("Draw %d times", n)
			if n == 1 {
				text = say.Text("Draw once")
			}
			return app.Button().Class("button").Type("button").Text(text).OnClick(func(app.Context, app.Event) {
				m.ChangeLesson(func(l *Learn) { l.Draws, l.Seed = n, l.Seed+1 })
			})
		}),
	)}
	if a := l.Algorithms(); a != nil {
		buttons = append(buttons, app.Div().Body(app.Button().Class("button").Type("button").Text(say.Text("Compare the algorithms")).
			OnClick(func(app.Context, app.Event) { m.CompareAlgorithms() })))
	}
	return app.Div().Class("lesson").Body(append([]app.UI{app.Div().Class("fields").Body(list...)}, buttons...)...)
}

// stops draws a slider over a list of values.
func stops[T comparable](id, label string, list []T, value T, text func(T) string, onChange func(T)) app.UI {
	at := 0
	for i, v := range list {
		if v == value {
			at = i
		}
	}
	return app.Div().Class("field").Body(
		app.Label().For(id).Text(label),
		app.Input().ID(id).Type("range").Min(0).Max(len(list)-1).Step(1).Value(at).Aria("valuetext", text(value)).
			OnChange(func(ctx app.Context, e app.Event) {
				i, err := strconv.Atoi(ctx.JSSrc().Get("value").String())
				if err == nil && i >= 0 && i < len(list) {
					onChange(list[i])
				}
			}),
		app.P().Class("help").Text(text(value)),
	)
}

func pow10(n int) int {
	out := 1
	for range n {
		out *= 10
	}
	return out
}

// outcome shows what was drawn.
func (p *LearnPage) outcome() []app.UI {
	l := &p.Model.Learn
	var status, list []app.UI
	if l.Fault != nil {
		status = append(status, failureNote(l.Fault))
	}
	if l.Progress != nil && l.Progress.Total > 0 {
		status = append(status, meter(say.Text("Drawing…"), *l.Progress, p.Model.StopLesson))
	}
	if l.Taught != nil {
		list = append(list, p.answers(l.Taught))
		if l.Taught.Aside != nil {
			list = append(list, p.aside(l.Taught))
		}
		if all := spreads(l.Taught); len(all) > 0 {
			list = append(list, p.spread(l, all))
		}
	}
	if len(l.Beside) > 0 {
		list = append(list, p.beside(l))
	}
	if len(status)+len(list) == 0 {
		status = append(status, app.P().Class("soft").Role("status").Text(say.Text("Drawing…")))
	}
	return append([]app.UI{app.Div().Class("status").Body(status...)}, list...) // what comes and goes has a place of its own
}

// shownDraws are drawn in one picture with what the data say.
const shownDraws = 3

// taughtPicture draws the first draws with what the data say, or the first draw alone, and tells the size of its frame.
func taughtPicture(t *task.Taught) (option json.RawMessage, class string) {
	chosen := []*Past{{Name: say.Text("without noise"), Release: t.Quiet}}
	for i, r := range t.Draws[:min(shownDraws, len(t.Draws))] {
		chosen = append(chosen, &Past{Name: say.Format("draw %d", i+1), Release: r})
	}
	option, class = comparedOption(chosen)
	if option == nil {
		var tall bool
		option, tall = chartOption(t.Draws[0])
		if class = "chart short"; tall {
			class = "chart"
		}
	}
	return option, class
}

func (p *LearnPage) answers(t *task.Taught) app.UI {
	option, class := taughtPicture(t)
	return p.section("outcome", say.Text("What comes out"),
		app.Dl().Class("pairs").Body(
			app.Dt().Text(say.Text("A private answer")), app.Dd().ID("learn-draw").Text(t.Draws[0].Statement),
			app.Dt().Text(say.Text("Without noise")), app.Dd().ID("learn-quiet").Text(t.Quiet.Statement),
		),
		&Chart{ID: "learn-chart", Option: string(option), Class: class, Browser: p.Browser, Label: say.Text("What the data say, and the first draws; the table below says the same.")},
		dataTable(say.Text("What the data say, and a private answer"), []string{"", say.Text("without noise"), say.Text("draw 1")}, besideRows(t), "low", func(c int) bool { return c > 0 }),
		app.Details().Body(
			app.Summary().Text(say.Text("What is said before a release")),
			forecastList("learn-forecast", t.Draws[0].Plan.Forecast),
		),
		app.P().Class("soft small").Text(say.Format("“Without noise” is the same algorithm at ε = %s, which protects nobody.", ask.QuietEpsilon)),
	)
}

// besideRows are the figures without noise and of the first draw.
func besideRows(t *task.Taught) [][]string {
	drawn := map[string]string{}
	for _, f := range figures(t.Draws[0]) {
		drawn[f.name] = f.text
	}
	var rows [][]string
	for _, f := range figures(t.Quiet) {
		text, ok := drawn[f.name]
		if !ok {
			text = "–"
		}
		rows = append(rows, []string{f.name, f.text, text})
	}
	return rows
}

func (p *LearnPage) spread(l *Learn, all []spread) app.UI {
	shown := l.shown(all)
	options := make([]option, len(all))
	for i, s := range all {
		options[i] = option{s.name, s.name}
	}
	rows := make([][]string, len(all))
	for i, s := range all {
		rows[i] = []string{s.name, s.quiet, say.Format("%s to %s", short(s.low), short(s.high)), short(s.off)}
	}
	body := []app.UI{}
	if len(all) > 1 {
		body = append(body, dataField("learn-figure", say.Text("Number"), shown.name, options, "", "", p.Model.ShowFigure))
	}
	if len(shown.draws) > 1 {
		body = append(body, &Chart{ID: "learn-spread", Option: string(spreadChart(shown)), Class: "chart short", Browser: p.Browser,
			Label: say.Format("How the draws of %s lie; the table below tells where nine of ten are.", shown.name)})
	}
	body = append(body, dataTable(say.Text("How far the draws lie apart"), []string{say.Text("number"), say.Text("without noise"), say.Text("nine draws of ten"), say.Text("typical distance")}, rows, "low",
		func(c int) bool { return c > 0 }))
	return p.section("spread", say.Format("How %s differ", draws(len(l.Taught.Draws))), body...)
}

func draws(n int) string {
	if n == 1 {
		return say.Text("one draw and the truth")
	}
	return say.Format("%d draws", n)
}

// short writes a number with four significant digits.
func short(x float64) string {
	return strings.Replace(strconv.FormatFloat(x, 'g', 4, 64), "-", "−", 1)
}

// spreadChart counts the draws by what they say, and marks what the data say.
func spreadChart(s spread) json.RawMessage {
	edges, counts := bins(s.draws, 20)
	x, y := figureAxis(s.name), axis("value", say.Text("draws"))
	y["minInterval"] = 1
	// Each bin is a step of a line with its area filled: a bar of its true width.
	points := [][]any{{edges[0], 0}}
	for i, n := range counts {
		points = append(points, []any{edges[i], n}, []any{edges[i+1], n})
	}
	points = append(points, []any{edges[len(edges)-1], 0})
	line := object{"type": "line", "name": say.Text("draws"), "data": points, "symbol": "none",
		"lineStyle": object{"color": accentColour, "width": 1}, "areaStyle": object{"color": accentColour, "opacity": 0.5}}
	if s.known {
		line["markLine"] = object{"silent": true, "symbol": "none", "lineStyle": object{"color": "var(--warn)", "width": 2, "type": "solid"},
			"label": object{"show": true, "formatter": say.Text("without noise"), "color": inkColour}, "data": []object{{"xAxis": s.truth}}}
	}
	return finished(object{
		"grid":  object{"left": 8, "right": 44, "top": 36, "bottom": 36, "containLabel": true},
		"xAxis": x, "yAxis": y, "series": []object{line},
	}, say.Text("How the draws lie about what the data say."))
}

// beside sets the algorithms side by side: by the typical distance of the number shown from what the data say, and by what is known of them
// beforehand.
func (p *LearnPage) beside(l *Learn) app.UI {
	var rows [][]string
	var known []app.UI
	number, head := "", []string(nil)
	for _, b := range l.Beside {
		row, words := []string{b.Name, "–"}, ""
		if b.Fault != nil {
			words = say.Format("refused; it takes %s.", b.Fault.Want)
		} else {
			plan := b.Taught.Draws[0].Plan
			words = plan.Algorithm + ". " + plan.Forecast[0].Label + ": " + plan.Forecast[0].Value + "."
			if all := spreads(b.Taught); len(all) > 0 {
				s := l.shown(all)
				number, row[1] = s.name, short(s.off)
				if means := reachedMeans(all); means != nil {
					head, row = say.Texts(reachedHead...), append(row, means...)
				}
			}
		}
		rows = append(rows, row)
		known = append(known, app.Dt().Text(b.Name), app.Dd().Class("small").Text(words))
	}
	intro := say.Format("The typical distance from what the data say, over %s at ε = %s: smaller is better.", draws(l.Draws), l.Epsilon)
	if head != nil {
		intro += say.Text(" Beside it, on average: of the other values, how many fewer people have than the one chosen, and how many candidates were drawn.")
	}
	size := "low"
	if len(rows) > 6 {
		size = "tall"
	}
	body := []app.UI{
		app.P().Text(intro),
		dataTable(say.Text("Typical distance by algorithm"), append([]string{"", number}, head...), padded(rows), size, func(c int) bool { return c > 0 }),
	}
	if next := len(l.Beside); l.Progress != nil && next < len(l.Algorithms().AllChoices()) {
		body = append(body, app.P().Class("soft small").Role("status").Text(say.Format("Asked now: %s…", say.Text(l.Algorithms().AllChoices()[next].Label))))
	}
	return p.section("compared", say.Text("The algorithms side by side"), append(body, app.P().Text(say.Text(l.Task.Simple)), app.Dl().Class("pairs known").Body(known...))...)
}

// reachedHead are the columns of what choices reach and take on average, where lessons tell it.
var reachedHead = []phrase.Key{"percentile", "drawn"}

// reachedMeans are those means of a lesson's draws, or nil.
func reachedMeans(all []spread) []string {
	var means []string
	for _, s := range all {
		switch s.name {
		case say.Text(figureReached):
			means = append(means, short(meanOf(s.draws))+" %")
		case say.Text(figureDrawn):
			means = append(means, grouped(int64(math.Round(meanOf(s.draws)))))
		}
	}
	return means
}

func meanOf(list []float64) (mean float64) {
	for _, x := range list {
		mean += x / float64(len(list))
	}
	return mean
}

// padded fills the rows of a table up to the longest.
func padded(rows [][]string) [][]string {
	longest := 0
	for _, row := range rows {
		longest = max(longest, len(row))
	}
	for i := range rows {
		for len(rows[i]) < longest {
			rows[i] = append(rows[i], "–")
		}
	}
	return rows
}
