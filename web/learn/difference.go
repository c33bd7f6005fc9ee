package learn

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/message"
	"hush/core/privacy"
	"hush/core/task"
	"hush/web/chart/taught"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/lesson"
	"hush/web/state/place"
)

// difference is the lesson about answers that are made more exact: it shows that the first answer
// adds nothing to the second, and so costs nothing beside it.
func (p *Page) difference() app.UI {
	l := &p.Model.Learn
	d := &l.Difference
	same := func(s string) string { return s }
	return app.Div().ID("learn").Body(
		app.Div().Class("intro").Body(
			app.P().Class("small row").Body(
				app.A().Href("#"+place.ViewLearn.Path()).Text(say.Text("All lessons"))),
			app.H1().Text(say.Text("Why pay only the difference?")),
			app.P().Text(say.Text("A cheap answer turns out to be too rough. Asked anew, the good "+
				"one costs all of its ε beside the first. Made of the first, it costs the "+
				"difference only, and both together cost what the good one costs alone.")),
		),
		parts.Note("warn", say.Text("This is a lesson, not a release: the people are made up, the "+
			"coins are seeded, and what the data really say is shown.")),
		app.Div().Class("bench").Body(
			app.Div().Class("column").Body(
				p.Section("question", say.Text("The question"),
					app.P().Text(say.Text("How old are the patients of a clinic?")),
					app.Div().Class("lesson").Body(
						app.Div().Class("fields").Body(
							stops("difference-first",
								say.Text("Privacy loss ε of the first answer"),
								d.FirstEpsilons(), d.First, same, func(s string) {
									l.ChangeDifference(s, d.Then)
								}),
							stops("difference-then", say.Text("ε of both answers together"),
								d.ThenEpsilons(), d.Then, same, func(s string) {
									l.ChangeDifference(d.First, s)
								})),
						app.Div().Body(app.Button().ID("difference-again").Class("button").
							Type("button").Text(say.Text("Draw again")).
							OnClick(func(app.Context, app.Event) {
								l.ChangeDifference(d.First, d.Then)
							})))),
				p.Section("how", say.Text("Why it is free"),
					app.P().Text(say.Text("The second answer's noise is drawn from the first "+
						"one's, so that the first answer is the second with further noise on "+
						"it. That further noise does not look at the people. Anyone with the "+
						"second answer could have made the first one with dice, and learns "+
						"nothing from it.")),
					app.P().Text(say.Text("An answer that is asked anew has noise of its own. "+
						"Two such answers can be averaged, and the average says more than "+
						"either. That is why both are paid for.")),
					app.P().Text(say.Text("Gaussian noise does it the other way round: a second "+
						"release costs the difference in ρ, and the average of both is the good "+
						"answer."))),
				p.film([]string{"topup"}),
			),
			app.Div().Class("column answer").Body(p.differenceTaught(l, d)...),
		),
	)
}

// differenceTaught draws the results of the lesson.
func (p *Page) differenceTaught(l *lesson.Learn, d *lesson.Difference) []app.UI {
	var status, list []app.UI
	if l.Fault != nil {
		status = append(status, parts.FailureNote(l.Fault))
	}
	if l.Progress != nil && l.Progress.Total > 0 {
		status = append(status, parts.Meter(say.Text("Drawing…"), *l.Progress, l.Stop))
	}
	if v := d.Taught; v != nil {
		list = append(list, p.differenceDrawn(v), p.differenceOff(v))
	} else if len(status) == 0 {
		status = append(status, app.P().Class("soft").Role("status").Text(say.Text("Drawing…")))
	}
	return append([]app.UI{app.Div().Class("status").Body(status...)}, list...)
}

// differenceDrawn shows both answers beside the true one.
func (p *Page) differenceDrawn(v *task.Difference) app.UI {
	first, then := v.Taught.Draws[0].Recipe.Epsilon, v.Taught.Draws[1].Recipe.Epsilon
	names := []string{say.Format("ε = %s", first), say.Format("ε = %s in all", then)}
	option, class := taught.DrawNamed(v.Taught, names)
	truth := v.Taught.Quiet.Answer.Result.(*task.Histogram).Bins
	rows := make([][]string, len(truth))
	for i, bin := range truth {
		rows[i] = []string{bin.Label, message.Grouped(bin.Count)}
		for _, r := range v.Taught.Draws {
			rows[i] = append(rows[i],
				message.Grouped(r.Answer.Result.(*task.Histogram).Bins[i].Count))
		}
	}
	return p.Section("outcome", say.Text("What comes out"),
		&parts.Chart{ID: "learn-chart", Option: string(option), Class: class, Browser: p.Browser,
			Label: say.Text("What the data say, and both answers; the table below says the same.")},
		parts.DataTable(say.Text("What the data say, and both answers"),
			append([]string{say.Text("ages"), taught.Quiet()}, names...), rows, "low",
			func(c int) bool { return c > 0 }))
}

// differenceOff shows what the first answer adds to either second one.
func (p *Page) differenceOff(v *task.Difference) app.UI {
	first, then := v.Taught.Draws[0].Plan.Loss, v.Taught.Draws[1].Plan.Loss
	one, _ := first.Epsilon() // histograms have one
	all, _ := then.Epsilon()
	both, _ := first.Plus(then).Epsilon()
	number := message.Prose
	return p.Section("spread", say.Text("What the first answer adds"),
		app.P().Role("status").Text(say.Format("A count of the good answer is off by %s on "+
			"average of %d. Averaged with the first answer, of which it was made, by %s: no "+
			"better. For one that is asked anew the average helps: %s in place of %s.",
			number(v.Made), task.DifferenceDraws, number(v.MadeBoth), number(v.AnewBoth),
			number(v.Anew))),
		parts.DataTable(say.Text("How far a count is off, on average"),
			[]string{"", say.Text("alone"), say.Text("averaged with the first"),
				say.Text("both cost")},
			[][]string{
				{say.Text("first answer"), number(v.First), "–", "ε = " + privacy.Number(one)},
				{say.Text("made of it"), number(v.Made), number(v.MadeBoth),
					"ε = " + privacy.Number(all)},
				{say.Text("asked anew"), number(v.Anew), number(v.AnewBoth),
					"ε = " + privacy.Number(both)},
			}, "low", func(c int) bool { return c > 0 }),
		app.P().Class("soft small").Text(say.Text("The average is the best one of two independent "+
			"answers of these ε.")))
}
