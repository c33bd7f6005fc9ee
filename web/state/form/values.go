package form

import (
	"reflect"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
)

// Values of the main column are those that count, where a question counts who has one:
// a list of categories, one a line, or bounds. Nothing is each value that the codebook has.
type Values struct {
	List     string
	From, To string
}

// Of is the domain of the values named, of a column whose own the codebook has.
func (v Values) Of(spec domain.Spec) domain.Spec {
	switch {
	case spec.Kind == domain.Category:
		if list := Split(v.List, "\n"); len(list) > 0 {
			spec.Categories = list
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

// ValuesIn are the values that make a domain of the codebook's one; ok is false where none do.
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

// among is the condition that makes a part of all one of those who meet it: the first that names
// one value of another column. −1: there is none, or the question is asked by group.
func (q Question) among(t *ask.Task) int {
	if !t.OfAll || q.Group > 0 {
		return -1
	}
	return slices.IndexFunc(q.Filter, func(c ConditionForm) bool {
		return c.Test == TestOneOf && c.Column != q.Column && len(Split(c.List, "\n")) == 1
	})
}

// Whole takes the condition that says what a part is one of from a recipe's filter: its value is
// the one group that is asked about, whose size is private as that of any group.
func (q Question) Whole(t *ask.Task, r *ask.Recipe) {
	at := q.among(t)
	if at < 0 {
		return
	}
	value := Split(q.Filter[at].List, "\n")
	for i, c := range r.Filter {
		if c.Column == q.Filter[at].Column && slices.Equal(c.Spec.Categories, value) && !c.Not {
			r.Filter = Without(r.Filter, i)
			r.Group = &ask.Group{Column: c.Column, Label: c.Label, Names: value}
			break
		}
	}
	if len(r.Filter) == 0 {
		r.Filter = nil
	}
}

// AskWhole is Whole the other way round: a part of one group is one of those with its value.
func (q *Question) AskWhole(t *ask.Task, r ask.Recipe) {
	if g := r.Group; t.OfAll && g != nil && g.Find == nil && len(g.Names) == 1 {
		q.Group = 0
		q.Filter = append([]ConditionForm{{Column: g.Column, Test: TestOneOf, List: g.Names[0]}},
			q.Filter...)
	}
}
