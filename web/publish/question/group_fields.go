package question

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/form"
)

// find asks how much may be spent on finding the groups.
func (s *Step) find() app.UI {
	m := s.Model
	q := m.Question.Form
	return app.Div().Class("stack").Body(
		app.P().Class("small soft").Text(say.Text("The names and sizes of groups with many "+
			"people are released with the answer; people in any other group count among all "+
			"others. A group of a few people stays unseen, except with probability δ.")),
		app.Div().Class("fields").Body(
			parts.TextField("find-share", say.Text("Part of ε for finding them, in percent"),
				q.FindShare,
				say.Text("1 to 99. More finds smaller groups, and leaves less for the answer."),
				m.Forecast.Fault("findShare"), func(v string) {
					m.Question.Edit("find-share", func(q *form.Question) { q.FindShare = v })
				}),
			parts.TextField("find-delta", say.Text("δ (delta) for finding them"), q.FindDelta,
				say.Text("Far below 1 divided by the number of people. With this chance the "+
					"group of a single person is found."),
				m.Forecast.Fault("findDelta"), func(v string) {
					m.Question.Edit("find-delta", func(q *form.Question) { q.FindDelta = v })
				}),
		),
	)
}
