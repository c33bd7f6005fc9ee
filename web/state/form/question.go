// Package form holds a question as it is typed, right or wrong, and as it travels: as a recipe.
package form

import (
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/table"
	"hush/core/task"
)

// Question is the form's state, kept as typed, right or wrong. It refers to columns by number
// alone, from 1; 0 is none. Their values, names and units are the codebook's, so that no question
// about a column ever uses the description of another.
type Question struct {
	Task      string
	Filter    []ConditionForm
	Group     int    // column of groups; 0: everybody at once
	Find      bool   // the groups are found privately, where they are no public list
	FindShare string // percentage of ε that is spent on finding them
	FindDelta string // the chance of an exception δ for finding them
	Column    int
	Values    Values      // which of its values count
	Others    []FieldForm // further columns, in the order of the task's roles
	Params    ask.Params
	Epsilon   string
	Table     table.Options // as confirmed
}

// Epsilons are the slider's stops.
var Epsilons = ask.CurveEpsilons

// NewQuestion returns the form as a visitor first sees it.
func NewQuestion() Question {
	return Question{Task: task.Catalogue()[0].ID, Params: starts(), Epsilon: "0.5",
		FindShare: "50", FindDelta: "0.0000001"}
}

// starts returns the parameters whose initial values in a form differ from a recipe's defaults.
func starts() ask.Params {
	params := ask.Params{}
	for _, t := range task.Catalogue() {
		for _, p := range t.Params {
			if p.Start != "" {
				params[p.Name] = p.Start
			}
		}
	}
	return params
}

// Clone also copies what assignment does not.
func (q Question) Clone() Question {
	params := ask.Params{}
	for name, value := range q.Params {
		params[name] = value
	}
	q.Params, q.Filter, q.Others = params, slices.Clone(q.Filter), slices.Clone(q.Others)
	return q
}

// Without returns a list without its entry at i, if it has one.
func Without[T any](list []T, i int) []T {
	if i >= len(list) {
		return list
	}
	return slices.Delete(slices.Clone(list), i, i+1)
}

// Finding returns how groups are found, in the form of a recipe. A share that is no number is 0,
// which core refuses with its own message.
func (q Question) Finding() *ask.Find {
	share, _ := strconv.Atoi(
		strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(q.FindShare), "%")))
	return &ask.Find{Share: share, Delta: strings.TrimSpace(q.FindDelta)}
}

// CompareDecimal orders decimal numbers that people type; text that is no number sorts last.
func CompareDecimal(a, b string) int {
	x, errX := strconv.ParseFloat(strings.TrimSpace(a), 64)
	y, errY := strconv.ParseFloat(strings.TrimSpace(b), 64)
	switch {
	case errX != nil && errY != nil:
		return 0
	case errX != nil:
		return 1
	case errY != nil, x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
