package learn

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/chart/taught"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/place"
)

// paper draws the page of one paper: its question, its algorithm at work, and its bounds beside
// what is measured here and now.
func (p *Page) paper() app.UI {
	l := &p.Model.Learn
	s := l.Study
	return app.Div().ID("learn").Body(
		app.Div().Class("intro").Body(
			app.P().Class("small row").Body(
				app.A().Href("#"+place.ViewLearn.Path()).Text(say.Text("All lessons"))),
			app.H1().Text(say.Text(s.Title)),
			app.P().Text(say.Text(s.Asked)),
			app.P().Class("soft small").Text(say.Format("Source: %s.", s.Source)),
		),
		parts.Note("warn", say.Text("This is a lesson, not a release: the people are made up, "+
			"the coins are seeded, and the true answers are shown.")),
		app.Div().Class("bench").Body(
			app.Div().Class("column").Body(
				p.Section("how", say.Text("How it is answered"),
					app.P().Text(say.Text(s.Found)),
					app.If(s.Also != "", func() app.UI { return app.P().Text(say.Text(s.Also)) }),
					app.H3().Text(say.Text("When simple is better")),
					app.P().Text(say.Text(s.Simple)),
					app.H3().Text(say.Text("What nobody can do")),
					app.P().Text(say.Text(s.Least)),
					app.P().Class("row").Body(
						app.A().ID("paper-form").Href(l.StudyForm()).
							Text(say.Text("Ask this of a file, with these settings")),
						app.A().Href("#"+place.ViewLearn.Path()+"/"+s.Task).
							Text(say.Text("Its lesson on made-up people")))),
				p.film(s.Films),
			),
			app.Div().Class("column answer").Body(p.measured()),
		),
	)
}

// measured draws a paper's bounds and the measurements.
func (p *Page) measured() app.UI {
	l := &p.Model.Learn
	along, ok := l.Study.Along(l.Axis)
	if !ok {
		along = *l.Study // unreachable: the list has the axes of this study
	}
	s := &along
	var status, body []app.UI
	var grows app.UI
	if len(s.More) > 0 {
		var options []parts.Option
		for i, a := range l.Study.Axes() {
			options = append(options, parts.Option{Value: strconv.Itoa(i), Text: say.Text(a.X)})
		}
		grows = parts.SelectField("paper-axis", say.Text("What grows"), strconv.Itoa(l.Axis),
			options, "", "", func(v string) {
				if axis, err := strconv.Atoi(v); err == nil {
					p.Model.Learn.Grow(axis)
				}
			})
	}
	switch {
	case l.Fault != nil:
		status = append(status, parts.FailureNote(l.Fault))
	case l.Progress != nil:
		status = append(status, parts.Meter(say.Text("Measuring…"), *l.Progress,
			p.Model.Learn.Stop))
	}
	if c := l.Curves; c != nil {
		head, rows := taught.CurveRows(s, c)
		body = append(body,
			app.P().Class("soft small").Text(say.Text(s.Y)),
			&parts.Chart{ID: "paper-chart", Option: string(taught.Curves(s, c)), Class: "chart",
				Browser: p.Browser, Label: say.Format(
					"%s, against %s, both on logarithmic scales; the table below says the same.",
					say.Text(s.Y), say.Text(s.X))},
			app.Ul().Class("key").Body(app.Range(s.Lines).Slice(func(i int) app.UI {
				mark, colour := taught.Key(s, i)
				return app.Li().Body(app.Span().Class("key-"+strconv.Itoa(colour)).
					Aria("hidden", true).Text(mark), app.Text(" "+say.Text(s.Lines[i].Name)))
			})),
			app.If(taught.Undrawn(c), func() app.UI {
				return app.P().Class("soft small").Text(say.Text("A line ends where it is 0, " +
					"which has no place on a logarithmic scale: the table has it."))
			}),
			parts.DataTable(say.Text(s.Y), head, rows, "tall",
				func(column int) bool { return column > 0 }))
	}
	return p.Section("measured", say.Text("What is proved, and what is measured"),
		append(append([]app.UI{grows, app.Div().Class("status").Body(status...)}, body...),
			app.P().Class("soft small").Text(say.Text(s.Made)),
			app.Div().Body(app.Button().ID("paper-again").Class("button").Type("button").
				Text(say.Text("Other coins")).
				OnClick(func(app.Context, app.Event) { p.Model.Learn.Measure() })))...)
}
