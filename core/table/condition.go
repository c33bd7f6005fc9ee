package table

import (
	"fmt"
	"strconv"

	"hush/core/domain"
)

// Condition is a public condition on one column. Rows that do not meet every condition become none:
// they stay, and count for nobody.
//
// A cell outside the condition's domain meets no condition, with one exception: Not without values
// asks for exactly these cells.
type Condition struct {
	Column int `json:"column"` // from 1
	// Label is the column's published name; empty: its number serves. It decides nothing.
	Label string `json:"label,omitempty"`
	// how its cells are read: a kind with codes of at most 64 bits
	Spec domain.Spec `json:"spec"`

	// From and To are bounds, both inside; an empty one is open. In lists values; a condition has
	// either bounds or a list. They are written as the domain describes its values. Without any of
	// them, a cell must have a value.
	From string   `json:"from,omitempty"`
	To   string   `json:"to,omitempty"`
	In   []string `json:"in,omitempty"`
	// Not negates the condition.
	Not bool `json:"not,omitempty"`
}

// test is a condition ready for use.
type test struct {
	index    int // of the field
	domain   domain.Domain
	from, to uint64
	in       map[uint64]bool
	valued   bool // values were given
	not      bool
}

func newTest(c Condition, columns int) (test, error) {
	t := test{index: c.Column - 1, to: 1<<64 - 1, not: c.Not, valued: c.From != "" || c.To != "" ||
		len(c.In) > 0}
	if c.Column < 1 || c.Column > columns {
		return t, refuse("filter.column", strconv.Itoa(c.Column), "1 to %d", columns)
	}
	if (c.From != "" || c.To != "") && len(c.In) > 0 {
		return t, refuse("filter.in", fmt.Sprintf("%q", c.In), "nothing, because there are bounds")
	}
	var err error
	if t.domain, err = domain.New(c.Spec); err != nil {
		return t, err
	}
	values, err := domain.New(c.Spec.Plain())
	if err != nil {
		return t, err
	}
	value := func(field, text string, to *uint64) error {
		code, ok := values.Encode([]byte(text))
		if !ok {
			return refuse("filter."+field, strconv.Quote(text), "one of the %s", values.Describe())
		}
		*to = code
		return nil
	}
	if c.From != "" {
		if err := value("from", c.From, &t.from); err != nil {
			return t, err
		}
	}
	if c.To != "" {
		if err := value("to", c.To, &t.to); err != nil {
			return t, err
		}
	}
	if t.from > t.to {
		return t, refuse("filter.to", strconv.Quote(c.To), "at least %s", c.From)
	}
	if len(c.In) > 0 {
		t.in = map[uint64]bool{}
		for _, text := range c.In {
			var code uint64
			if err := value("in", text, &code); err != nil {
				return t, err
			}
			t.in[code] = true
		}
	}
	return t, nil
}

// met reports whether a cell meets the condition.
func (t *test) met(cell []byte) bool {
	code, ok := codeOf(t.domain, cell)
	switch {
	case !t.valued:
		return ok != t.not
	case !ok:
		return false
	case t.in != nil:
		return t.in[code] != t.not
	}
	return (code >= t.from && code <= t.to) != t.not
}
