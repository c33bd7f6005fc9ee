package publish

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
)

// PeopleFields asks what a row stands for, and whom the question is about.
type PeopleFields struct {
	app.Compo

	Model    *state.Model // read and changed
	Revision int          // Model.Revision
}

// Render draws the choice and the conditions, folded away while nothing was chosen: most files have
// a row per person.
func (p *PeopleFields) Render() app.UI {
	q := p.Model.Question
	return app.Details().Open(q.Who != form.EachRow || len(q.Filter) > 0).Body(
		app.Summary().Text(say.Text("Who counts: persons, counts, conditions")),
		app.Div().Class("more").Body(p.who(), p.filter()),
	)
}

func (p *PeopleFields) who() app.UI {
	m := p.Model
	q := m.Question
	help := map[form.Who]string{
		form.EachRow: say.Text("Protected is one row."),
		form.Persons: say.Text("Protected are all rows of one person: one of them counts, kept " +
			"at random. The number of persons is public, the number of rows is not."),
		form.Counts: say.Text("For tables that were counted elsewhere, as by SQL: value and " +
			"number. Protected is still one person. It is no survey weight."),
	}
	fields := []app.UI{
		parts.SelectField("who", say.Text("A row stands for"), string(q.Who),
			[]parts.Option{{Value: string(form.EachRow), Text: say.Text("one person")},
				{Value: string(form.Persons), Text: say.Text("a person named by a column")},
				{Value: string(form.Counts), Text: say.Text("as many persons as a column says")}},
			help[q.Who], "",
			func(v string) {
				m.Edit("", func(q *form.Question) { q.Who, q.WhoColumn = form.Who(v), 0 })
			}),
	}
	if q.Who != form.EachRow {
		fault := m.Fault("person")
		if q.Who == form.Counts {
			fault = m.Fault("count")
		}
		fields = append(fields,
			parts.DataField("who-column", say.Text("Named in"), strconv.Itoa(q.WhoColumn),
				columnOptions(m), "", fault,
				func(v string) {
					m.Edit("", func(q *form.Question) { q.WhoColumn = parts.Number(v) })
				}))
	}
	return app.Div().Class("fields").Body(fields...)
}

func (p *PeopleFields) filter() app.UI {
	m := p.Model
	rows := make([]app.UI, 0, len(m.Question.Filter)+1)
	for i := range m.Question.Filter {
		rows = append(rows, p.condition(i))
	}
	return app.Div().Class("more").Body(
		app.P().Class("label").Text(say.Text("Only people whose…")),
		app.Div().Class("more").Body(rows...),
		app.P().Class("field-error").Role("alert").Text(m.Fault("filter")),
		app.Div().Class("row").Body(
			app.Button().ID("add-condition").Class("button").Type("button").
				Text(say.Text("Add a condition")).
				OnClick(func(app.Context, app.Event) {
					m.Edit("", func(q *form.Question) {
						q.Filter = append(q.Filter,
							form.ConditionForm{Column: 1, Test: form.TestOneOf})
					})
				}),
			app.Span().Class("small soft").
				Text(say.Text("Conditions are public. Who does not meet them counts for nobody, "+
					"and stays in n.")),
		),
		parts.Explain(say.Text("neighbours, no value, stays in n")),
	)
}

func (p *PeopleFields) condition(i int) app.UI {
	m := p.Model
	c := m.Question.Filter[i]
	id := func(name string) string { return fmt.Sprintf("condition-%d-%s", i+1, name) }
	edit := func(field string, change func(*form.ConditionForm)) {
		m.Edit(field, func(q *form.Question) {
			if i < len(q.Filter) { // else it is gone, and on the screen yet
				q.Filter = slices.Clone(q.Filter)
				change(&q.Filter[i])
			}
		})
	}
	fields := []app.UI{
		parts.DataField(id("column"), say.Text("Column"), strconv.Itoa(c.Column),
			columnOptions(m)[1:], "", "",
			func(v string) {
				edit("", func(c *form.ConditionForm) { c.Column = parts.Number(v) })
			}),
		parts.SelectField(id("test"), say.Text("is"), c.Test, parts.Options(form.TestNames), "", "",
			func(v string) { edit("", func(c *form.ConditionForm) { c.Test = v }) }),
	}
	if c.Test == form.TestOneOf || c.Test == form.TestNoneOf {
		fields = append(fields, parts.Labelled(id("list"), say.Text("Values, one a line"),
			&parts.TextInput{ID: id("list"), Value: c.List, Lines: 2, OnText: func(v string) {
				edit(id("list"), func(c *form.ConditionForm) { c.List = v })
			}}, "", ""))
	} else {
		fields = append(fields,
			parts.TextField(id("from"), say.Text("from"), c.From, "", "", func(v string) {
				edit(id("from"), func(c *form.ConditionForm) { c.From = v })
			}),
			parts.TextField(id("to"), say.Text("to"), c.To, "", "", func(v string) {
				edit(id("to"), func(c *form.ConditionForm) { c.To = v })
			}))
	}
	return app.Div().Class("condition").Role("group").
		Aria("label", say.Format("Condition %d", i+1)).Body(
		app.Div().Class("fields").Body(fields...),
		app.Button().Class("button plain").Type("button").Text(say.Text("Remove")).
			OnClick(func(app.Context, app.Event) {
				m.Edit("", func(q *form.Question) { q.Filter = form.Without(q.Filter, i) })
			}),
	)
}
