package task

import (
	"encoding/json"

	"hush/core/message"
)

// Result is one kind of answer: what was released, whole and in text or numbers that can be published. A kind is a type
// in the file of the task that gives it, and an entry of Results.
type Result interface {
	// Kind is the result's name in JSON: "histogram".
	Kind() string
	// Table is the result as rows of text under a header row; column is the published name of the column asked about.
	Table(column string) [][]string
}

// checked is a Result that answers questions, also when it comes from a file: check refuses one that could not.
type checked interface{ check() error }

var _, _ checked = (*Conjunctions)(nil), (*Contacts)(nil)

// Answer is a released result. In JSON it is an object with one field, the result by the name of its kind.
type Answer struct{ Result }

// Results returns an empty result of each kind.
func Results() []Result {
	return []Result{new(Histogram), new(Median), new(Estimates), new(Quantiles), new(Distribution), new(Density), new(Cutoff), new(Labels), new(Winner), new(Clusters), new(Conjunctions), new(Contacts), new(LearnedRule), new(MadeUp)}
}

// newResult returns an empty result of a kind; nil for a kind that there is not.
func newResult(kind string) Result {
	for _, r := range Results() {
		if r.Kind() == kind {
			return r
		}
	}
	return nil
}

// MarshalJSON writes the result under the name of its kind.
func (a Answer) MarshalJSON() ([]byte, error) {
	if a.Result == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(map[string]Result{a.Kind(): a.Result})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Answer) UnmarshalJSON(text []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	for kind, body := range fields {
		result := newResult(kind)
		if result == nil || len(fields) > 1 {
			return message.Errorf("task: an answer of kind %q cannot be read", kind)
		}
		if err := json.Unmarshal(body, result); err != nil {
			return err
		}
		if c, ok := result.(checked); ok {
			if err := c.check(); err != nil {
				return err
			}
		}
		a.Result = result
	}
	return nil
}
