package question

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/publish/data"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
)

// FilterFields asks which people the question is about.
type FilterFields struct {
	app.Compo

	Model    *state.Model // read and changed
	Revision int          // Model.Revision
}

// Render draws the conditions.
func (p *FilterFields) Render() app.UI {
	m := p.Model
	rows := make([]app.UI, 0, len(m.Question.Form.Filter))
	for i := range m.Question.Form.Filter {
		rows = append(rows, p.condition(i))
	}
	_, many := m.Codebook.People()
	return app.Div().Class("more").Body(
		app.P().Class("label").Text(say.Format("Only %s whose…", many)),
		app.Div().Class("more").Body(rows...),
		app.P().Class("small soft").
			Text(say.Text("Conditions are public. Everyone else counts as having no value, and "+
				"stays in n.")),
		parts.Explain(say.Text("neighbours, no value, stays in n")),
	)
}

func (p *FilterFields) condition(i int) app.UI {
	m := p.Model
	c := m.Question.Form.Filter[i]
	id := func(name string) string { return fmt.Sprintf("condition-%d-%s", i+1, name) }
	edit := func(field string, change func(*form.ConditionForm)) {
		m.Question.Edit(field, func(q *form.Question) {
			if i < len(q.Filter) { // otherwise it is gone, and still on the screen
				q.Filter = slices.Clone(q.Filter)
				change(&q.Filter[i])
			}
		})
	}
	fields := []app.UI{
		parts.DataField(id("column"), say.Text("Column"), strconv.Itoa(c.Column),
			data.ColumnOptions(m)[1:], "", "",
			func(v string) {
				edit("", func(c *form.ConditionForm) { c.Column = parts.Number(v) })
			}),
		parts.SelectField(id("test"), say.Text("is"), c.Test, parts.Options(form.TestNames), "", "",
			func(v string) { edit("", func(c *form.ConditionForm) { c.Test = v }) }),
	}
	if listed := m.Codebook.Listed(c.Column); c.Test == form.TestOneOf && len(listed) > 0 &&
		len(listed) <= mostOffered {
		fields = append(fields, p.pick(id("value"), c, listed, edit))
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
		data.AlsoCounts(m, c),
		app.Button().Class("button plain").Type("button").Text(say.Text("Remove")).
			OnClick(func(app.Context, app.Event) {
				m.Question.Edit("", func(q *form.Question) { q.Filter = form.Without(q.Filter, i) })
			}),
	)
}

// pick adds a value of the column's list to those of the condition.
func (p *FilterFields) pick(id string, c form.ConditionForm, listed []string,
	edit func(string, func(*form.ConditionForm))) app.UI {
	options := []parts.Option{{Value: "0", Text: say.Text("Choose one…")}}
	have := form.Split(c.List, "\n")
	for _, category := range listed {
		if !slices.Contains(have, category) {
			options = append(options, parts.Option{Value: valuePrefix + category, Text: category})
		}
	}
	return parts.PickField(id, say.Text("Add a value"), options, func(v string) {
		if category, ok := strings.CutPrefix(v, valuePrefix); ok {
			edit("", func(c *form.ConditionForm) {
				c.List = strings.Join(append(form.Split(c.List, "\n"), category), "\n")
			})
		}
	})
}
