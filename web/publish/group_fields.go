package publish

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
)

// GroupFields asks for which groups a question is answered: everybody at once, a public list of
// groups, which is typed and never read, or those that many people belong to, which are found at a
// price.
type GroupFields struct {
	app.Compo

	Model    *state.Model // read and changed
	Revision int          // Model.Revision
}

// Render draws the column of groups, and how they are known.
func (g *GroupFields) Render() app.UI {
	m := g.Model
	q := m.Question
	options := columnOptions(m)
	options[0].Text = say.Text("everybody at once")
	column := parts.DataField("group-column", say.Text("Answer for"), strconv.Itoa(q.Group),
		options, say.Text("A column answers for each of its groups, at the price of one answer."),
		m.Fault("groupColumn"), func(v string) {
			m.Edit("", func(q *form.Question) { q.Group = parts.Number(v) })
		})
	if q.Group == 0 {
		return app.Div().Class("fields").Body(column)
	}
	how := parts.SelectField("groups-how", say.Text("Which groups there are"),
		strconv.FormatBool(q.Find),
		[]parts.Option{{Value: "false", Text: say.Text("is known: a public list")},
			{Value: "true", Text: say.Text("is not known: find them privately")}}, "", "",
		func(v string) { m.Edit("", func(q *form.Question) { q.Find = v == "true" }) })
	body := []app.UI{app.Div().Class("fields").Body(column, how)}
	if q.Find {
		body = append(body, g.find()...)
	} else {
		fault := m.Fault("groups")
		body = append(body,
			parts.Labelled("groups", say.Text("Groups, one a line"),
				&parts.TextInput{ID: "groups", Value: q.Groups, Lines: 3, Invalid: fault != "",
					OnText: func(v string) {
						m.Edit("groups", func(q *form.Question) { q.Groups = v })
					}},
				say.Text("Type them from what is known publicly. Whoever is in none of them "+
					"counts "+
					"in no group."), fault))
	}
	return app.Div().Class("more").Body(body...)
}

// find asks what may be spent on finding the groups.
func (g *GroupFields) find() []app.UI {
	m := g.Model
	q := m.Question
	return []app.UI{
		app.P().Class("small soft").Text(say.Text("The names of groups that many people belong " +
			"to are released with the answer, and how many people they have; whoever is in " +
			"another group counts among all others. A group of a few people stays unseen, but " +
			"for the chance δ.")),
		app.Div().Class("fields").Body(
			parts.TextField("find-share", say.Text("Part of ε for finding them, in percent"),
				q.FindShare,
				say.Text("1 to 99. More finds smaller groups, and leaves less for the answer."),
				m.Fault("findShare"), func(v string) {
					m.Edit("find-share", func(q *form.Question) { q.FindShare = v })
				}),
			parts.TextField("find-delta", say.Text("δ (delta) for finding them"), q.FindDelta,
				say.Text("Far below 1 divided by the number of people. With this chance the "+
					"group of a single person is found."),
				m.Fault("findDelta"), func(v string) {
					m.Edit("find-delta", func(q *form.Question) { q.FindDelta = v })
				}),
		),
	}
}
