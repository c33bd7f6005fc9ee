package chart_test

import (
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/chart"
)

// TestKeyAsInItsFigure: a key figure has the digits of its own figure: where that has “about
// 52.8”, it is 52.8, and both have the error of that number, rounded up to the same digit.
func TestKeyAsInItsFigure(t *testing.T) {
	r := &task.Release{Verdict: &ask.Verdict{Grade: ask.Rough, Error: 2.43}}
	r.Plan.ErrorUnit, r.Recipe.Unit = "years", "years"
	r.Answer.Result = &task.Estimates{Name: "mean",
		Rows: []task.Estimate{{Value: "52.77", Low: "50.34", High: "55.20"}}}
	value, off, ok := chart.Key(r)
	if caption := chart.CaptionOf(r).Off; !ok || strings.ReplaceAll(value, "\u00a0", " ") !=
		"52.8 years" || off != "± 2.5" || caption != "± 2.5 years" {
		t.Errorf("%q (%s) beside %q", value, off, caption)
	}
}
