package question

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/form"
)

// tryFields asks which values of which parameters to try; the best run is released.
func (s *Step) tryFields() app.UI {
	m := s.Model
	var fields []app.UI
	open := false
	for _, p := range m.Question.Tunable() {
		name := ask.TryName(p.Name)
		open = open || m.Question.Form.Params[name] != ""
		if p.Kind == ask.Chosen {
			fields = append(fields, s.tryChoices(p))
			continue
		}
		fields = append(fields,
			parts.TextField(name, say.Format("%s, values to try", say.Text(p.Label)),
				m.Question.Form.Params[name],
				say.Format("such as %s; a range as 2 to 9; empty: the one above", p.Tries),
				m.Forecast.Fault(name),
				func(v string) {
					m.Question.Edit(name, func(q *form.Question) { q.Params[name] = v })
				}))
	}
	fields = append(fields,
		parts.TextField(form.ParamTry, say.Text("Combinations"),
			m.Question.Form.Params[form.ParamTry],
			say.Text("empty: all, up to 32; or a number from 2 to 32, drawn at random"),
			m.Forecast.Fault(form.ParamTry),
			func(v string) {
				m.Question.Edit(form.ParamTry,
					func(q *form.Question) { q.Params[form.ParamTry] = v })
			}))
	fields = append(fields,
		parts.TextField(ask.ParamBest, say.Text("One of the best, in %"),
			m.Question.Form.Params[ask.ParamBest],
			say.Text("of all that such runs give, in 95 of 100 releases: 10 takes hundreds of "+
				"runs; empty: by the number of combinations"),
			m.Forecast.Fault(ask.ParamBest),
			func(v string) {
				m.Question.Edit(ask.ParamBest,
					func(q *form.Question) { q.Params[ask.ParamBest] = v })
			}))
	if m.Question.Task().Halves {
		fields = append(fields,
			parts.CheckField(ask.ParamHalves,
				say.Text("Learn from half of the rows, score the rest"),
				m.Question.Form.Params[ask.ParamHalves] == "true",
				say.Text("So nothing is scored by people that it was fitted to. Each half pays "+
					"for one of the two, and has half as many people."),
				func(on bool) {
					m.Question.Edit(ask.ParamHalves, func(q *form.Question) {
						q.Params[ask.ParamHalves] = map[bool]string{true: "true"}[on]
					})
				}))
	}
	if m.Question.Task().Aims {
		fields = append(fields,
			parts.TextField(ask.ParamGood, say.Text("Good enough: off by at most"),
				m.Question.Form.Params[ask.ParamGood],
				say.Text("people, by the noisy score. “search” finds this number in very many "+
					"runs, which pays only at a large ε. Leave it empty for the best of all"),
				m.Forecast.Fault(ask.ParamGood),
				func(v string) {
					m.Question.Edit(ask.ParamGood,
						func(q *form.Question) { q.Params[ask.ParamGood] = v })
				}))
	}
	return app.Details().ID("tries").Open(open).Body(
		app.Summary().Text(say.Text("Try many, publish the best")),
		app.Div().Class("more").Body(
			app.P().Class("small soft").Text(say.Text("The question is asked with every "+
				"combination of these values, and only the answer with the best noisy score is "+
				"released. With three or more combinations that costs two and a half times the "+
				"privacy loss of one answer, however many there are; with two, both are paid "+
				"for.")),
			app.If(m.Question.Task().Aims, func() app.UI {
				return app.P().Class("small soft").Text(say.Text("If you know what is good " +
					"enough, the first such answer is released, for twice the privacy loss of " +
					"one; if none is found, nothing is released."))
			}),
			app.P().Class("small soft").
				Text(say.Format("The score counts %s.", say.Text(m.Question.Task().Tunes))),
			app.Div().Class("fields").Body(fields...),
		),
	)
}

// tryChoices lists the choices of a parameter, to be ticked.
func (s *Step) tryChoices(p ask.Param) app.UI {
	m, name := s.Model, ask.TryName(p.Name)
	ticked, choices := m.Question.Form.Tried(p), form.Triable(p)
	return app.FieldSet().Class("field ticks").ID(name).Body(
		app.Legend().Text(say.Format("%s, to try", say.Text(p.Label))),
		app.Range(choices).Slice(func(i int) app.UI {
			c := choices[i]
			return app.Label().Class("check").Body(
				app.Input().ID(name+"-"+strconv.Itoa(i)).Type("checkbox").
					Checked(slices.Contains(ticked, c.Value)).
					OnChange(func(ctx app.Context, _ app.Event) {
						on := ctx.JSSrc().Get("checked").Bool()
						m.Question.Edit("", func(q *form.Question) { q.Try(p, c.Value, on) })
					}, app.EventScope(m.Question.Form.Task, name, c.Value)),
				app.Span().Text(say.Text(c.Label)),
			)
		}),
		app.P().Class("field-error").ID(name+"-fault").Role("alert").Text(m.Forecast.Fault(name)),
	)
}
