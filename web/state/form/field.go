package form

import (
	"slices"

	"hush/core/ask"
)

// FieldForm is a further column as it is typed: one that has a role in the question. What its
// values are is the codebook's.
type FieldForm struct {
	Role   string
	Column int      // from 1; 0: none yet
	Only   []string // of its categories, where the role takes fewer than it has; in order
	Cuts   string   // public cut points, separated by commas
}

// Choose makes it another column: what was said of the last one does not count for this one.
func (f *FieldForm) Choose(column int) {
	if column != f.Column {
		*f = FieldForm{Role: f.Role, Column: column}
	}
}

// Pick makes a category the i-th of those that count.
func (f *FieldForm) Pick(i int, category string, of int) {
	only := make([]string, of)
	copy(only, f.Only)
	for k := range only {
		if only[k] == category {
			only[k] = ""
		}
	}
	only[i], f.Only = category, only
}

// Choose makes another column the main one: what was said of the last one does not count for it.
func (q *Question) Choose(t *ask.Task, column int) {
	if column == q.Column {
		return
	}
	q.Column, q.Values = column, Values{}
	for _, p := range t.Params {
		if p.OfValues {
			if delete(q.Params, p.Name); p.Start != "" {
				q.Params[p.Name] = p.Start
			}
			delete(q.Params, ask.TryName(p.Name))
		}
	}
}

// Fit makes the columns such as a task reads: for each role, in order, as many further columns as
// it needs at least. Those of other roles go.
func (q *Question) Fit(t *ask.Task) {
	if !t.Counts {
		q.Values = Values{} // nothing counts that the sentence does not say
	}
	var fitted []FieldForm
	for _, role := range t.Others {
		n := 0
		for _, f := range q.Others {
			if f.Role != role.Name {
				continue
			}
			if !role.Cuts {
				f.Cuts = ""
			}
			if role.Values == 0 {
				f.Only = nil
			}
			fitted, n = append(fitted, f), n+1
		}
		for ; n < role.Min; n++ {
			fitted = append(fitted, FieldForm{Role: role.Name})
		}
	}
	q.Others = fitted
}

// AddField adds a column of a role behind the last of its kind.
func (q *Question) AddField(t *ask.Task, role ask.Role) {
	q.Others = append(slices.Clone(q.Others), FieldForm{Role: role.Name})
	q.Fit(t) // which puts it in its place
}

// Other is further column at, from 1, to be changed. One that is gone, though its fields may be on
// the screen yet, is nobody's.
func (q *Question) Other(at int) *FieldForm {
	if at > len(q.Others) {
		return &FieldForm{}
	}
	return &q.Others[at-1]
}

// Chosen returns the categories that were picked, without empty places.
func Chosen(only []string) (list []string) {
	for _, category := range only {
		if category != "" {
			list = append(list, category)
		}
	}
	return list
}
