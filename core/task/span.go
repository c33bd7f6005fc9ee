package task

import (
	"slices"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/message"
)

// spanned is the third way to state an error: values between which each quantile lies.
const spanned = "interval"

// spanParam is statedParam with that way added.
var spanParam = func() ask.Param {
	p := statedParam
	p.Choices = append(slices.Clone(p.Choices),
		ask.Choice{Value: spanned, Label: "give an interval of values, which costs more"})
	p.Help = "Measured: one more noisy number bounds the number of people by which the answer is " +
		"off. Proven: the bound holds for any data, and is often ten times as large. Interval: " +
		"for each value two more are drawn, in the column's own unit, and the true one lies " +
		"between them."
	p.Effect = "Measuring takes a part of the privacy loss, at most a quarter. The answer itself " +
		"is then a little less exact, but its error is known far better. With an interval, the " +
		"answer is off by two to three times as many people."
	return p
}()

// paramInUnit asks for an interval of values wherever there is one.
const paramInUnit = "inUnit"

// inUnitParam has a measured error given as an interval where that can be had. Recipes without it
// are of a time when an interval was asked for or not at all.
var inUnitParam = ask.Param{
	Name: paramInUnit, Label: "Give the range in the column's own unit where possible",
	Kind: ask.Flag, Default: "false", Start: "true",
	Help: "Where the error is measured, the answer is an interval of values, such as years or " +
		"euros. By group, of texts, and of too few people it stays a number of people.",
	Effect: "The interval takes no further privacy loss, and the value in it is off by two to " +
		"three times as many people.",
}

// wishesSpans reports whether a question asks for spans where they can be had.
func wishesSpans(q *ask.Query) bool {
	return !q.Trial && q.Param(paramInUnit) == "true" && q.Param(paramStated) == given &&
		q.Recipe.Domain.Kind != domain.Text && q.Recipe.Domain.Kind != domain.Bytes
}

// Span is what a quantile lies between, in 95 of 100 releases, all quantiles of a release at once.
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

// Written writes a span whose ends are written so. An end of the column's range says that values
// beyond it may lie further out, where they count as that end.
func (s *Span) Written(say *message.Language, spec domain.Spec, low, high string) string {
	if at := BeyondRange(spec, s.Low); at == Below {
		low = at.Of(say, spec.Kind, low)
	}
	if at := BeyondRange(spec, s.High); at == Above {
		high = at.Of(say, spec.Kind, high)
	}
	return say.Format("%s to %s", low, high)
}

// wantsSpans reports whether a question asks for spans. Runs that are compared have none.
func wantsSpans(q *ask.Query) bool { return !q.Trial && q.Param(paramStated) == spanned }
