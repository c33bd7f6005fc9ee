package ask

import (
	"strings"

	"hush/core/message"
	"hush/core/table"
)

// only says who alone counts, where a filter says so: a number about some people is not one about
// all of them.
func (q *Query) only() string {
	if len(q.Recipe.Filter) == 0 {
		return ""
	}
	var conditions []string
	for _, c := range q.Recipe.Filter {
		conditions = append(conditions, condition(q.Say, c))
	}
	return q.Say.Format("Only those count with %s.",
		strings.Join(conditions, " "+q.Say.Text("and")+" "))
}

// mostListed are the values of a list that are said.
const mostListed = 5

// condition is what a condition asks of a column, as “age from 18 to 64”.
func condition(say *message.Language, c table.Condition) string {
	name, list := c.Label, c.In
	if name == "" {
		name = say.Format("column %d", c.Column)
	}
	if len(list) == 0 && c.From == "" && c.To == "" {
		list = c.Spec.Categories
	}
	what := strings.Join(list[:min(len(list), mostListed)], ", ")
	if more := len(list) - mostListed; more > 0 {
		what = say.Format("%s and %d more", what, more)
	}
	text := ""
	switch {
	case len(list) > 0 && c.Not:
		return say.Format("%s none of %s", name, what)
	case len(list) == 1:
		return say.Format("%s %s", name, what)
	case len(list) > 0:
		return say.Format("%s one of %s", name, what)
	case c.From != "" && c.To != "":
		text = say.Format("%s from %s to %s", name, c.From, c.To)
	case c.From != "":
		text = say.Format("%s from %s on", name, c.From)
	case c.To != "":
		text = say.Format("%s up to %s", name, c.To)
	default:
		text = say.Format("a value of %s", name)
	}
	if c.Not {
		return say.Format("not %s", text)
	}
	return text
}
