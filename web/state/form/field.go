package form

import (
	"fmt"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/say"
)

// FieldForm is a further column as it is typed: one that has a role in the question.
type FieldForm struct {
	Role   string
	Column int    // from 1; 0: none yet
	Label  string // published name; empty: by its number
	Domain DomainForm
	Cuts   string // public cut points, separated by commas
}

// FieldsOf are the forms as core knows them.
func FieldsOf(forms []FieldForm) (fields []ask.Field) {
	for _, f := range forms {
		fields = append(fields,
			ask.Field{Role: f.Role, Column: f.Column, Label: strings.TrimSpace(f.Label),
				Domain: f.Domain.Spec(), Cuts: Split(f.Cuts, ",")})
	}
	return fields
}

// FormsOf are the forms that give fields.
func FormsOf(fields []ask.Field) (forms []FieldForm) {
	for _, f := range fields {
		forms = append(forms,
			FieldForm{Role: f.Role, Column: f.Column, Label: f.Label,
				Domain: DomainFormOf(f.Domain), Cuts: strings.Join(f.Cuts, ", ")})
	}
	return forms
}

// Fit makes the columns such as a task reads: kinds that it takes, and for each role, in order, as
// many further columns as it needs at least. Those of other roles go.
func (q *Question) Fit(t *ask.Task) {
	if len(t.Domains) > 0 && !slices.Contains(t.Domains, q.Domain.Kind) {
		q.Domain.SetKind(t.Domains[0])
	}
	var fitted []FieldForm
	for _, role := range t.Others {
		n := 0
		for _, f := range q.Others {
			if f.Role != role.Name {
				continue
			}
			if !slices.Contains(role.Domains, f.Domain.Kind) {
				f.Domain.SetKind(role.Domains[0])
			}
			if !role.Cuts {
				f.Cuts = ""
			}
			fitted, n = append(fitted, f), n+1
		}
		for ; n < role.Min; n++ {
			fitted = append(fitted, newField(role))
		}
	}
	q.Others = fitted
}

func newField(role ask.Role) FieldForm {
	f := FieldForm{Role: role.Name}
	f.Domain.SetKind(role.Domains[0])
	return f
}

// AddField adds a column of a role behind the last of its kind.
func (q *Question) AddField(t *ask.Task, role ask.Role) {
	q.Others = append(slices.Clone(q.Others), newField(role))
	q.Fit(t) // which puts it in its place
}

// Form is the domain of column at: 0 is the main one, 1 the first of the further ones. That of a
// column that is gone, though its fields may be on the screen yet, is nobody's.
func (q *Question) Form(at int) *DomainForm {
	if at == 0 {
		return &q.Domain
	}
	return &q.Other(at).Domain
}

// Other is further column at, from 1, to be changed.
func (q *Question) Other(at int) *FieldForm {
	if at > len(q.Others) {
		return &FieldForm{}
	}
	return &q.Others[at-1]
}

// LackingField names what the further columns still lack, or "".
func (q *Question) LackingField(t *ask.Task) string {
	for _, f := range q.Others {
		role := t.Others[slices.IndexFunc(t.Others, func(r ask.Role) bool {
			return r.Name == f.Role
		})]
		if f.Column == 0 {
			return say.Format("Choose a column: %s.", say.Text(role.Label))
		}
		if missing := f.Domain.Lacking(); missing != "" {
			return fmt.Sprintf("%s: %s", task.Capital(say.Text(role.Label)), missing)
		}
	}
	return ""
}
