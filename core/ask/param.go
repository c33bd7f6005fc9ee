package ask

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hush/core/domain"
	"hush/core/phrase"
)

// Param is one field of a task's form.
type Param struct {
	Name    string     `json:"name"`
	Label   phrase.Key `json:"label"`
	Kind    ParamKind  `json:"kind"`
	Default string     `json:"default"` // the value of a missing one
	// Start is the value that a new question has, where it differs from Default: it then stands in
	// the recipe ([Task.Starts]).
	Start   string   `json:"start,omitempty"`
	Choices []Choice `json:"choices,omitempty"` // the values of a Chosen parameter
	Taught  []Choice `json:"taught,omitempty"`  // and what only lessons offer, to compare with
	Min     int64    `json:"min,omitempty"`     // of an Integer, as Max is
	Max     int64    `json:"max,omitempty"`
	// asked only for these kinds of main column; empty: always
	Domains []domain.Kind `json:"domains,omitempty"`
	Help    phrase.Key    `json:"help"`   // meaning and range
	Effect  phrase.Key    `json:"effect"` // how it changes privacy and error
	// the choices are algorithms that answer the same question
	Rivals bool `json:"rivals,omitempty"`
	// values worth trying; for a Chosen one, all that it can have; empty: it cannot be tuned
	Tries string `json:"tries,omitempty"`
	// values that other parameters must have for this one to matter, or to be tuned
	With Params `json:"-"`
	// it is measured in values of the main column, so its value means nothing for another column
	OfValues bool `json:"-"`
}

// Choice is one entry of a public list of values.
type Choice struct {
	Value string     `json:"value"`
	Label phrase.Key `json:"label"`
}

// ParamKind says how a parameter is entered. Whole numbers, choices and flags are checked against
// it for every task; decimals and texts by their task.
type ParamKind string

const (
	Decimal ParamKind = "decimal" // exact decimal text
	Integer ParamKind = "integer" // a whole number from Min to Max
	Flag    ParamKind = "flag"    // "true" or "false"
	Chosen  ParamKind = "choice"  // the Value of one of Choices
	Text    ParamKind = "text"    // a line of text
	Lines   ParamKind = "lines"   // several lines of text, as of a small public file
)

// AsksFor reports whether p is a field of the form for a main column of kind k.
func (p Param) AsksFor(k domain.Kind) bool {
	return len(p.Domains) == 0 || slices.Contains(p.Domains, k)
}

// Starts returns the parameters that a new question about a main column of kind k states, in a form
// or in words: a recipe without them is read as earlier versions read it. The caller may change
// them.
func (t *Task) Starts(k domain.Kind) Params {
	params := Params{}
	for _, p := range t.Params {
		if p.Start != "" && p.AsksFor(k) {
			params[p.Name] = p.Start
		}
	}
	return params
}

// AllChoices returns the choices of the form, followed by those that only lessons offer.
func (p Param) AllChoices() []Choice { return append(slices.Clone(p.Choices), p.Taught...) }

const maxParam = 100_000 // bytes of a parameter's text

// Check refuses a text that is not a value of the parameter's kind.
func (p Param) Check(text string) error {
	var want phrase.Phrase
	switch p.Kind {
	case Integer:
		if n, err := strconv.ParseInt(text, 10, 64); err != nil || n < p.Min || n > p.Max {
			want = phrase.Of("a whole number from %d to %d", p.Min, p.Max)
		}
	case Flag:
		if text != "true" && text != "false" {
			want = phrase.Of(`"true" or "false"`)
		}
	case Chosen:
		var values []string
		for _, c := range p.AllChoices() {
			values = append(values, c.Value)
		}
		if !slices.Contains(values, text) {
			want = phrase.Of("one of %q", values)
		}
	}
	switch {
	case !want.IsZero():
		return Refuse(p.Name, fmt.Sprintf("%.100q", text), want)
	case len(text) > maxParam:
		return Refuse(p.Name, phrase.Of("%d bytes long", len(text)),
			phrase.Of("at most %d bytes", maxParam))
	}
	return nil
}

// Check refuses parameters that the task does not have, and values that are not of their kind.
func (t *Task) Check(params Params) error {
	for name, value := range params {
		all := append(t.tryFields(), t.Params...)
		i := slices.IndexFunc(all, func(p Param) bool { return p.Name == name })
		if i < 0 {
			return Refuse(name, fmt.Sprintf("%.100q", value),
				phrase.Of("no such parameter: %s does not have it", t.ID))
		}
		if err := all[i].Check(value); err != nil {
			return err
		}
	}
	return nil
}

// offered refuses values that only lessons offer.
func (t *Task) offered(params Params) error {
	for _, p := range t.Params {
		for _, name := range []string{p.Name, TryName(p.Name)} {
			for _, value := range strings.Split(params[name], ",") {
				if value = strings.TrimSpace(value); slices.ContainsFunc(
					p.Taught, func(c Choice) bool { return c.Value == value }) {
					return Refuse(name, fmt.Sprintf("%q", value), phrase.Of("one of the form's "+
						"choices: this one is for lessons, where algorithms are compared"))
				}
			}
		}
	}
	return nil
}

// ParamEdges is the name of the parameter that holds edges typed in by a person, at which bins
// begin: they replace a width ([Task.Bins]).
const ParamEdges = "edges"

// Edges returns the text of ParamEdges; own is false where none were typed in.
func (q *Query) Edges() (text string, own bool) {
	text = strings.TrimSpace(q.Param(ParamEdges))
	return text, text != "" && text != "none"
}

// Param returns a parameter's text, or its default.
func (q *Query) Param(name string) string {
	if v, ok := q.Recipe.Params[name]; ok {
		return v
	}
	for _, p := range q.Task.Params {
		if p.Name == name {
			return p.Default
		}
	}
	panic("ask: internal error: unknown parameter " + name)
}

// Flag returns the value of a parameter of kind Flag, which has been checked.
func (q *Query) Flag(name string) bool { return q.Param(name) == "true" }

// Integer returns an Integer, which has been checked.
func (q *Query) Integer(name string) int64 {
	n, err := strconv.ParseInt(q.Param(name), 10, 64)
	if err != nil {
		panic("ask: internal error: the default of " + name)
	}
	return n
}
