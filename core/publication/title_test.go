package publication

import (
	"testing"

	"hush/core/ask"
	"hush/core/message"
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
		{"Source: Health Office", nil, "Health Office"},
		{"", []ask.Recipe{of("", "source : Census")}, "Census"},
	} {
		if got := ProposedTitle(nil, c.source, c.questions); got != c.want {
			t.Errorf("of %q and %d questions %q, want %q", c.source, len(c.questions), got, c.want)
		}
	}
}

// TestSourceIsSaidOnce: a source line loses the word that whatever prints it says itself, in
// English and in the reader's language, once, and nothing else.
func TestSourceIsSaidOnce(t *testing.T) {
	german := &message.Language{Tag: "de", Name: "Deutsch",
		Messages: map[message.Key]message.Message{"Source": {Text: "Quelle"}}}
	for _, c := range []struct {
		say        *message.Language
		line, want string
	}{
		{nil, "Health Office", "Health Office"},
		{nil, "Source: Health Office", "Health Office"},
		{nil, "SOURCE : Health Office", "Health Office"},
		{nil, "source：Health Office", "Health Office"},
		{nil, "Source: Source: Health Office", "Source: Health Office"},
		{nil, "Sources: two offices", "Sources: two offices"},
		{nil, "Source code of 2026", "Source code of 2026"},
		{nil, "Open source: a study", "Open source: a study"},
		{nil, "Quelle: Amt", "Quelle: Amt"},
		{nil, "Source:", ""},
		{nil, "", ""},
		{german, "quelle: Amt", "Amt"},
		{german, "Source: Amt", "Amt"},
	} {
		if got := Source(c.say, c.line); got != c.want {
			t.Errorf("%q is printed as %q, want %q", c.line, got, c.want)
		}
	}
}
