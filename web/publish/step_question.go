package publish

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
)

// QuestionStep is step 2: what is asked, about whom, about which column, and which values are
// possible.
type QuestionStep struct {
	app.Compo
	gradual

	Model    *state.Model   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // for the recipe's files
}

// Render draws the form of the chosen task, from the catalogue.
func (s *QuestionStep) Render() app.UI {
	m := s.Model
	if m.Data.Phase != state.DataOpened || !m.Data.Confirmed {
		s.Anew()
		return parts.Step(2, "step-question", say.Text("Question"), true,
			app.P().Class("soft").Text(say.Text("What would you like to know about the people in "+
				"the file? First open one and confirm how it is read.")))
	}
	t, main := m.Task(), &ColumnFields{Model: m, Revision: m.Revision}
	column, asked := len(t.Domains) > 0, m.Asked()
	return parts.Step(2, "step-question", say.Text("Question"), false, s.Parts(
		func() app.UI { return &TaskChoices{Model: m, Chosen: t.ID} },
		parts.When(column, main.column),
		parts.When(column && m.Question.Column > 0, main.domain),
		parts.When(column && m.Question.Column > 0, main.label),
		parts.When(len(t.Others) > 0, s.others),
		parts.When(asked, s.params),
		parts.When(asked && len(m.Tunable()) > 0, s.tryFields),
		parts.When(asked && t.ByGroup, func() app.UI {
			return &GroupFields{Model: m, Revision: m.Revision}
		}),
		parts.When(asked && m.Missing() == "", s.cells),
		func() app.UI { return &PeopleFields{Model: m, Revision: m.Revision} },
		func() app.UI { return about(t) },
		func() app.UI { return &RecipeFields{Model: m, Revision: m.Revision, Browser: s.Browser} },
		func() app.UI {
			return app.Div().
				Body(app.Button().ID("undo").Class("button plain").Type("button").
					Text(say.Text("Undo")).Disabled(!m.CanUndo()).
					OnClick(func(app.Context, app.Event) { m.Undo() }))
		},
	)...)
}

// TaskChoices is the list of all kinds of question. It is drawn when another is chosen, not for
// each key that is typed below it.
type TaskChoices struct {
	app.Compo
	gradual

	Model  *state.Model // changed
	Chosen string       // task.Task.ID
}

// Render draws the kinds section by section.
func (c *TaskChoices) Render() app.UI {
	sections := []func() app.UI{func() app.UI {
		return app.Legend().Class("hidden-visually").Text(say.Text("Kind of question"))
	}}
	for _, tasks := range state.BySection(c.Model.Tasks) {
		sections = append(sections, func() app.UI { return c.section(tasks) })
	}
	return app.FieldSet().Class("more").Body(c.Parts(sections...)...)
}

func (c *TaskChoices) section(tasks []ask.Task) app.UI {
	m := c.Model
	return app.Div().Class("more").Body(
		app.H3().Class("small soft").Text(say.Text(tasks[0].Section)),
		app.Div().Class("choices").Body(app.Range(tasks).Slice(func(i int) app.UI {
			t := tasks[i]
			return app.Label().Class("choice").Body(
				app.Input().Type("radio").Name("task").ID("task-"+t.ID).Value(t.ID).
					Checked(t.ID == c.Chosen).
					OnChange(func(app.Context, app.Event) {
						m.Edit("", func(q *form.Question) { q.Task = t.ID })
					}),
				app.B().Text(say.Text(t.Title)),
				app.Span().Class("small soft").Text(say.Text(t.Question)),
			)
		})))
}

// columnOptions lists the file's columns for a select, from 1, under a first entry that chooses
// none.
func columnOptions(m *state.Model) []parts.Option {
	options := []parts.Option{{Value: "0", Text: say.Text("Choose a column…")}}
	for i := range m.Data.Opened.Fields {
		options = append(options,
			parts.Option{Value: strconv.Itoa(i + 1), Text: m.ColumnName(i + 1)})
	}
	return options
}

// others asks for the further columns, role by role.
func (s *QuestionStep) others() app.UI {
	m := s.Model
	var roles []app.UI
	for _, role := range m.Task().Others {
		body := []app.UI{app.Legend().Text(task.Capital(say.Text(role.Label))),
			app.P().Class("small soft").Text(say.Text(role.Help))}
		n := 0
		for _, f := range m.Question.Others {
			if f.Role == role.Name {
				n++
			}
		}
		for i, f := range m.Question.Others {
			if f.Role == role.Name {
				body = append(body,
					&ColumnFields{Model: m, Revision: m.Revision, At: i + 1,
						Removable: n > role.Min})
			}
		}
		if n < role.Max && role.Max > role.Min {
			body = append(body,
				app.Div().
					Body(app.Button().ID("add-"+role.Name).Class("button").Type("button").
						Text(say.Text("Add a column")).
						OnClick(func(app.Context, app.Event) {
							m.Edit("", func(q *form.Question) { q.AddField(m.Task(), role) })
						})))
		}
		roles = append(roles, app.FieldSet().Class("more role").ID("role-"+role.Name).Body(body...))
	}
	return app.Div().Class("more").
		Body(append(roles, app.P().Class("field-error").ID("others-fault").Role("alert").
			Text(m.Fault("others")))...)
}

// params draws the task's own parameters.
func (s *QuestionStep) params() app.UI {
	m := s.Model
	var fields, flags, areas []app.UI
	for _, p := range m.Task().Params {
		if !p.AsksFor(m.Question.Domain.Kind) {
			continue
		}
		value, ok := m.Question.Params[p.Name]
		if !ok {
			value = p.Default
		}
		if p.Kind == ask.Flag {
			flags = append(flags,
				parts.CheckField(p.Name, say.Text(p.Label), value == "true",
					say.Text(p.Help)+" "+say.Text(p.Effect),
					func(v bool) {
						m.Edit("", func(q *form.Question) {
							q.Params[p.Name] = strconv.FormatBool(v)
						})
					}))
			continue
		}
		set := func(v string) { m.Edit("", func(q *form.Question) { q.Params[p.Name] = v }) }
		if p.Kind == ask.Chosen {
			var options []parts.Option
			for _, c := range p.Choices {
				options = append(options, parts.Option{Value: c.Value, Text: say.Text(c.Label)})
			}
			fields = append(fields,
				parts.SelectField(p.Name, say.Text(p.Label), value, options,
					say.Text(p.Help)+" "+say.Text(p.Effect), m.Fault(p.Name), set))
			continue
		}
		typed := func(v string) { m.Edit(p.Name, func(q *form.Question) { q.Params[p.Name] = v }) }
		if p.Kind == ask.Lines {
			areas = append(areas, s.lines(p, value, typed)...)
			continue
		}
		fields = append(fields,
			parts.TextField(p.Name, say.Text(p.Label), value,
				say.Text(p.Help)+" "+say.Text(p.Effect), m.Fault(p.Name), typed))
	}
	return app.Div().Class("more").Body(
		app.If(len(areas) > 0, func() app.UI { return app.Div().Body(areas...) }),
		app.If(len(fields) > 0, func() app.UI { return app.Div().Class("fields").Body(fields...) }),
		app.If(len(flags) > 0, func() app.UI { return app.Div().Body(flags...) }),
	)
}

// lines draws a public text of several lines, typed, pasted or taken from a file.
func (s *QuestionStep) lines(p ask.Param, value string, typed func(string)) []app.UI {
	m, input, fault := s.Model, p.Name+"-file", s.Model.Fault(p.Name)
	return []app.UI{
		parts.Labelled(p.Name, say.Text(p.Label),
			&parts.TextInput{ID: p.Name, Value: value, Lines: 5, Invalid: fault != "",
				OnText: typed}, say.Text(p.Help)+" "+say.Text(p.Effect), fault),
		app.Div().Class("row").Body(
			app.Button().ID(p.Name+"-pick").Class("button").Type("button").
				Text(say.Text("Take it from a file…")).
				OnClick(func(app.Context, app.Event) { s.Browser.Pick(input) }),
			parts.FileInput(input, parts.AcceptTable, say.Format("File for: %s", say.Text(p.Label)),
				func(f engine.File) {
					s.Browser.Text(f, func(text string) {
						m.Edit(p.Name, func(q *form.Question) { q.Params[p.Name] = text })
					},
						func(why string) { m.RefuseFile(p.Name, why) })
				}),
		),
	}
}

// cells offers to read the column before anything is spent, and lists the cells without a value.
func (s *QuestionStep) cells() app.UI {
	m := s.Model
	c := m.Cells
	switch {
	case c.Progress != nil:
		return parts.Meter(say.Text("Reading the column…"), *c.Progress, m.CancelCells)
	case c.Failure != nil:
		return parts.FailureNote(c.Failure)
	case c.Read && len(c.Problems) == 0:
		return app.P().Class("soft").Role("status").
			Text(say.Text("Every cell that is not empty could be read."))
	case c.Read:
		return problemList(
			say.Text("These cells have no value and count for nobody. Only you see this list."),
			c.Problems, m)
	}
	return app.Div().
		Body(app.Button().ID("read-cells").Class("button plain").Type("button").
			Text(say.Text("Which cells cannot be read?")).
			OnClick(func(app.Context, app.Event) { m.ReadCells() }))
}

// about explains a task: what is released, how, and who found out.
func about(t *ask.Task) app.UI {
	return app.Details().Body(
		app.Summary().Text(say.Text("How is this answered?")),
		app.Div().Class("more").Body(
			app.P().Text(say.Format("Released: %s.", say.Text(t.Answer))),
			app.P().Text(say.Text(t.How)),
			app.P().Class("small soft").
				Text(say.Format("In the field's words: %s. %s.", say.Text(t.Algorithm), t.Source)),
			parts.Explain(say.Text(t.Algorithm), say.Text(t.How)),
			app.P().Class("small").
				Body(app.A().Href(state.DocsPath(t.ID)).
					Text(say.Text("Its guarantee, its fields and its limits"))),
		),
	)
}
