// Package learn draws lessons, also the one that other sites embed.
package learn

import (
	"cmp"
	"math"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/chart/plot"
	"hush/web/chart/taught"
	"hush/web/film"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/state/lesson"
	"hush/web/state/place"
)

// Page shows lessons: a question is asked again and again about made-up data, and the answers stand
// beside the true one.
type Page struct {
	app.Compo

	Model    *state.Model   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // for the charts
}

// Render draws the list of questions, or the lesson that is chosen.
func (p *Page) Render() app.UI {
	l := &p.Model.Learn
	switch {
	case p.Model.Course.Number > 0:
		return &Lesson{Course: &p.Model.Course, Revision: p.Revision, Browser: p.Browser}
	case p.Model.Course.Beside != "":
		return &Class{Course: &p.Model.Course, Revision: p.Revision, Browser: p.Browser}
	case l.Rows.Shown:
		return p.rows()
	case l.Difference.Shown:
		return p.difference()
	case l.Study != nil:
		return p.paper()
	case l.Task == nil && l.Own != nil:
		return p.choice()
	case l.Task == nil:
		return p.index()
	}
	t := l.Task
	about, warning := say.Text("Your file, as it was opened."), say.Text(parts.NotPrivate)
	var embed, dialog app.UI // of made-up people only
	if l.Own == nil {
		embed = parts.EmbedButton("embed-lesson", func() *parts.Browser { return p.Browser })
		dialog = &parts.EmbedDialog{ID: "embed-lesson", Demo: p.Model.Learn.Demo(),
			Words: parts.DemoWords(t, l.Taught), Browser: p.Browser}
		about, warning = say.Text(l.Set().About), say.Text("This is a lesson, not a release: the "+
			"people are made up, the coins are seeded, and the true answers are shown.")
	}
	body := []app.UI{
		app.Div().Class("intro").Body(
			app.P().Class("small row").
				Body(app.A().Href("#"+place.ViewLearn.Path()).Text(say.Text("All lessons")), embed),
			app.H1().Text(say.Text(t.Title)),
			app.P().Text(say.Text(t.Question)),
			app.P().Class("small").
				Body(app.A().Href(place.DocsPath(t.ID)).
					Text(say.Text("Its guarantee, its fields and its limits"))),
		),
		parts.Note("warn", warning),
		app.Div().Class("bench").Body(
			app.Div().Class("column").Body(
				p.Section("question", say.Text("The question"), app.P().Text(about), p.controls()),
				p.Section("how", say.Text("How it is answered"), append([]app.UI{
					app.P().Text(say.Text(t.How)),
					app.P().Class("soft small").
						Text(say.Format("%s. Source: %s.", task.Capital(say.Text(t.Algorithm)),
							t.Source)),
					app.H3().Text(say.Text("When simple is better")),
					app.P().Text(say.Text(t.Simple)),
					app.P().ID("learn-used").Class("soft small").Text(l.Used()),
				}, parts.Explain(say.Text(t.How), say.Text(t.Algorithm)))...),
				p.film(p.Model.Learn.Task.Films),
			),
			app.Div().Class("column answer").Body(p.outcome()...),
		),
	}
	return app.Div().ID("learn").Body(append(body, dialog)...)
}

// film shows a run of an algorithm: the chosen one, where there are several.
func (p *Page) film(films []string) app.UI {
	l := &p.Model.Learn
	var body []app.UI
	if len(films) > 1 {
		var options []parts.Option
		for _, id := range films {
			options = append(options, parts.Option{Value: id, Text: film.Name(id)})
		}
		body = append(body,
			parts.SelectField("learn-film", say.Text("Algorithm"), l.Showing.ID, options, "",
				"", p.Model.Learn.ShowFilm))
	}
	return p.Section("film", say.Text("See it work"),
		append(body, &FilmView{Learn: &p.Model.Learn, Revision: p.Revision})...)
}

// Section draws a part of a lesson under its title.
func (p *Page) Section(name, title string, body ...app.UI) app.UI {
	id := "learn-" + name + "-title"
	return app.Section().Class("step").Aria("labelledby", id).Body(
		app.Div().Class("step-head").Body(app.H2().ID(id).Text(title)),
		app.Div().Class("step-body").Body(body...),
	)
}

// controls draws the settings that a lesson lets a visitor change.
func (p *Page) controls() app.UI {
	m, l := p.Model, &p.Model.Learn
	list := []app.UI{
		stops("learn-epsilon", say.Text("Privacy loss ε"), form.Epsilons, l.Epsilon,
			func(s string) string { return s },
			func(s string) { m.Learn.Change(func(l *lesson.Lesson) { l.Epsilon = s }) }),
	}
	if l.Own == nil {
		list = append(list,
			stops("learn-people", say.Text("People"), l.Parts(), l.Part,
				func(part int) string {
					return message.Grouped(int64(max(l.Set().Rows*part/100, 1)))
				},
				func(part int) { m.Learn.Change(func(l *lesson.Lesson) { l.Part = part }) }))
	}
	if widers, listed := l.Widers(); widers != nil {
		list = append(list,
			stops("learn-wider", say.Text("Possible values"), widers, l.Wider,
				func(powers int) string {
					switch {
					case powers == 0 && listed:
						return say.Text("those listed")
					case powers == 0:
						return say.Text("as wide as need be")
					case listed:
						return say.Format("%s more, which nobody has",
							message.Grouped(int64(lesson.Pow10(powers))))
					}
					return say.Format("%s times as wide",
						message.Grouped(int64(lesson.Pow10(powers))))
				}, func(powers int) {
					m.Learn.Change(func(l *lesson.Lesson) { l.Wider = powers })
				}))
	}
	if l.Labels() {
		list = append(list, p.asideControl())
	}
	for _, param := range l.Task.Params {
		if param.Kind != ask.Chosen {
			continue
		}
		var options []parts.Option
		for _, c := range param.AllChoices() {
			options = append(options, parts.Option{Value: c.Value, Text: say.Text(c.Label)})
		}
		value := cmp.Or(l.Params[param.Name], l.Recipe().Params[param.Name], param.Default)
		list = append(list,
			parts.SelectField("learn-"+param.Name, say.Text(param.Label), value, options,
				say.Text(param.Help), "", func(v string) {
					m.Learn.Change(func(l *lesson.Lesson) {
						l.Params[param.Name] = v
					})
				}))
	}
	buttons := []app.UI{app.Div().Class("row").Role("group").Aria("label", say.Text("Draw again")).
		Body(
			app.Range(lesson.DrawCounts).Slice(func(i int) app.UI {
				n := lesson.DrawCounts[i]
				text := say.Format("Draw %d times", n)
				if n == 1 {
					text = say.Text("Draw once")
				}
				return app.Button().Class("button").Type("button").Text(text).
					OnClick(func(app.Context, app.Event) {
						m.Learn.Change(func(l *lesson.Lesson) { l.Draws, l.Seed = n, l.Seed+1 })
					})
			}),
		)}
	if a := l.Algorithms(); a != nil {
		buttons = append(buttons,
			app.Div().
				Body(app.Button().Class("button").Type("button").
					Text(say.Text("Compare the algorithms")).
					OnClick(func(app.Context, app.Event) { m.Learn.CompareAlgorithms() })))
	}
	return app.Div().Class("lesson").
		Body(append([]app.UI{app.Div().Class("fields").Body(list...)}, buttons...)...)
}

// stops draws a slider over a list of values.
func stops[T comparable](id, label string, list []T, value T, text func(T) string,
	onChange func(T)) app.UI {
	at := 0
	for i, v := range list {
		if v == value {
			at = i
		}
	}
	return app.Div().Class("field").Body(
		app.Label().For(id).Text(label),
		app.Input().ID(id).Type("range").Min(0).Max(len(list)-1).Step(1).Value(at).
			Aria("valuetext", text(value)).
			OnChange(func(ctx app.Context, e app.Event) {
				i, err := strconv.Atoi(ctx.JSSrc().Get("value").String())
				if err == nil && i >= 0 && i < len(list) {
					onChange(list[i])
				}
			}),
		app.P().Class("help").Text(text(value)),
	)
}

// outcome shows what was drawn.
func (p *Page) outcome() []app.UI {
	l := &p.Model.Learn
	var status, list []app.UI
	if l.Fault != nil {
		status = append(status, parts.FailureNote(l.Fault))
	}
	if l.Progress != nil && l.Progress.Total > 0 {
		status = append(status, parts.Meter(say.Text("Drawing…"), *l.Progress, p.Model.Learn.Stop))
	}
	if l.Taught != nil {
		list = append(list, p.answers(l.Taught))
		if l.Taught.Aside != nil {
			list = append(list, p.aside(l.Taught))
		}
		if all := taught.Spreads(l.Taught); len(all) > 0 {
			list = append(list, p.spread(l, all))
		}
	}
	if len(l.Beside) > 0 {
		list = append(list, p.beside(l))
	}
	if len(status)+len(list) == 0 {
		status = append(status, app.P().Class("soft").Role("status").Text(say.Text("Drawing…")))
	}
	// what comes and goes has a place of its own
	return append([]app.UI{app.Div().Class("status").Body(status...)}, list...)
}

func (p *Page) answers(t *task.Taught) app.UI {
	option, class := taught.Draw(t)
	return p.Section("outcome", say.Text("What comes out"),
		app.Dl().Class("pairs").Body(
			app.Dt().Text(say.Text("A private answer")),
			app.Dd().ID("learn-draw").Text(t.Draws[0].Statement),
			app.Dt().Text(task.Capital(taught.Quiet())),
			app.Dd().ID("learn-quiet").Text(t.Quiet.Statement),
		),
		&parts.Chart{ID: "learn-chart", Option: string(option), Class: class, Browser: p.Browser,
			Label: say.Text(
				"What the data say, and the first draws; the table below says the same.")},
		parts.DataTable(say.Text("What the data say, and a private answer"),
			[]string{"", taught.Quiet(), say.Text("draw 1")}, taught.Rows(t), "low",
			func(c int) bool { return c > 0 }),
		app.Details().Body(
			app.Summary().Text(say.Text("What is said before a release")),
			parts.ForecastList("learn-forecast", t.Draws[0].Plan.Forecast),
		),
		app.P().Class("soft small").
			Text(say.Format(
				"At ε = %s the same algorithm has hardly any noise, and protects nobody.",
				ask.QuietEpsilon)),
	)
}

func (p *Page) spread(l *lesson.Learn, all []taught.Spread) app.UI {
	shown := taught.Shown(all, l.Figure)
	options := make([]parts.Option, len(all))
	for i, s := range all {
		options[i] = parts.Option{Value: s.Name, Text: s.Name}
	}
	rows := make([][]string, len(all))
	for i, s := range all {
		rows[i] = []string{
			s.Name, s.Quiet, say.Format("%s to %s", plot.Short(s.Low), plot.Short(s.High)),
			plot.Short(s.Off)}
	}
	body := []app.UI{}
	if len(all) > 1 {
		body = append(body,
			parts.DataField("learn-figure", say.Text("Number"), shown.Name, options, "", "",
				p.Model.Learn.ShowFigure))
	}
	if len(shown.Draws) > 1 {
		body = append(body,
			&parts.Chart{ID: "learn-spread", Option: string(taught.Histogram(shown)),
				Class: "chart short", Browser: p.Browser,
				Label: say.Format(
					"How the draws of %s lie; the table below shows where nine of ten are.",
					shown.Name)})
	}
	body = append(body,
		parts.DataTable(say.Text("How far the draws lie apart"),
			[]string{say.Text("number"), taught.Quiet(), say.Text("nine draws of ten"),
				say.Text("typical distance")}, rows, "low",
			func(c int) bool { return c > 0 }))
	return p.Section("spread", say.Format("How %s differ", draws(len(l.Taught.Draws))), body...)
}

func draws(n int) string {
	if n == 1 {
		return say.Text("one draw and the truth")
	}
	return say.Format("%d draws", n)
}

// beside compares the algorithms side by side: by the typical distance between the number shown and
// the true one, and by the facts known in advance.
func (p *Page) beside(l *lesson.Learn) app.UI {
	var rows [][]string
	var known []app.UI
	number, head := "", []string(nil)
	for _, b := range l.Beside {
		row, words := []string{b.Name, "–"}, ""
		if b.Fault != nil {
			words = say.Format("refused; it takes %s.", b.Fault.Want)
		} else {
			plan := b.Taught.Draws[0].Plan
			f := plan.Forecast[0] // what it is off by, before what the question says of itself
			words = plan.Algorithm + ". " + f.Label + ": " + f.Value + ", " + f.Detail + "."
			if len(plan.Forecast) > 1 {
				own := plan.Forecast[1]
				words += " " + own.Label + ": " + own.Value + "."
			}
			if all := taught.Spreads(b.Taught); len(all) > 0 {
				s := taught.Shown(all, l.Figure)
				number, row[1] = s.Name, plot.Short(s.Off)
				if means := reachedMeans(all); means != nil {
					head, row = say.Texts(reachedHead...), append(row, means...)
				}
			}
		}
		rows = append(rows, row)
		known = append(known, app.Dt().Text(b.Name), app.Dd().Class("small").Text(words))
	}
	intro := say.Format(
		"The typical distance from the true answer, over %s at ε = %s: smaller is better.",
		draws(l.Draws), l.Epsilon)
	if head != nil {
		intro += say.Text(" Beside it, on average: of the other values, how many fewer people " +
			"have than the one chosen, and how many candidates were drawn.")
	}
	size := "low"
	if len(rows) > 6 {
		size = "tall"
	}
	body := []app.UI{
		app.P().Text(intro),
		parts.DataTable(say.Text("Typical distance by algorithm"),
			append([]string{"", number}, head...), padded(rows), size, func(c int) bool {
				return c > 0
			}),
	}
	if next := len(l.Beside); l.Progress != nil && next < len(l.Algorithms().AllChoices()) {
		body = append(body, app.P().Class("soft small").Role("status").
			Text(say.Format("Asked now: %s…", say.Text(l.Algorithms().AllChoices()[next].Label))))
	}
	return p.Section("compared", say.Text("The algorithms side by side"),
		append(body, app.P().Text(say.Text(l.Task.Simple)),
			app.Dl().Class("pairs known").Body(known...))...)
}

// reachedHead lists the columns for the mean results and costs of choices, where a lesson reports
// them.
var reachedHead = []phrase.Key{"percentile", "drawn"}

// reachedMeans returns those means over a lesson's draws, or nil.
func reachedMeans(all []taught.Spread) []string {
	var means []string
	for _, s := range all {
		switch s.Name {
		case say.Text(chart.FigureReached):
			means = append(means, plot.Short(meanOf(s.Draws))+" %")
		case say.Text(chart.FigureDrawn):
			means = append(means, message.Grouped(int64(math.Round(meanOf(s.Draws)))))
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
