package learn

import (
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/say"
	"hush/web/state/lesson"
)

// asideControl draws the slider for the number of people set aside.
func (p *Page) asideControl() app.UI {
	m := p.Model
	return stops("learn-aside", say.Text("People set aside as cases"), lesson.Asides, m.Learn.Aside,
		func(n int) string {
			if n == 0 {
				return say.Text("none: the cases of the question")
			}
			return say.Format("%d, kept out of learning", n)
		}, func(n int) { m.Learn.Change(func(l *lesson.Lesson) { l.Aside = n }) })
}

// aside shows how many of those set aside were labelled rightly: the simulation beside what the
// theory promised.
func (p *Page) aside(t *task.Taught) app.UI {
	a := t.Aside
	sum := 0
	for _, right := range a.Draws {
		sum += right
	}
	percent := func(right float64) string {
		return fmt.Sprintf("%.1f %%", 100*right/float64(a.People))
	}
	forecast := t.Draws[0].Plan.Forecast[1] // what theory promises
	return p.Section("test", say.Text("Put to the test"),
		app.P().Class("small soft").Text(say.Format("%d further people were labelled without "+
			"teaching any rule. Their own answers are known here, so the labels can be checked. "+
			"A file of yours is never split like this: its people are no public cases.",
			a.People)),
		app.Dl().Class("pairs").Body(
			app.Dt().Text(say.Format("Labelled correctly, almost without noise (ε = %s)",
				ask.QuietEpsilon)),
			app.Dd().ID("learn-aside-quiet").Text(percent(float64(a.Quiet))),
			app.Dt().Text(say.Text("Privately, on average")),
			app.Dd().ID("learn-aside-private").
				Text(say.Format("%s, in %d draws from %s to %s",
					percent(float64(sum)/float64(len(a.Draws))), len(a.Draws),
					percent(float64(slices.Min(a.Draws))), percent(float64(slices.Max(a.Draws))))),
			app.Dt().Text(forecast.Label), app.Dd().Text(forecast.Value+", "+forecast.Detail),
		),
	)
}
