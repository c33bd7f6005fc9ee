package learn

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/message"
	"hush/core/task"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/form"
	"hush/web/state/lesson"
	"hush/web/state/place"
)

// rows is the lesson about the bound on the rows of each person: it shows side by side what the
// bound leaves out and how much noise it needs.
func (p *Page) rows() app.UI {
	l := &p.Model.Learn
	again := app.Div().Body(app.Button().ID("rows-again").Class("button").Type("button").
		Text(say.Text("Draw again")).OnClick(func(app.Context, app.Event) {
		l.ChangeRows(l.Rows.Epsilon)
	}))
	return app.Div().ID("learn").Body(
		app.Div().Class("intro").Body(
			app.P().Class("small row").Body(
				app.A().Href("#"+place.ViewLearn.Path()).Text(say.Text("All lessons"))),
			app.H1().Text(say.Text("How many rows of a person count?")),
			app.P().Text(say.Text("If people have several rows, at most k of each count. A small "+
				"k leaves rows out, always in the same direction: that is a bias. A large k "+
				"needs more noise, since the same ε hides all k rows of a person.")),
		),
		parts.Note("warn", say.Text("This is a lesson, not a release: the people are made up, "+
			"the coins are seeded, and the true answers are shown. For a file of your own, "+
			"nobody learns what a bound leaves out: it would be a true figure.")),
		app.Div().Class("bench").Body(
			app.Div().Class("column").Body(
				p.Section("question", say.Text("The question"),
					app.P().Text(say.Text("How many visits did the patients of a clinic have? "+
						"Most came a few times, a few came often.")),
					stops("rows-epsilon-learn", say.Text("Privacy loss ε"), form.Epsilons,
						l.Rows.Epsilon, func(s string) string { return s }, l.ChangeRows),
					again),
				p.Section("how", say.Text("How to choose k"), app.P().Text(say.Text("The best k "+
					"depends on the data, so it is chosen privately or from public knowledge. In "+
					"the codebook Hush can choose one for a small ε of its own, such that only "+
					"few people have more rows."))),
			),
			app.Div().Class("column answer").Body(p.rowsTaught(&l.Rows)),
		),
	)
}

// rowsTaught draws the results of the lesson.
func (p *Page) rowsTaught(r *lesson.Rows) app.UI {
	title := say.Text("Bias and noise")
	switch {
	case r.Fault != nil:
		return p.Section("bias", title, parts.Note("bad", task.Capital(r.Fault.Message)+"."))
	case r.Taught == nil:
		return p.Section("bias", title,
			app.P().Role("status").Text(say.Text("The visits are being counted…")))
	}
	v := r.Taught
	best := v.Bounds[r.Best()]
	widest := 0.0
	for _, b := range v.Bounds {
		widest = max(widest, float64(b.LeftOut), b.Noise)
	}
	bar := func(label string, x float64) app.UI {
		return app.Progress().Max(1000).Value(int(1000*x/max(widest, 1))).Aria("label", label)
	}
	var rows []app.UI
	for i, b := range v.Bounds {
		k := strconv.Itoa(b.Rows)
		class := ""
		if i == r.Best() {
			class = "best"
		}
		rows = append(rows, app.Tr().Class(class).Body(
			app.Th().Scope("row").Text(k),
			app.Td().Body(bar(say.Format("left out with at most %s", k), float64(b.LeftOut)),
				app.Span().Text(message.Grouped(b.LeftOut))),
			app.Td().Body(bar(say.Format("noise with at most %s", k), b.Noise),
				app.Span().Text("± "+message.Prose(b.Noise))),
			app.Td().Body(app.Span().Text(message.Prose(b.Off))),
		))
	}
	return p.Section("bias", title,
		app.P().Role("status").Text(say.Format("%d people had %d visits. With at most %d of "+
			"each, answers at ε = %s are off by %s on average of %d: the smallest error of these.",
			v.People,
			v.Rows, best.Rows, r.Epsilon, message.Prose(best.Off), task.VisitDraws)),
		app.Table().Class("bias").Body(
			app.Caption().Text(say.Text("Bias and noise by the bound on each person's visits")),
			app.THead().Body(app.Tr().Body(
				app.Th().Scope("col").Text(say.Text("at most")),
				app.Th().Scope("col").Text(say.Text("left out (bias)")),
				app.Th().Scope("col").Text(say.Text("noise, in 95 of 100")),
				app.Th().Scope("col").Text(say.Text("off, on average")))),
			app.TBody().Body(rows...)),
	)
}
