// Package question draws how a question about the described columns is asked: its kind, its
// sentence, its options, its recipe, and its price in privacy.
package question

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/publish/data"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/state/stage"
)

// Step is where the question is asked: its kind, and a sentence whose blanks are columns of the
// codebook. Everything else is folded.
type Step struct {
	app.Compo
	gradual

	Model    *state.Model   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // for the recipe's files

	opened bool // the options were opened, because of their content
}

// gradual is Gradual under a name that go-app does not take for a prop when it is embedded.
type gradual = parts.Gradual

// Render draws the question in its present state.
func (s *Step) Render() app.UI {
	m := s.Model
	t := m.Question.Task()
	return app.Section().ID(stage.Question.ID()).TabIndex(-1).Class("stack wide").
		Aria("labelledby", "question-title").Body(
		app.H1().ID("question-title").Class("unseen").Text(say.Text("Ask a question")),
		data.BookNotes(m),
		s.unplaced(),
		&TaskChoices{Model: m, Chosen: t.ID, Browser: s.Browser},
		app.Div().Class("card pad stack wide").Body(s.Parts(
			func() app.UI { return &Sentence{Model: m, Revision: m.Revision} },
			parts.When(len(t.Others) > 0, s.roles),
			parts.When(m.Question.Missing() != "", s.missing),
			s.options,
			func() app.UI { return &Dial{Model: m, Revision: m.Revision} },
			func() app.UI { return s.beside(t) },
		)...),
	)
}

// missing says what the question still needs. A column is described here, where it was chosen.
func (s *Step) missing() app.UI {
	m := s.Model
	column, kinds := m.Question.Lacks()
	c, _ := m.Codebook.Column(column)
	return app.Div().Class("row").Body(
		app.P().ID("missing-note").Class("soft").Text(m.Question.Missing()),
		app.If(column > 0, func() app.UI { return data.Ways(m, c, kinds...) }),
		app.If(m.Codebook.Form.Lacks(), func() app.UI {
			return app.Button().ID("describe-rows").Class("button").Type("button").
				Text(say.Text("Say what one row is")).
				OnClick(func(app.Context, app.Event) { m.Way.GoTo(stage.Columns) })
		}),
	)
}

// finds reports whether groups are to be found privately.
func (s *Step) finds() bool {
	q := s.Model.Question
	return q.Form.Group > 0 && q.Form.Find && q.Task().ByGroup
}

// options are what most questions leave as it is: how groups are found, parameters, what is tried.
func (s *Step) options() app.UI {
	m := s.Model
	t := m.Question.Task()
	asked := m.Question.Asked()
	s.opened = s.opened || s.chosen() // so that they do not close again over a correction
	return app.Details().ID("options").Open(s.opened).Body(
		app.Summary().Text(say.Text("Options")),
		app.Div().Class("stack").Body(
			app.If(s.finds(), s.find),
			app.If(asked, s.params),
			app.If(asked && len(m.Question.Tunable()) > 0, s.tryFields),
			app.If(asked && m.Question.Missing() == "", s.cells),
		),
		parts.Explain(say.Text(t.Question)),
	)
}

// chosen reports whether anything in the options was changed, or is at fault.
func (s *Step) chosen() bool {
	m := s.Model
	if m.Cells.Read || m.Cells.Progress != nil || m.Cells.Failure != nil {
		return true
	}
	if m.Forecast.Fault("findShare")+m.Forecast.Fault("findDelta") != "" {
		return true
	}
	for _, p := range m.Question.Task().Params {
		if m.Forecast.Fault(p.Name) != "" || m.Forecast.Fault(ask.TryName(p.Name)) != "" ||
			m.Question.Form.Params[ask.TryName(p.Name)] != "" || p.Kind == ask.Lines {
			return true
		}
	}
	return false
}

// beside offers to explain the question, to keep it, and to undo changes.
func (s *Step) beside(t *ask.Task) app.UI {
	m := s.Model
	return app.Div().Class("stack").Body(
		about(t),
		app.Details().ID("elsewhere").Open(m.Saved.Fault+m.Answer.NotOpened != "").Body(
			app.Summary().Text(say.Text("Save, share, open, or ask a warehouse")),
			app.Div().Class("stack tight").Body(
				&RecipeFields{Model: m, Revision: m.Revision, Browser: s.Browser},
				&WarehouseFields{Model: m, Revision: m.Revision, Browser: s.Browser},
				data.OpenRelease(m, func() *parts.Browser { return s.Browser }))),
		app.Div().Body(app.Button().ID("undo").Class("button plain").Type("button").
			Text(say.Text("Undo")).Disabled(!m.Question.CanUndo()).
			OnClick(func(app.Context, app.Event) { m.Question.Undo() })),
	)
}

// roles asks what the further columns need besides their place in the sentence.
func (s *Step) roles() app.UI {
	m := s.Model
	var fields []app.UI
	for i, f := range m.Question.Form.Others {
		at := i + 1
		if m.Question.Picks(at) {
			for k := range m.Question.Role(at).Values {
				fields = append(fields, s.answer(at, k))
			}
		}
		_, bounded := m.Question.Cuttable(at)
		if bounded {
			fields = append(fields,
				parts.TextField(fieldID(at, "cuts"), say.Format("Cut points of %s",
					m.Codebook.Title(f.Column)), f.Cuts,
					say.Text("Public places at which the values are parted, separated by commas: "+
						"each is the first value above the cut."),
					m.Forecast.Fault(faultField(at, "cuts")),
					func(v string) {
						m.Question.Edit(fieldID(at, "cuts"), func(q *form.Question) {
							q.Other(at).Cuts = v
						})
					}))
		}
	}
	return app.Div().Class("stack").Body(
		app.If(len(fields) > 0, func() app.UI { return app.Div().Class("fields").Body(fields...) }),
		app.P().Class("field-error").ID("others-fault").Role("alert").
			Text(m.Forecast.Fault("others")),
	)
}

// fieldID is the ID of the element of a field of column at, and faultField the name of the field in
// a refusal.
func fieldID(at int, name string) string {
	if at == 0 {
		return name
	}
	return fmt.Sprintf("others-%d-%s", at-1, name)
}

func faultField(at int, name string) string {
	if at == 0 {
		return name
	}
	return fmt.Sprintf("others.%d.%s", at-1, name)
}

// answer asks which category is the k-th of the answers that count.
func (s *Step) answer(at, k int) app.UI {
	m := s.Model
	f := m.Question.Form.Others[at-1]
	options := []parts.Option{{Value: "0", Text: say.Text("Choose one…")}}
	for _, c := range m.Codebook.Listed(f.Column) {
		options = append(options, parts.Option{Value: "=" + c, Text: c})
	}
	value := "0"
	if k < len(f.Only) && f.Only[k] != "" {
		value = "=" + f.Only[k]
	}
	label := say.Text("Yes is")
	if k > 0 {
		label = say.Text("No is")
	}
	return parts.DataField(fieldID(at, "answer-"+strconv.Itoa(k+1)), label, value, options, "", "",
		func(v string) {
			category := ""
			if v != "0" {
				category = v[1:]
			}
			m.Question.Edit("", func(q *form.Question) {
				q.Other(at).Pick(k, category, m.Question.Role(at).Values)
			})
		})
}

// params draws the task's own parameters.
func (s *Step) params() app.UI {
	m := s.Model
	var fields, flags, areas []app.UI
	for _, p := range m.Question.Task().Params {
		if !p.AsksFor(m.Question.Kind()) {
			continue
		}
		value, ok := m.Question.Form.Params[p.Name]
		if !ok {
			value = p.Default
		}
		if p.Kind == ask.Flag {
			flags = append(flags,
				parts.CheckField(p.Name, say.Text(p.Label), value == "true",
					say.Text(p.Help)+" "+say.Text(p.Effect),
					func(v bool) {
						m.Question.Edit("", func(q *form.Question) {
							q.Params[p.Name] = strconv.FormatBool(v)
						})
					}))
			continue
		}
		set := func(v string) {
			m.Question.Edit("", func(q *form.Question) { q.Params[p.Name] = v })
		}
		if p.Kind == ask.Chosen {
			var options []parts.Option
			for _, c := range p.Choices {
				options = append(options, parts.Option{Value: c.Value, Text: say.Text(c.Label)})
			}
			fields = append(fields,
				parts.SelectField(p.Name, say.Text(p.Label), value, options,
					say.Text(p.Help)+" "+say.Text(p.Effect), m.Forecast.Fault(p.Name), set))
			continue
		}
		typed := func(v string) {
			m.Question.Edit(p.Name, func(q *form.Question) { q.Params[p.Name] = v })
		}
		if p.Name == task.ParamCriteria {
			areas = append(areas, s.criteria(p, value, typed)...)
			continue
		}
		if p.Kind == ask.Lines {
			areas = append(areas, s.lines(p, value, typed)...)
			continue
		}
		fields = append(fields,
			parts.TextField(p.Name, say.Text(p.Label), value,
				say.Text(p.Help)+" "+say.Text(p.Effect), m.Forecast.Fault(p.Name), typed))
	}
	return app.Div().Class("more").Body(
		app.If(len(areas) > 0, func() app.UI { return app.Div().Class("stack").Body(areas...) }),
		app.If(len(fields) > 0, func() app.UI { return app.Div().Class("fields").Body(fields...) }),
		app.If(len(flags) > 0, func() app.UI { return app.Div().Body(flags...) }),
	)
}

// lines draws a public text of several lines, typed, pasted or taken from a file.
func (s *Step) lines(p ask.Param, value string, typed func(string)) []app.UI {
	m, input, fault := s.Model, p.Name+"-file", s.Model.Forecast.Fault(p.Name)
	return []app.UI{
		parts.Labelled(p.Name, say.Text(p.Label),
			&parts.TextInput{ID: p.Name, Value: value, Lines: 5, Invalid: fault != "",
				OnText: typed}, say.Text(p.Help)+" "+say.Text(p.Effect), fault),
		app.Div().Class("row").Body(
			app.Button().ID(p.Name+"-pick").Class("button").Type("button").
				Text(say.Text("Take it from a file…")).
				OnClick(func(app.Context, app.Event) { s.Browser.Pick(input) }),
			parts.FileInput(input, parts.AcceptTable,
				func(f engine.File) {
					s.Browser.Text(f, func(text string) {
						m.Question.Edit(p.Name, func(q *form.Question) { q.Params[p.Name] = text })
					},
						func(why string) { m.Forecast.RefuseFile(p.Name, why) })
				}),
		),
	}
}

// unplaced says that some cells of the question's columns fit no category, until their owner has
// decided about them.
func (s *Step) unplaced() app.UI {
	m := s.Model
	for _, column := range m.Question.Unplaced() {
		if cells, more := m.Codebook.Spelling.Of(column); len(cells) == 0 && !more {
			continue
		}
		return app.Div().Class("note warn").ID("unplaced").Body(
			app.P().Text(say.Format("Some cells of %s match none of its categories, and count as "+
				"no value.",
				m.Codebook.Title(column))),
			app.Div().Body(app.Button().ID("decide").Class("button small").Type("button").
				Text(say.Text("Say what they are")).
				OnClick(func(app.Context, app.Event) { m.Way.GoTo(stage.Columns) })))
	}
	return parts.Absent()
}

// cells offers to read the column before anything is spent, and lists the cells without a value.
func (s *Step) cells() app.UI {
	m := s.Model
	c := m.Cells
	switch {
	case c.Progress != nil:
		return parts.Meter(say.Text("Reading the column…"), *c.Progress, m.Cells.CancelReading)
	case c.Failure != nil:
		return parts.FailureNote(c.Failure)
	case c.Read && len(c.Problems) == 0 && len(m.Question.Unplaced()) > 0:
		return app.P().Class("soft").Role("status").
			Text(say.Text("Some cells match none of your categories and count as no value."))
	case c.Read && len(c.Problems) == 0:
		return app.P().Class("soft").Role("status").
			Text(say.Text("Every cell with something in it was read."))
	case c.Read:
		return data.ProblemList(
			say.Text("These cells have no value and count for nobody. Only you see this list."),
			c.Problems, m)
	}
	return app.Div().
		Body(app.Button().ID("read-cells").Class("button plain").Type("button").
			Text(say.Text("Which cells cannot be read?")).
			OnClick(func(app.Context, app.Event) { m.Cells.ReadColumn() }))
}

// about explains a task: what is released, how, and who invented it.
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
				Body(app.A().Class("target").Href(place.DocsPath(t.ID)).
					Text(say.Text("Its guarantee, its fields and its limits"))),
		),
	)
}
