package web

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/say"
)

// tunable lists the parameters of the question that can be tuned.
func (m *Model) tunable() (list []ask.Param) {
	for _, p := range m.Task().Params {
		if p.Tries != "" && p.AsksFor(m.Question.Domain.Kind) {
			list = append(list, p)
		}
	}
	return list
}

// tried are the values of a parameter that are to be tried, as they travel.
func (q Question) tried(p ask.Param) []string {
	var list []string
	for value := range strings.SplitSeq(q.Params[ask.TryName(p.Name)], ",") {
		if value = strings.TrimSpace(value); value != "" {
			list = append(list, value)
		}
	}
	return list
}

// triable are the choices of a parameter that can be tried.
func triable(p ask.Param) (list []ask.Choice) {
	for _, c := range p.Choices {
		if slices.Contains(strings.Split(p.Tries, ", "), c.Value) {
			list = append(list, c)
		}
	}
	return list
}

// try marks one of the choices of a parameter to be tried, or not. They travel in the order in which the form has them.
func (q *Question) try(p ask.Param, value string, on bool) {
	var list []string
	for _, c := range triable(p) {
		if c.Value == value && on || c.Value != value && slices.Contains(q.tried(p), c.Value) {
			list = append(list, c.Value)
		}
	}
	q.Params[ask.TryName(p.Name)] = strings.Join(list, ", ")
}

// tries are the parameters of the recipe that say what is to be tried.
func (m *Model) tries(params ask.Params) {
	any := false
	for _, p := range m.tunable() {
		if v := strings.TrimSpace(m.Question.Params[ask.TryName(p.Name)]); v != "" {
			params[ask.TryName(p.Name)], any = v, true
		}
	}
	if v := strings.TrimSpace(m.Question.Params[paramTry]); any && v != "" {
		params[paramTry] = v
	}
}

// paramTry says how many combinations are tried.
const paramTry = "try"

// tryFields asks which values of which parameters are to be tried, of which the best is released.
func (s *QuestionStep) tryFields() app.UI {
	m := s.Model
	var fields []app.UI
	open := false
	for _, p := range m.tunable() {
		name := ask.TryName(p.Name)
		open = open || m.Question.Params[name] != ""
		if p.Kind == ask.Chosen {
			fields = append(fields, s.tryChoices(p))
			continue
		}
		fields = append(fields, textField(name, say.Format("%s, values to try", say.Text(p.Label)), m.Question.Params[name], say.Format("such as %s; a range as 2 to 9; empty: the one above", p.Tries), m.Fault(name),
			func(v string) { m.Edit(name, func(q *Question) { q.Params[name] = v }) }))
	}
	fields = append(fields, textField(paramTry, say.Text("Combinations"), m.Question.Params[paramTry], say.Text("empty: all, up to 32; or a number from 2 to 32, drawn at random"), m.Fault(paramTry),
		func(v string) { m.Edit(paramTry, func(q *Question) { q.Params[paramTry] = v }) }))
	return app.Details().ID("tries").Open(open).Body(
		app.Summary().Text(say.Text("Try many, publish the best")),
		app.Div().Class("more").Body(
			app.P().Class("small soft").Text(say.Text("The question is asked with every combination of these values, and only the answer with the best noisy score is released. "+
				"From three combinations on that costs two and a half times the privacy loss of one answer, however many there are; two are each paid for.")),
			app.P().Class("small soft").Text(say.Format("The score counts %s.", say.Text(m.Task().Tunes))),
			app.Div().Class("fields").Body(fields...),
		),
	)
}

// tryChoices are the choices of a parameter, to be ticked.
func (s *QuestionStep) tryChoices(p ask.Param) app.UI {
	m, name := s.Model, ask.TryName(p.Name)
	ticked, choices := m.Question.tried(p), triable(p)
	return app.FieldSet().Class("field ticks").ID(name).Body(
		app.Legend().Text(say.Format("%s, to try", say.Text(p.Label))),
		app.Range(choices).Slice(func(i int) app.UI {
			c := choices[i]
			return app.Label().Class("check").Body(
				app.Input().ID(name+"-"+strconv.Itoa(i)).Type("checkbox").Checked(slices.Contains(ticked, c.Value)).
					OnChange(func(ctx app.Context, _ app.Event) {
						on := ctx.JSSrc().Get("checked").Bool()
						m.Edit("", func(q *Question) { q.try(p, c.Value, on) })
					}, app.EventScope(m.Question.Task, name, c.Value)),
				app.Span().Text(say.Text(c.Label)),
			)
		}),
		app.P().Class("field-error").ID(name+"-fault").Role("alert").Text(m.Fault(name)),
	)
}
