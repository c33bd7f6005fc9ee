package ask

import (
	"encoding/json"

	"hush/core/phrase"
)

// Result is one kind of answer: everything that was released, in text or numbers that can be
// published. A kind is a type beside the task that gives it, and an entry of the catalogue's
// Results.
type Result interface {
	// Kind is the result's name in JSON: "histogram".
	Kind() string
	// Table returns the result as rows of text under a header row; column is the published name of
	// the column asked about.
	Table(say Voice, column string) [][]string
}

// Checked is a Result that answers further questions, also when it was read from a file: Check
// refuses a result that could not.
type Checked interface {
	Result
	Check() error
}

// Answer is a released result. In JSON it is an object with one field, the result by the name of
// its kind.
type Answer[C Catalogue] struct{ Result }

// newResult returns an empty result of a kind; nil for an unknown kind.
func newResult(c Catalogue, kind string) Result {
	for _, r := range c.Results() {
		if r.Kind() == kind {
			return r
		}
	}
	return nil
}

// MarshalJSON writes the result under the name of its kind.
func (a Answer[C]) MarshalJSON() ([]byte, error) {
	if a.Result == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(map[string]Result{a.Kind(): a.Result})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Answer[C]) UnmarshalJSON(text []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	var catalogue C
	for kind, body := range fields {
		result := newResult(catalogue, kind)
		if result == nil || len(fields) > 1 {
			return phrase.Errorf("ask: an answer of kind %q cannot be read", kind)
		}
		if err := json.Unmarshal(body, result); err != nil {
			return err
		}
		if c, ok := result.(Checked); ok {
			if err := c.Check(); err != nil {
				return err
			}
		}
		a.Result = result
	}
	return nil
}
