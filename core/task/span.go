package task

import (
	"slices"

	"hush/core/ask"
)

// spanned is the third way to state an error: values between which each quantile lies.
const spanned = "interval"

// spanParam is statedParam with that way added.
var spanParam = func() ask.Param {
	p := statedParam
	p.Choices = append(slices.Clone(p.Choices),
		ask.Choice{Value: spanned, Label: "give an interval of values, which costs more"})
	p.Help = "Measured: one more noisy number bounds how many people the answer is off by. " +
		"Proven: the bound holds for any data, and is often ten times as large. Interval: two " +
		"more values are drawn for each one, and the true one lies between them, in the column's " +
		"own unit."
	p.Effect = "Measuring takes a part of the privacy loss, at most a quarter. The answer itself " +
		"is then a little less exact, but its error is known far better. With an interval it is " +
		"off by two to three times as many people."
	return p
}()

// Span holds a quantile in 95 of 100 releases, all quantiles of a release at once.
type Span struct {
	Low  string `json:"low"`
	High string `json:"high"`
	// bytes in hexadecimal, for texts that are shown shortened
	LowExact  string `json:"lowExact,omitempty"`
	HighExact string `json:"highExact,omitempty"`
}

// ends writes the ends of a span for a table; empty where there is none.
func (s *Span) ends() []string {
	if s == nil {
		return []string{"", ""}
	}
	return []string{s.Low, s.High}
}

// wantsSpans reports whether a question asks for spans. Runs that are compared have none.
func wantsSpans(q *ask.Query) bool { return !q.Trial && q.Param(paramStated) == spanned }
