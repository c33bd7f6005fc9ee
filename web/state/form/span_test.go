package form_test

import (
	"testing"

	"hush/core/domain"
	"hush/web/state/form"
)

// TestSpan: a range is read as people type it, in the notation of the column, and what is none is
// left to be a list.
func TestSpan(t *testing.T) {
	whole := form.DomainForm{Kind: domain.Integer}
	comma := form.DomainForm{Kind: domain.Decimal, Step: "0.01", Mark: ",", Group: "."}
	for _, c := range []struct {
		text string
		form form.DomainForm
		want string // kind, bounds and step; empty: no range
	}{
		{"0–120", whole, "integer 0 120 "},
		{" -5 to 40 ", whole, "integer -5 40 "},
		{"-20--5", whole, "integer -20 -5 "},
		{"1..5", whole, "integer 1 5 "},
		{"0-1.5", whole, "decimal 0 1.5 0.01"},
		{"0–1.500,25", comma, "decimal 0 1500.25 0.01"},
		{"2019–2024", form.DomainForm{Kind: domain.Date}, "date 2019-01-01 2024-12-31 "},
		{"2019-2024", form.DomainForm{Kind: domain.Timestamp, Step: "second"},
			"timestamp 2019-01-01T00:00:00 2024-12-31T23:59:59 second"},
		{"19–24", form.DomainForm{Kind: domain.Date}, ""},
		{"0, 1", whole, ""},
		{"1", whole, ""},
		{"a–c", whole, ""},
		{"18-25", form.DomainForm{Kind: domain.Category}, ""},
	} {
		got := ""
		if spec, ok := form.Span(c.text, c.form); ok {
			got = string(spec.Kind) + " " + spec.Lo + " " + spec.Hi + " " + spec.Step
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
