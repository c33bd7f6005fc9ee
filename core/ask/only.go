package ask

import (
	"slices"
	"strings"

	"hush/core/domain"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/table"
)

// Having words a recipe's conditions on who counts, as “city Hill and age from 18 to 64”; empty
// where there are none.
func (r Recipe) Having(say *message.Language) string {
	var conditions []string
	for _, c := range r.Filter {
		conditions = append(conditions, Condition(say, c))
	}
	return strings.Join(conditions, " "+say.Text("and")+" ")
}

// Whom names the people a recipe is about, with its conditions: “patients with city Hill”.
func (r Recipe) Whom(say *message.Language) string {
	many, having := r.voice(say).Many(), r.Having(say)
	if having == "" {
		return many
	}
	return say.Format("%s with %s", many, having)
}

// Whom is the recipe's Whom.
func (q *Query) Whom() string { return q.Recipe.Whom(q.Say) }

// Conditioned is a question whose State may itself word the conditions, for some results.
type Conditioned interface{ StatesConditions(Result) bool }

// meant puts the conditions in front of a statement that does not mention them: a number about some
// people is not one about all of them.
func (q *Query) meant(statement string) string {
	switch {
	case len(q.Recipe.Filter) == 0:
		return statement
	case q.Task.OfAll && q.Recipe.Group == nil:
		return statement + " " + q.Say.Format("The share is one of all %s; only %s count.",
			q.Count(q.Persons()), q.Whom())
	}
	return q.Say.Format("Among %s: %s", q.Whom(), statement)
}

// Values words which values of the main column count: “sex w or m”, “age from 65 to 100”; it is the
// name of the column alone where nothing restricts them.
func (q *Query) Values() string {
	spec := q.Recipe.Domain
	if len(spec.Categories) > 0 || q.Bounded() {
		return Condition(q.Say, table.Condition{Column: q.Recipe.Column, Label: q.Label, Spec: spec,
			From: q.Bare(spec.Lo), To: q.Value(spec.Hi)})
	}
	return q.Label
}

// Bounded reports whether the main column has public bounds.
func (q *Query) Bounded() bool { return q.Recipe.Domain.Lo != "" && q.Recipe.Domain.Hi != "" }

// checkNamed refuses a condition on the main column that names values missing from its list:
// conditions and the list are joined by “and”, so nobody with such a value would count.
func (q *Query) checkNamed() error {
	if q.Domain == nil || q.Recipe.Domain.Kind != domain.Category {
		return nil
	}
	for _, c := range q.Recipe.Filter {
		if c.Column != q.Recipe.Column || c.Not || c.Spec.Kind != domain.Category {
			continue
		}
		var none []string
		for _, value := range append(slices.Clone(c.Spec.Categories), c.In...) {
			if _, ok := q.Domain.Encode([]byte(value)); !ok && !slices.Contains(none, value) {
				none = append(none, value)
			}
		}
		if len(none) > 0 {
			return Refuse("filter", phrase.Of("%s %s", q.Label, OneOf(q.Say, none)),
				phrase.Of("values from the list of %s, which has %s: nobody would count with "+
					"other values. Name in the question the values that count, or add them to "+
					"the list",
					q.Label, OneOf(q.Say, q.Recipe.Domain.Categories)))
		}
	}
	return nil
}

// mostListed is the largest number of values that are named.
const mostListed = 5

// Condition words a condition on a column, as “age from 18 to 64”.
func Condition(say *message.Language, c table.Condition) string {
	name, list := titleOf(say, c.Label, c.Column), c.In
	if len(list) == 0 && (c.Spec.Kind == domain.Category || c.From == "" && c.To == "") {
		list = c.Spec.Categories
	}
	text := ""
	switch {
	case len(list) > 0 && c.Not:
		return say.Format("%s other than %s", name, OneOf(say, list))
	case len(list) > 0:
		return name + " " + OneOf(say, list)
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

// OneOf lists values with “or” before the last.
func OneOf(say *message.Language, list []string) string {
	shown, last := list, ""
	if more := len(list) - mostListed; more > 1 {
		shown, last = list[:mostListed], say.Format("%d more", more)
	} else {
		shown, last = list[:len(list)-1], list[len(list)-1]
	}
	if len(shown) == 0 {
		return last
	}
	return say.Format("%s or %s", strings.Join(shown, ", "), last)
}
