package task

import (
	"slices"

	"hush/core/ask"
)

// spanned is the third choice of how far off an answer is: values between which each quantile lies.
const spanned = "interval"

// spanParam is statedParam with that choice.
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

// Span is what a quantile lies between, in 95 of 100 releases, all quantiles of a release at once.
type Span struct {
	Low  string `json:"low"`
	High string `json:"high"`
	// of texts that are shown in part: their bytes in hexadecimal
	LowExact  string `json:"lowExact,omitempty"`
	HighExact string `json:"highExact,omitempty"`
}

// ends are the ends of a span as a table has them; empty where there is none.
func (s *Span) ends() []string {
	if s == nil {
		return []string{"", ""}
	}
	return []string{s.Low, s.High}
}

// wantsSpans says whether a question is asked for them. Runs that are compared have none.
func wantsSpans(q *ask.Query) bool { return !q.Trial && q.Param(paramStated) == spanned }
