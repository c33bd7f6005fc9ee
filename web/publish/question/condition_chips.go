package question

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/form"
)

// whom shows the conditions, each as a word of the sentence that can be removed, and a way to add
// another: a question about some people must not read like one about all. many is the noun for the
// people, if the sentence has not named them.
func (s *Sentence) whom(many string) (body []app.UI) {
	m := s.Model
	if filter := m.Question.Form.Filter; len(filter) > 0 {
		if many != "" {
			body = append(body, app.Text(say.Format("of %s", many)+" "))
		}
		body = append(body, app.Text(say.Text("with")+" "))
	}
	for i, c := range m.Question.Form.Filter {
		if i > 0 {
			body = append(body, app.Text(" "+say.Text("and")+" "))
		}
		text := s.conditionText(c)
		body = append(body, app.Span().Class("blank chip").ID("chip-"+strconv.Itoa(i+1)).Body(
			app.Span().Attr("translate", "no").Text(text),
			app.Button().ID("drop-"+strconv.Itoa(i+1)).Type("button").
				Aria("label", say.Format("Leave out: %s", text)).Text("×").
				OnClick(func(app.Context, app.Event) {
					m.Question.Edit("", func(q *form.Question) {
						q.Filter = form.Without(q.Filter, i)
					})
				}, app.EventScope(i, text))))
	}
	return append(body, app.Text(" "),
		app.Button().ID("add-condition").Class("blank add").Type("button").
			Aria("label", say.Text("Add a condition")).Text(say.Text("+ condition")).
			OnClick(func(app.Context, app.Event) {
				m.Question.Edit("", func(q *form.Question) {
					q.Filter = append(q.Filter,
						form.ConditionForm{Column: 1, Test: form.TestOneOf})
				})
			}), app.Text(" "))
}

// conditionText words a condition; one that says nothing yet has a placeholder for its values.
func (s *Sentence) conditionText(c form.ConditionForm) string {
	title := s.Model.Codebook.Title(c.Column)
	if !c.Complete() {
		return title + " …"
	}
	condition := c.Condition()
	condition.Label = title
	return ask.Condition(say.Language(), condition)
}

const (
	anyValue    = "any"
	namedValues = "named"
	otherValues = "other"
	valuePrefix = "="
)

// values is a choice of the main column's values that count.
func (s *Sentence) values() app.UI {
	m := s.Model
	named := m.Question.Form.Values
	list := form.Split(named.List, "\n")
	asks := m.Question.Form.AsksValues(m.Question.Task())
	var options []app.UI
	if asks {
		options = append(options, app.Option().Value("").Text(say.Text("choose…")).Selected(true))
	}
	all := named.Any || !asks && named == form.Values{}
	options = append(options,
		app.Option().Value(anyValue).Text(say.Text("any value")).Selected(all))
	listed := m.Codebook.Listed(m.Question.Form.Column)
	one := ""
	for i, category := range listed {
		if i == mostOffered {
			break
		}
		chosen := len(list) == 1 && list[0] == category
		if chosen {
			one = category
		}
		options = append(options, app.Option().Value(valuePrefix+category).
			Attr("translate", "no").Text(category).Selected(chosen))
	}
	if one == "" && !asks && !all {
		options = append(options, app.Option().Value(namedValues).Text(s.namedText()).
			Selected(true))
	}
	more := say.Text("several or other values…")
	if m.Question.Kind() != domain.Category {
		more = say.Text("from … to …")
	}
	options = append(options, app.Option().Value(otherValues).Text(more))
	return s.choice("values", say.Text("Values that count"), asks || all, options,
		func(v string) {
			if s.naming = ""; v == otherValues {
				s.naming = s.place()
				m.Update()
				return
			}
			if v == namedValues || v == "" {
				return
			}
			m.Question.Edit("", func(q *form.Question) {
				q.Values = form.Values{Any: v == anyValue}
				if category, ok := strings.CutPrefix(v, valuePrefix); ok {
					q.Values.List = category
				}
			})
		})
}

const mostOffered = 200 // categories in the choice of values

// namedText words the values named.
func (s *Sentence) namedText() string {
	v := s.Model.Question.Form.Values
	if list := form.Split(v.List, "\n"); len(list) > 0 {
		return ask.OneOf(say.Language(), list)
	}
	spec := v.Of(domain.Spec{})
	return strings.TrimSpace(ask.Condition(say.Language(),
		table.Condition{Label: " ", From: spec.Lo, To: spec.Hi}))
}

// place identifies the blank whose values are typed, so that another column's are not taken for
// them.
func (s *Sentence) place() string {
	q := s.Model.Question.Form
	return q.Task + " " + strconv.Itoa(q.Column)
}

// names reports whether values are being typed.
func (s *Sentence) names() bool {
	m := s.Model
	v := m.Question.Form.Values
	return m.Question.Task().Counts && m.Codebook.IsDescribed(m.Question.Form.Column) &&
		(s.naming == s.place() ||
			v.From != "" || v.To != "" || len(form.Split(v.List, "\n")) > 1)
}

// named are the fields in which values are typed.
func (s *Sentence) named() app.UI {
	m := s.Model
	edit := func(id string, change func(v *form.Values, text string)) func(string) {
		return func(text string) {
			m.Question.Edit(id, func(q *form.Question) {
				q.Values.Any = false
				change(&q.Values, text)
			})
		}
	}
	v := m.Question.Form.Values
	if m.Question.Kind() == domain.Category {
		return parts.Labelled("values-list", say.Text("Values that count, one a line"),
			&parts.TextInput{ID: "values-list", Value: v.List, Lines: 3,
				OnText: edit("values-list", func(v *form.Values, t string) { v.List = t })},
			say.Text("As the cells have them, with each spelling that means the same. All others "+
				"count as a no."), "")
	}
	return app.Div().Class("fields").Body(
		parts.TextField("values-from", say.Text("from"), v.From, "", "",
			edit("values-from", func(v *form.Values, t string) { v.From = t })),
		parts.TextField("values-to", say.Text("to"), v.To, "", "",
			edit("values-to", func(v *form.Values, t string) { v.To = t })))
}
