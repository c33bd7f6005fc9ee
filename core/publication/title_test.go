package publication

import (
	"testing"

	"hush/core/ask"
)

// TestProposedTitle: a proposed title names the data set or its source, and never has the name of a
// file or an address.
func TestProposedTitle(t *testing.T) {
	of := func(data, source string) ask.Recipe { return ask.Recipe{Data: data, Source: source} }
	for _, c := range []struct {
		source    string
		questions []ask.Recipe
		want      string
	}{
		{"", nil, ""},
		{"Survey of 2026", nil, "Survey of 2026"},
		{"", []ask.Recipe{of("Clinic visits", ""), of("Clinic visits", "")}, "Clinic visits"},
		{"Health Office", []ask.Recipe{of("Visits", ""), of("Staff", "")}, "Health Office"},
		{"", []ask.Recipe{of("", "Health Office"), of("", "Health Office")}, "Health Office"},
		{"", []ask.Recipe{of("", "Health Office"), of("", "Census")}, ""},
		{"https://example.org/data/adult.csv", nil, ""},
		{"adult.csv", nil, ""},
		{"Census Bureau, 1994 (https://example.org/adult.csv)", nil, "Census Bureau, 1994"},
		{"Census Bureau, adult.data.csv.gz", nil, "Census Bureau"},
		{"www.example.org/a.zip — Visits, 2.5 % sample", nil, "Visits, 2.5 % sample"},
		{"2026", nil, ""},
	} {
		if got := ProposedTitle(c.source, c.questions); got != c.want {
			t.Errorf("of %q and %d questions %q, want %q", c.source, len(c.questions), got, c.want)
		}
	}
}
