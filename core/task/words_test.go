package task

import (
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/table"
)

// TestWords: each example's question is a sentence without blanks, and says its columns, its groups
// and its conditions.
func TestWords(t *testing.T) {
	for _, k := range Catalogue() {
		if k.Example == nil {
			continue
		}
		r := k.Example.Recipe
		r.Noun = codebook.Noun{One: "person", Many: "people"}
		words := k.Words(nil, r)
		if strings.ContainsAny(words, "{}") || strings.Contains(words, "  ") ||
			!strings.HasSuffix(words, "?") || strings.HasSuffix(words, " ?") {
			t.Errorf("%s: %q", k.ID, words)
		}
		for _, f := range r.Others {
			if !strings.Contains(words, f.Label) {
				t.Errorf("%s: %q does not say %s", k.ID, words, f.Label)
			}
		}
		r.Filter = []table.Condition{{Column: 9, Label: "city",
			Spec: domain.Spec{Kind: domain.Category, Categories: []string{"Hill"}}}}
		if words := k.Words(nil, r); !strings.Contains(words, "people with city Hill") {
			t.Errorf("%s: %q does not say its condition", k.ID, words)
		}
	}
	by := func(id string, r ask.Recipe) string {
		for _, k := range Catalogue() {
			if k.ID == id {
				return k.Words(nil, r)
			}
		}
		return ""
	}
	noun := codebook.Noun{One: "patient", Many: "patients"}
	group := &ask.Group{Column: 3, Label: "district"}
	for _, c := range []struct {
		id   string
		r    ask.Recipe
		want string
	}{
		{"mean", ask.Recipe{Label: "salary", Group: group, Noun: noun},
			"What is the mean salary for each district?"},
		{"mean", ask.Recipe{Column: 4, Noun: noun}, "What is the mean column 4?"},
		{"histogram", ask.Recipe{Label: "age", Noun: noun}, "How many patients by age?"},
		{"table", ask.Recipe{Noun: noun, Others: []ask.Field{{Role: "by", Label: "sex"},
			{Role: "by", Label: "city"}, {Role: "by", Label: "year"}}},
			"How many patients by sex, city and year?"},
		{"count", ask.Recipe{Label: "sex", Noun: noun, Domain: domain.Spec{
			Kind: domain.Category, Categories: []string{"w", "m"}}},
			"How many patients have sex w or m?"},
		{"share", ask.Recipe{Label: "age", Noun: noun, Domain: domain.Spec{
			Kind: domain.Integer, Lo: "65", Hi: "100"}},
			"What share of patients have age from 65 to 100?"},
	} {
		if got := by(c.id, c.r); got != c.want {
			t.Errorf("%s: %q, want %q", c.id, got, c.want)
		}
	}
}
