package question

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/form"
)

// criteria is the builder: a row for each condition that made-up data must meet, which is a line of
// one parameter. Behind the rows the same lines are available as text.
func (s *Step) criteria(p ask.Param, value string, typed func(string)) []app.UI {
	m := s.Model
	refused := ""
	if f := m.Forecast.Failure; f != nil && f.Field == p.Name {
		refused = f.Value
	}
	lines, at := task.CriterionLines(value, refused)
	rows := make([]app.UI, len(lines))
	for i, line := range lines {
		fault := ""
		if i == at {
			fault = m.Forecast.Fault(p.Name)
		}
		rows[i] = s.criterion(i, line, fault)
	}
	return []app.UI{app.Div().Class("stack").Role("group").ID("criteria-rows").
		Aria("labelledby", "criteria-title").Body(
		app.Div().Body(
			app.P().Class("label").ID("criteria-title").Text(say.Text(p.Label)),
			app.P().Class("small soft").Text(say.Text(p.Effect)),
		),
		app.Div().Class("more").Body(rows...),
		app.Div().Body(app.Button().ID("add-criterion").Class("button").Type("button").
			Text(say.Text("Add a criterion")).
			OnClick(func(app.Context, app.Event) {
				s.setLines("", func(lines []string) []string {
					return append(lines, s.nextCriterion(lines))
				})
			})),
		app.Details().Open(at < 0 && m.Forecast.Fault(p.Name) != "").Body(
			app.Summary().Text(say.Text("The same as text")),
			app.Div().Body(s.lines(p, value, typed)...),
		),
	)}
}

// setLines changes the criteria; field is the one being typed in.
func (s *Step) setLines(field string, change func(lines []string) []string) {
	s.Model.Question.Edit(field, func(q *form.Question) {
		lines, _ := task.CriterionLines(q.Params[task.ParamCriteria], "")
		q.Params[task.ParamCriteria] = strings.Join(change(lines), "\n")
	})
}

// nextCriterion returns a criterion of the first kind that is not used yet, with a tolerance above
// its noise.
func (s *Step) nextCriterion(lines []string) string {
	var have []string
	for _, line := range lines {
		if c, ok := task.ReadCriterion(line); ok {
			have = append(have, c.Kind)
		}
	}
	list := s.criterionKinds()
	for _, k := range list {
		if !slices.Contains(have, k.Name) {
			return s.begun(k).Line()
		}
	}
	return s.begun(list[0]).Line()
}

// criterionKinds returns the kinds that the columns of the question allow.
func (s *Step) criterionKinds() []task.CriterionKind {
	return task.CriterionKinds(say.Language(), s.Model.Question.Recipe())
}

// begun returns a criterion of a kind before anything is chosen.
func (s *Step) begun(k task.CriterionKind) task.CriterionText {
	r := s.Model.Question.Recipe()
	c := task.CriterionText{Kind: k.Name,
		Columns: task.CriterionColumns(say.Language(), r, k.Name)[:k.Columns]}
	if k.At {
		c.At = "10"
	}
	people := int64(0)
	if plan := s.Model.Forecast.Plan; plan != nil {
		people = plan.People
	}
	c.Within = c.Suggest(say.Language(), r, people)
	return c
}

// criterion is a row: what is compared, for which columns, and how near it must be.
func (s *Step) criterion(i int, line, fault string) app.UI {
	id := func(name string) string { return "criterion-" + strconv.Itoa(i+1) + "-" + name }
	set := func(field string, change func(line string) string) {
		s.setLines(field, func(lines []string) []string {
			if i < len(lines) { // otherwise it is gone, and still on the screen
				lines[i] = change(lines[i])
			}
			return lines
		})
	}
	edit := func(field string, change func(c *task.CriterionText)) {
		set(field, func(line string) string {
			c, ok := task.ReadCriterion(line)
			if !ok { // it was typed over, and is still on the screen
				return line
			}
			change(&c)
			return c.Line()
		})
	}
	var fields []app.UI
	typed := func(name, label, value string, take func(text string)) {
		fields = append(fields, app.Div().Class("field").Body(
			app.Label().For(id(name)).Text(label),
			&parts.TextInput{ID: id(name), Value: value, Invalid: fault != "",
				OnText: take}))
	}
	last := "line"
	if c, ok := task.ReadCriterion(line); ok {
		last = "within"
		fields = s.parts(c, id, edit)
		k, _ := task.CriterionKindOf(c.Kind)
		if k.At {
			typed("at", say.Text("Which quantile, in %"), c.At, func(text string) {
				edit(id("at"), func(c *task.CriterionText) { c.At = number(text) })
			})
		}
		label := say.Text("Within ±")
		if _, many := s.Model.Codebook.People(); k.Share {
			label = say.Format("Within ± %% of %s", many)
		}
		typed("within", label, c.Within, func(text string) {
			edit(id("within"), func(c *task.CriterionText) { c.Within = number(text) })
		})
	} else {
		typed("line", say.Text("Criterion as text"), line, func(text string) {
			set(id("line"), func(string) string { return text })
		})
	}
	return app.Div().Class("condition").Role("group").
		Aria("label", say.Format("Criterion %d", i+1)).Body(
		app.Div().Class("fields").Body(fields...),
		app.P().Class("field-error").ID(id(last)+"-fault").Role("alert").Text(fault),
		app.Button().ID(id("remove")).Class("button plain").Type("button").
			Aria("label", say.Format("Remove criterion %d", i+1)).Text(say.Text("Remove")).
			OnClick(func(app.Context, app.Event) {
				s.setLines("", func(lines []string) []string {
					return slices.Delete(lines, min(i, len(lines)), min(i+1, len(lines)))
				})
				s.Browser.Reveal("add-criterion")
			}, app.EventScope(i)),
	)
}

// number makes a text fit to stand between commas; the question decides whether it is valid.
func number(text string) string { return strings.NewReplacer("%", "", ",", ".").Replace(text) }

// parts are the choices in a criterion: its kind, and its columns.
func (s *Step) parts(c task.CriterionText, id func(string) string,
	edit func(field string, change func(c *task.CriterionText))) []app.UI {
	var kinds []parts.Option
	list := s.criterionKinds()
	for _, k := range list {
		kinds = append(kinds, parts.Option{Value: k.Name, Text: say.Text(k.Label)})
	}
	fields := []app.UI{parts.SelectField(id("kind"), say.Text("What is compared"), c.Kind, kinds,
		"", "", func(name string) {
			if k, known := task.CriterionKindOf(name); known {
				edit("", func(c *task.CriterionText) { *c = s.begun(k) })
			}
		})}
	names := task.CriterionColumns(say.Language(), s.Model.Question.Recipe(), c.Kind)
	for k, column := range c.Columns {
		var options []parts.Option
		if !slices.Contains(names, column) {
			options = append(options, parts.Option{Value: column, Text: column})
		}
		for _, name := range names {
			options = append(options, parts.Option{Value: name, Text: name})
		}
		label := say.Text("of")
		if k > 0 {
			label = say.Text("and")
		}
		fields = append(fields, parts.DataField(id("column-"+strconv.Itoa(k+1)), label, column,
			options, "", "", func(name string) {
				edit("", func(c *task.CriterionText) {
					if k < len(c.Columns) {
						c.Columns[k] = name
					}
				})
			}))
	}
	return fields
}
