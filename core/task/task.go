package task

import (
	"fmt"
	"slices"

	"hush/core/domain"
	"hush/core/param"
)

// Task is one entry of the catalogue.
type Task struct {
	ID        string        `json:"id"`
	Title     string        `json:"title"`
	Question  string        `json:"question"`  // in plain words, as a person would ask it
	Answer    string        `json:"answer"`    // what is released
	Algorithm string        `json:"algorithm"` // the mechanism's name in the field
	How       string        `json:"how"`       // the mechanism in plain words
	Source    string        `json:"source"`    // paper or book
	Domains   []domain.Kind `json:"domains"`   // the kinds of column it can ask about
	ByGroup   bool          `json:"byGroup"`   // whether it can be asked for each group
	Params    []Param       `json:"params"`

	prepare func(q *query) (prepared, error)
}

// Param is one field of a task's form.
type Param struct {
	Name    string        `json:"name"`
	Label   string        `json:"label"`
	Kind    ParamKind     `json:"kind"`
	Default string        `json:"default"`
	Domains []domain.Kind `json:"domains,omitempty"` // asked only for these kinds of column; empty: for all
	Help    string        `json:"help"`              // meaning and range
	Effect  string        `json:"effect"`            // what it does to privacy and error
}

// ParamKind says how a parameter is entered and checked.
type ParamKind string

const (
	Decimal ParamKind = "decimal" // exact decimal text
	Flag    ParamKind = "flag"    // "true" or "false"
)

// AsksFor reports whether p is a field of the form for a column of kind k.
func (p Param) AsksFor(k domain.Kind) bool {
	return len(p.Domains) == 0 || slices.Contains(p.Domains, k)
}

// Catalogue lists every task, in the order in which a page shows them.
func Catalogue() []Task {
	return []Task{histogramTask, countTask, shareTask, meanTask, sumTask, varianceTask, medianTask, quantilesTask}
}

// find returns the task of that ID.
func find(id string) (*Task, error) {
	var ids []string
	for _, t := range Catalogue() {
		if t.ID == id {
			return &t, nil
		}
		ids = append(ids, t.ID)
	}
	return nil, refuse("task", fmt.Sprintf("%q", id), fmt.Sprintf("one of %q", ids))
}

// get returns the parameter's text, or its default.
func (t *Task) get(p Params, name string) string {
	if v, ok := p[name]; ok {
		return v
	}
	for _, q := range t.Params {
		if q.Name == name {
			return q.Default
		}
	}
	panic("task: internal error: unknown parameter " + name)
}

// check refuses parameters that the task does not have.
func (t *Task) check(p Params) error {
	for name, value := range p {
		if !slices.ContainsFunc(t.Params, func(q Param) bool { return q.Name == name }) {
			return refuse(name, fmt.Sprintf("%q", value), "no such parameter: "+t.ID+" does not have it")
		}
	}
	return nil
}

func refuse(field, value, want string) error {
	return &param.Error{Package: "task", Field: field, Value: value, Want: want}
}
