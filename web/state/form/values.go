package form

import (
	"reflect"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
)

// Values are the values of the main column that count, for questions about people with certain
// values: a list of categories, one per line, or bounds. Empty stands for all values in the
// codebook.
type Values struct {
	List     string
	From, To string
	Any      bool // all of them, as somebody chose; otherwise nobody said so
}

// AsksValues reports whether the question says nothing yet about which values count: a share or a
// number of people with any value is not what is asked by leaving that open. In a count for each
// group it is: the number of people in it.
func (q Question) AsksValues(t *ask.Task) bool {
	return t.Counts && (t.OfAll || q.Group == 0) && q.Values == Values{}
}

// Of returns the domain of the named values, of a column that the codebook describes by spec.
func (v Values) Of(spec domain.Spec) domain.Spec {
	switch {
	case spec.Kind == domain.Category:
		if list := Split(v.List, "\n"); len(list) > 0 {
			spec = spec.Among(spec.Meant(list))
		}
	case len(spec.Categories) == 0:
		if v.From != "" {
			spec.Lo = strings.TrimSpace(v.From)
		}
		if v.To != "" {
			spec.Hi = strings.TrimSpace(v.To)
		}
	}
	return spec
}

// ValuesIn returns the values that turn the codebook's domain into spec; ok is false if none do.
func ValuesIn(codebook, spec domain.Spec) (v Values, ok bool) {
	if codebook.Kind != spec.Kind {
		return v, false
	}
	if !slices.Equal(spec.Categories, codebook.Categories) {
		v.List = strings.Join(spec.Categories, "\n")
	}
	if spec.Lo != codebook.Lo {
		v.From = spec.Lo
	}
	if spec.Hi != codebook.Hi {
		v.To = spec.Hi
	}
	return v, reflect.DeepEqual(v.Of(codebook), spec)
}

// among returns the index of the condition that turns a part of all people into a part of those who
// meet it: the first one that names one value of another column. −1: there is none, or the question
// is asked by group.
func (q Question) among(t *ask.Task) int {
	if !t.OfAll || q.Group > 0 {
		return -1
	}
	return slices.IndexFunc(q.Filter, func(c ConditionForm) bool {
		return c.Test == TestOneOf && c.Column != q.Column && len(Split(c.List, "\n")) == 1
	})
}

// Whole removes from a recipe's filter the condition that says which people a part refers to: its
// value becomes the only group that is asked about, whose size is private like that of any group.
func (q Question) Whole(t *ask.Task, r *ask.Recipe) {
	at := q.among(t)
	if at < 0 {
		return
	}
	for i, c := range r.Filter {
		if c.Column == q.Filter[at].Column && len(c.Spec.Categories) == 1 && !c.Not {
			r.Filter = Without(r.Filter, i)
			r.Group = ask.GroupsOf(c.Column, c.Spec)
			r.Group.Label = c.Label
			break
		}
	}
	if len(r.Filter) == 0 {
		r.Filter = nil
	}
}

// AskWhole is the inverse of Whole: a part of one group is a part of those with its value.
func (q *Question) AskWhole(t *ask.Task, r ask.Recipe) {
	if g := r.Group; t.OfAll && g != nil && g.Find == nil && len(g.Names) == 1 {
		q.Group = 0
		q.Filter = append([]ConditionForm{ConditionOf(table.Condition{Column: g.Column,
			Spec: g.Spec()})}, q.Filter...)
	}
}
