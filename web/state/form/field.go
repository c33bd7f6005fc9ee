package form

import (
	"slices"

	"hush/core/ask"
)

// FieldForm is a further column, with a role in the question, as it is typed. Its values are
// described in the codebook.
type FieldForm struct {
	Role   string
	Column int      // from 1; 0: none yet
	Only   []string // some of its categories, in order, if the role takes fewer than it has
	Cuts   string   // public cut points, separated by commas
}

// Choose makes it another column: statements about the former one do not apply to this one.
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

// Choose makes another column the main one: statements about the former one do not apply to it.
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

// Fit adjusts the columns to a task: for each role, in order, at least as many further columns as
// it needs. Those of other roles go.
func (q *Question) Fit(t *ask.Task) {
	if !t.Counts {
		q.Values = Values{} // nothing counts that the sentence does not mention
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

// AddField adds a column with a role after the last of its kind.
func (q *Question) AddField(t *ask.Task, role ask.Role) {
	q.Others = append(slices.Clone(q.Others), FieldForm{Role: role.Name})
	q.Fit(t) // puts it in its place
}

// Other returns further column at, from 1, for changes. A column that is gone, though its fields
// may still be on the screen, is nobody's.
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
