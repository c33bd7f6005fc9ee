package parts

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"hush/core/task"
)

// TestEveryMechanismIsExplained: the glossary has a word for the mechanism of every task.
// "mechanism" alone says too little.
func TestEveryMechanismIsExplained(t *testing.T) {
	for _, task := range task.Catalogue() {
		if !slices.ContainsFunc(wordsIn(string(task.Algorithm)), func(w Word) bool {
			return w.Term != "mechanism" && w.Term != "noise"
		}) {
			t.Errorf("no word explains %q, the algorithm of %s: add one to the list in glossary.go",
				task.Algorithm, task.ID)
		}
	}
}

func TestWordsAreFoundInTexts(t *testing.T) {
	for text, want := range map[string][]string{
		"ε = 0.5, δ ≤ 0.001, approximate differential privacy": {
			"differential privacy", "ε (epsilon)", "δ (delta)", "pure and approximate"},
		"discrete Laplace mechanism on counts": {
			"mechanism", "discrete Laplace mechanism"},
		"In 95 of 100 releases": {"95 of 100"},
		"Nothing of the kind":   nil,
	} {
		var got []string
		for _, w := range wordsIn(text) {
			got = append(got, string(w.Term))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q uses %q, want %q", text, got, want)
		}
	}
}

func TestGlossaryIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range Glossary {
		if w.Term == "" || len(w.Plain) < 40 || seen[Slug(string(w.Term))] || len(w.Plain) > 400 {
			t.Errorf("%q lacks a term or a text of a few sentences, or is there twice", w.Term)
		}
		seen[Slug(string(w.Term))] = true
		if n := len(sentenceEnds.FindAllString(string(w.Plain), -1)); n < 1 || n > 2 {
			t.Errorf("%q has %d sentences, want one or two", w.Term, n)
		}
		for _, form := range w.Forms {
			if string(form) != strings.ToLower(string(form)) {
				t.Errorf("%q: the form %q is never found, since texts are searched in lower case",
					w.Term, form)
			}
		}
	}
}

var sentenceEnds = regexp.MustCompile(`[.!?]( [A-Z]|$)`)
