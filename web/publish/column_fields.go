package publish

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/domain"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
)

// ColumnFields asks for one column: which one, what it holds, which values are possible, and what
// it is published as.
type ColumnFields struct {
	app.Compo

	Model     *state.Model // read and changed
	Revision  int          // Model.Revision
	At        int          // 0: the main column; 1: the first further one
	Removable bool         // of a further one: there may be fewer
}

// Render draws the fields of a further column; those of the main one are drawn one by one.
func (c *ColumnFields) Render() app.UI {
	m := c.Model
	f := m.Question.Others[c.At-1]
	body := []app.UI{c.column()}
	if f.Column > 0 {
		body = append(body, c.domain())
		if m.Role(c.At).Cuts {
			body = append(body,
				parts.TextField(fieldID(c.At, "cuts"), say.Text("Cut points"), f.Cuts,
					say.Text("Public places at which the values are parted, separated by commas: "+
						"each is the first value above the cut."),
					m.Fault(faultField(c.At, "cuts")),
					func(v string) {
						m.Edit(fieldID(c.At, "cuts"), func(q *form.Question) {
							q.Other(c.At).Cuts = v
						})
					}))
		}
		body = append(body, c.label())
	}
	if c.Removable {
		body = append(body,
			app.Div().
				Body(app.Button().ID(fieldID(c.At, "remove")).Class("button plain").Type("button").
					Text(say.Text("Remove")).
					OnClick(func(app.Context, app.Event) {
						m.Edit("", func(q *form.Question) {
							q.Others = form.Without(q.Others, c.At-1)
						})
					})))
	}
	return app.Div().Class("condition").Role("group").
		Aria("label", say.Text(m.Role(c.At).Label)+", "+m.ColumnName(f.Column)).Body(body...)
}

// chosen is the column's number, and its published name as typed.
func (c *ColumnFields) chosen() (column int, label string) {
	if q := c.Model.Question; c.At > 0 {
		return q.Others[c.At-1].Column, q.Others[c.At-1].Label
	} else {
		return q.Column, q.Label
	}
}

// choose changes them.
func (c *ColumnFields) choose(field string, column int, label string) {
	c.Model.Edit(field, func(q *form.Question) {
		if c.At > 0 {
			f := q.Other(c.At)
			f.Column, f.Label = column, label
		} else {
			q.Column, q.Label = column, label
		}
	})
}

// title tells the columns apart: "Column", or "Column with the yes or no", numbered where several
// have the role.
func (c *ColumnFields) title() string {
	if c.At == 0 {
		return say.Text("Column")
	}
	role := c.Model.Role(c.At)
	title := say.Format("Column with %s", say.Text(role.Label))
	if role.Max > 1 {
		first := slices.IndexFunc(c.Model.Question.Others, func(f form.FieldForm) bool {
			return f.Role == role.Name
		})
		title += fmt.Sprintf(" %d", c.At-first)
	}
	return title
}

func (c *ColumnFields) column() app.UI {
	m := c.Model
	var kinds []parts.Option
	for _, k := range form.KindNames {
		if slices.Contains(m.Kinds(c.At), domain.Kind(k.Value)) {
			kinds = append(kinds, parts.Option{Value: k.Value, Text: say.Text(k.Text)})
		}
	}
	column, _ := c.chosen()
	return app.Div().Class("more").Body(
		app.Div().Class("fields").Body(
			parts.DataField(fieldID(c.At, "column"), c.title(), strconv.Itoa(column),
				columnOptions(m), "", m.Fault(faultField(c.At, "column")),
				func(v string) { c.choose("", parts.Number(v), "") }),
			parts.SelectField(fieldID(c.At, "kind"), say.Text("It holds"),
				string(m.Question.Form(c.At).Kind), kinds, "", m.Fault(faultField(c.At, "kind")),
				func(v string) {
					m.Edit("", func(q *form.Question) { q.Form(c.At).SetKind(domain.Kind(v)) })
				}),
		),
		c.guess(),
	)
}

// guess offers what the first rows look like; it counts only when it is taken.
func (c *ColumnFields) guess() app.UI {
	m := c.Model
	column, _ := c.chosen()
	f := m.Field(column)
	if f == nil || f.Guess.Kind == "" || m.Question.Form(c.At).Takes(f.Guess) ||
		!slices.Contains(m.Kinds(c.At), f.Guess.Kind) {
		return parts.Absent()
	}
	name := ""
	for _, k := range form.KindNames {
		if k.Value == string(f.Guess.Kind) {
			name = say.Text(k.Text)
		}
	}
	looks := say.Format("The first rows look like %s: %s.", name, f.Why)
	if strings.HasPrefix(say.Phrase(f.Why), name) {
		looks = say.Format("The first rows look like %s.", f.Why)
	}
	return app.Div().Class("note").Body(
		app.P().Text(looks),
		app.Div().Body(app.Button().ID(fieldID(c.At, "take-guess")).Class("button").Type("button").
			Text(say.Format("Read it as %s", name)).
			OnClick(func(app.Context, app.Event) {
				m.Edit("", func(q *form.Question) { q.Form(c.At).Take(f.Guess) })
			})),
	)
}

// domain asks which values are possible. Nothing here is ever filled from the data.
func (c *ColumnFields) domain() app.UI {
	return &DomainFields{Model: c.Model, Revision: c.Model.Revision, At: c.At}
}

// label asks under which name the column is published: the header's word comes from the file and
// must be confirmed.
func (c *ColumnFields) label() app.UI {
	m := c.Model
	column, label := c.chosen()
	return app.Div().Class("more").Body(
		parts.TextField(fieldID(c.At, "label"), say.Text("Name to publish it under"), label,
			say.Format("Left empty, the release says “column %d”.", column),
			m.Fault(faultField(c.At, "label")),
			func(v string) { c.choose(fieldID(c.At, "label"), column, v) }),
		c.offered(column, label),
	)
}

// offered is the header's word as a name to publish; where it is too long for one, only that is
// said.
func (c *ColumnFields) offered(column int, label string) app.UI {
	name := c.Model.HeaderName(column)
	switch {
	case name == "" || name == label:
		return parts.Absent()
	case len(name) > ask.MaxLabel:
		return app.P().Class("small soft").
			Text(say.Format(
				"The file's name for it is not offered: a published name has at most %d bytes.",
				ask.MaxLabel))
	}
	return app.Div().
		Body(app.Button().Class("button plain").Type("button").ID(fieldID(c.At, "use-name")).
			Text(say.Format("Use “%s” from the file", name)).
			OnClick(func(app.Context, app.Event) { c.choose("", column, name) }))
}
