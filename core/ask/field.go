package ask

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hush/core/domain"
	"hush/core/message"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/table"
)

// Role declares further columns that a task reads beside its main one, or in place of it.
type Role struct {
	Name  string     `json:"name"` // Field.Role
	Label phrase.Key `json:"label"`
	Help  phrase.Key `json:"help"`
	// the kinds of column it takes; texts of at most 8 bytes only
	Domains []domain.Kind `json:"domains"`
	// Min and Max say how many columns have the role.
	Min int `json:"min"`
	Max int `json:"max"`
	// Usual is how many columns a form chooses for the role on its own, if this many are described;
	// 0: Min.
	Usual int `json:"usual,omitempty"`
	// Values is how many categories a category column must have; 0: any number.
	Values int `json:"values,omitempty"`
	// Cuts asks for public cut points too (Field.Cuts).
	Cuts bool `json:"cuts,omitempty"`
	// Binned says that a column without cut points is cut at round numbers.
	Binned bool `json:"binned,omitempty"`
}

// RoleOutcome is the role of a yes-or-no column that is sorted with the main column.
const RoleOutcome = "outcome"

// Field is a column of a recipe that has a Role.
type Field struct {
	Role   string      `json:"role"`
	Column int         `json:"column"`          // from 1
	Label  string      `json:"label,omitempty"` // published name; empty: its number serves
	Unit   string      `json:"unit,omitempty"`  // of its values, as published: "kg"
	Domain domain.Spec `json:"domain"`
	// Cuts are public cut points between the domain's values, ascending and written as cells are:
	// each is the first value above the cut. They are set only where the role asks for them.
	Cuts []string `json:"cuts,omitempty"`
}

// Name is the name under which the field's column is published.
func (f Field) Name(say *message.Language) string { return published(say, f.Label, f.Column) }

// published returns a column's label, or its number where it has none.
func published(say *message.Language, label string, column int) string {
	if label = strings.TrimSpace(label); label != "" {
		return label
	}
	return say.Format("column %d", column)
}

// wanted lists the columns to be read: the main one, the groups, the others.
func (r Recipe) wanted() []table.Wanted {
	var columns []table.Wanted
	if r.Column > 0 {
		columns = append(columns, table.Wanted{Column: r.Column, Spec: r.Domain})
	}
	if r.Group != nil {
		columns = append(columns, table.Wanted{Column: r.Group.Column, Spec: r.Group.Spec()})
	}
	for _, f := range r.Others {
		columns = append(columns, table.Wanted{Column: f.Column, Spec: f.Domain})
	}
	return columns
}

// Other is a checked Field.
type Other struct {
	Field
	Values   domain.Domain
	CutCodes []uint64 // codes, ascending: cut c separates the codes below c from the others
}

// CheckOthers checks the recipe's further columns against those that the task declares, in the
// order of its roles and with as many columns as each role takes. Errors name the field:
// "others.0.column".
func (t *Task) CheckOthers(fields []Field) ([]Other, error) {
	list := make([]Other, 0, len(fields))
	rest := fields
	for _, role := range t.Others {
		n := 0
		for n < len(rest) && rest[n].Role == role.Name {
			n++
		}
		if n < role.Min || n > role.Max {
			return nil, Refuse("others", phrase.Of("%d columns of the role %q", n, role.Name),
				numberOf(role))
		}
		for _, f := range rest[:n] {
			o, err := role.check(f)
			if err != nil {
				return nil, OtherFault(len(list), err)
			}
			list = append(list, o)
		}
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return nil, Refuse(OtherField(len(list), "role"), fmt.Sprintf("%q", rest[0].Role),
			phrase.Of("columns in the roles of this question, in their order"))
	}
	return list, nil
}

func numberOf(r Role) phrase.Phrase {
	if r.Min == r.Max {
		return phrase.Of("%d of them, in the order of the roles", r.Min)
	}
	return phrase.Of("%d to %d of them, in the order of the roles", r.Min, r.Max)
}

// OtherField is the name of a form field of further column i, counted from 0.
func OtherField(i int, field string) string { return fmt.Sprintf("others.%d.%s", i, field) }

// OtherFault adds to a refusal which further column it is about.
func OtherFault(i int, err error) error {
	var refused *param.Error
	if errors.As(err, &refused) {
		return Refuse(OtherField(i, refused.Field), refused.Value, refused.Want)
	}
	return err
}

// check makes the field's domain and cuts.
func (r Role) check(f Field) (o Other, err error) {
	o.Field = f
	if err := checkLabel("label", f.Label); err != nil {
		return o, err
	}
	if !slices.Contains(r.Domains, f.Domain.Kind) {
		return o, Refuse("kind", fmt.Sprintf("%q", f.Domain.Kind),
			phrase.Of("one of %q for this column", r.Domains))
	}
	if o.Values, err = domain.New(f.Domain); err != nil {
		return o, err
	}
	if n := len(f.Domain.Categories); r.Values > 0 && f.Domain.Kind == domain.Category &&
		n != r.Values {
		return o, Refuse("categories", phrase.Of("%d of them", n),
			phrase.Of("exactly %d", r.Values))
	}
	if len(f.Cuts) > 0 && !r.Cuts {
		return o, Refuse("cuts", fmt.Sprintf("%q", f.Cuts),
			phrase.Of("none: this column is not cut"))
	}
	for _, text := range f.Cuts {
		code, ok := o.Values.Encode([]byte(strings.TrimSpace(text)))
		if !ok || code == 0 || len(o.CutCodes) > 0 && code <= o.CutCodes[len(o.CutCodes)-1] {
			return o, Refuse("cuts", fmt.Sprintf("%q", text),
				phrase.Of("possible values of the column above the smallest, in ascending order"))
		}
		o.CutCodes = append(o.CutCodes, code)
	}
	return o, nil
}

// Role lists the further columns that have a role, and where they start among all of them.
func (q *Query) Role(name string) (fields []Other, first int) {
	for i, o := range q.Others {
		if o.Role == name {
			if len(fields) == 0 {
				first = i
			}
			fields = append(fields, o)
		}
	}
	return fields, first
}
