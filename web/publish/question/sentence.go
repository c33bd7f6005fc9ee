package question

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
)

// Sentence is the question in words, with a choice of columns in each blank.
type Sentence struct {
	app.Compo

	Model    *state.Model // read and changed
	Revision int          // Model.Revision

	naming  string // of which task and column other values are typed than those in the list
	finding bool   // columns whose groups are found privately are on offer
}

// Render draws the words of the sentence between its blanks.
func (s *Sentence) Render() app.UI {
	m := s.Model
	t := m.Question.Task()
	_, many := m.Codebook.People()
	var body []app.UI
	rest, said := say.Text(t.Sentence), false // the people it is about
	for {
		before, behind, found := strings.Cut(rest, "{")
		if before == "?" && !said {
			body = append(body, app.Text(" "))
			body = append(body, s.whom(many)...)
		}
		if last := len(body) - 1; before == "?" && last >= 0 { // it stays with the last word
			body[last] = app.Span().Class("nowrap").Body(body[last], app.Text(before))
			break
		}
		body = append(body, app.Text(before))
		if !found {
			break
		}
		name, behind, _ := strings.Cut(behind, "}")
		switch {
		case name == "many":
			body = append(body, app.Text(many+" "))
			body, said = append(body, s.whom("")...), true
		case name == "values":
			body = append(body, s.values())
		case name == "column" && len(t.Domains) > 0:
			body = append(body, s.blank(0, false))
		case name == "group":
			body = append(body, s.group())
		case name == ask.FurtherGroups:
			body = append(body, s.further()...)
		default:
			body = append(body, s.role(name)...)
		}
		rest = behind
	}
	return app.Div().Class("stack tight").Body(
		app.P().ID("sentence").Class("sentence").DataSet("task", t.ID).Body(body...),
		s.fault("column"), s.fault("kind"), s.fault("groupColumn"), s.fault("filter"),
		app.If(s.names(), s.named),
		app.If(len(m.Question.Form.Filter) > 0, func() app.UI {
			return &FilterFields{Model: m, Revision: s.Revision}
		}))
}

func (s *Sentence) fault(field string) app.UI {
	return app.P().Class("field-error").ID(field + "-fault").Role("alert").
		Text(s.Model.Forecast.Fault(field))
}

// role returns the blanks for the columns with a role, and one for a further column.
func (s *Sentence) role(name string) (body []app.UI) {
	m := s.Model
	i := slices.IndexFunc(m.Question.Task().Others, func(r ask.Role) bool { return r.Name == name })
	if i < 0 {
		return nil // unreachable: a test looks at every sentence
	}
	role, n := m.Question.Task().Others[i], 0
	for _, f := range m.Question.Form.Others {
		if f.Role == name {
			n++
		}
	}
	for i, f := range m.Question.Form.Others {
		if f.Role != name {
			continue
		}
		if len(body) > 0 {
			body = append(body, app.Text(", "))
		}
		body = append(body, s.blank(i+1, n > role.Min))
	}
	if n < role.Max && role.Max > role.Min {
		body = append(body, app.Text(" "),
			app.Button().ID("add-"+role.Name).Class("blank add").Type("button").
				Aria("label", say.Format("Add a column: %s", say.Text(role.Label))).
				Text(say.Text("+ column")).
				OnClick(func(app.Context, app.Event) {
					m.Question.Edit("", func(q *form.Question) {
						q.AddField(m.Question.Task(), role)
					})
				}, app.EventScope(m.Question.Form.Task, name)))
	}
	return body
}

// further are the columns whose values are combined with the groups; there are none without groups.
func (s *Sentence) further() []app.UI {
	q := s.Model.Question.Form
	blanks := s.role(ask.FurtherGroups)
	some := slices.ContainsFunc(q.Others, func(f form.FieldForm) bool {
		return f.Role == ask.FurtherGroups
	})
	switch {
	case some:
		return append([]app.UI{app.Text(" " + say.Text("and") + " ")}, blanks...)
	case q.Group == 0:
		return nil
	}
	return blanks
}

// chosen returns the column in a blank.
func (s *Sentence) chosen(at int) int {
	if at > 0 {
		return s.Model.Question.Form.Others[at-1].Column
	}
	return s.Model.Question.Form.Column
}

const removed = "remove"

// blank is a choice of columns: described ones that fit, and others that are described first.
func (s *Sentence) blank(at int, removable bool) app.UI {
	m := s.Model
	column := s.chosen(at)
	var fitting, others []app.UI
	for _, c := range m.Codebook.Columns() {
		option := app.Option().Value(strconv.Itoa(c.Number)).Attr("translate", "no").
			Text(say.Phrase(c.Title())).Selected(c.Number == column)
		switch {
		case c.State() != codebook.Described:
			others = append(others, option)
		case m.Question.Fits(at, c.Number) || c.Number == column:
			fitting = append(fitting, option)
		}
	}
	options := append([]app.UI{
		app.Option().Value("0").Text(say.Text("choose…")).Selected(column == 0)}, fitting...)
	if len(others) > 0 {
		options = append(options,
			app.OptGroup().Label(say.Text("Describe first")).Body(others...))
	}
	if removable {
		options = append(options, app.Option().Value(removed).Text(say.Text("leave out")))
	}
	return s.choice(fieldID(at, "column"), s.title(at), column == 0, options, func(v string) {
		if v == removed {
			m.Question.Edit("", func(q *form.Question) { q.Others = form.Without(q.Others, at-1) })
			return
		}
		n, _ := strconv.Atoi(v)
		m.Question.ChooseColumn(at, n)
	})
}

// choice is a select that reads like a word of the sentence.
func (s *Sentence) choice(id, label string, empty bool, options []app.UI,
	choose func(string)) app.UI {
	class := "blank"
	if empty {
		class = "blank add"
	}
	return app.Span().Class(class).Body(
		app.Select().ID(id).Aria("label", label).Aria("describedby", "missing-note").
			Body(options...).
			OnChange(func(ctx app.Context, _ app.Event) {
				choose(ctx.JSSrc().Get("value").String())
			}, app.EventScope(s.Model.Question.Form.Task, id)),
		parts.Icon(iconDown))
}

// title distinguishes the columns: "Column", or "Column with the yes or no", numbered if several
// have the role.
func (s *Sentence) title(at int) string {
	m := s.Model
	if at == 0 {
		return say.Text("Column")
	}
	role := m.Question.Role(at)
	title := say.Format("Column with %s", say.Text(role.Label))
	if role.Max > 1 {
		first := slices.IndexFunc(m.Question.Form.Others, func(f form.FieldForm) bool {
			return f.Role == role.Name
		})
		title += fmt.Sprintf(" %d", at-first)
	}
	return title
}

const (
	found  = "find-" // before a column whose groups are found
	toFind = "find"  // the line behind which they stand
	toList = "list"  // the line back
)

// group is a choice of columns for whose groups the question is answered: those with a public list,
// and others that get one. Behind one line are those whose groups are found privately. The column
// that says whose rows these are has no groups.
func (s *Sentence) group() app.UI {
	m, q := s.Model, s.Model.Question.Form
	finding := q.Find && q.Group > 0 || s.finding
	var listed, first, private []app.UI
	for _, c := range m.Codebook.Columns() {
		number, title, chosen := strconv.Itoa(c.Number), say.Phrase(c.Title()), c.Number == q.Group
		if c.Number == m.Codebook.Form.Column && !chosen {
			continue
		}
		option := app.Option().Value(number).Text(say.Format("for each %s", title)).
			Selected(chosen && !finding)
		switch {
		case len(m.Codebook.Listed(c.Number)) > 0:
			listed = append(listed, option)
		case !m.Codebook.IsDescribed(c.Number) || chosen && !finding:
			first = append(first, option)
		}
		private = append(private, app.Option().Value(found+number).
			Text(say.Format("for each %s that is found", title)).Selected(chosen && q.Find))
	}
	options := []app.UI{app.Option().Value("0").Text(say.Text("for everybody at once")).
		Selected(q.Group == 0 && !s.finding)}
	if finding {
		options = append(options,
			app.Option().Value(toFind).Text(say.Text("for each … that is found: choose…")).
				Disabled(true).Selected(q.Group == 0 || !q.Find))
		options = append(options, private...)
		options = append(options,
			app.Option().Value(toList).Text(say.Text("for each of a list…")))
	} else {
		options = append(options, listed...)
		if len(first) > 0 {
			options = append(options,
				app.OptGroup().Label(say.Text("Describe first")).Body(first...))
		}
		if m.Question.Task().FindsGroups() {
			options = append(options,
				app.Option().Value(toFind).Text(say.Text("for each … that is found privately")))
		}
	}
	return s.choice("group-column", say.Text("Answer for"), q.Group == 0, options,
		func(v string) {
			if s.finding = v == toFind; s.finding {
				return
			}
			number, find := strings.CutPrefix(v, found)
			n, _ := strconv.Atoi(number)
			m.Question.Edit("", func(q *form.Question) {
				if q.Group, q.Find = n, find; n == 0 {
					q.Others = slices.DeleteFunc(q.Others, func(f form.FieldForm) bool {
						return f.Role == ask.FurtherGroups
					})
				}
			})
		})
}
