// Package search finds questions by words.
package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/web/say"
)

// Questions lists the questions that contain all of the words, starting with those that have them
// in their title; without words it lists all. Words that no question contains are about the data,
// as in “share of women”, as are those that only join others.
func Questions(tasks []ask.Task, sought string) []ask.Task {
	words := asking(tasks, wordsOf(strings.ToLower(sought)))
	var found []ask.Task
	rank := map[string]int{}
	for _, t := range tasks {
		fits, texts := true, textsOf(t)
		for _, w := range words {
			at := slices.IndexFunc(texts, func(text string) bool { return has(text, w) })
			fits = fits && at >= 0
			rank[t.ID] += at
		}
		if fits {
			found = append(found, t)
		}
	}
	slices.SortStableFunc(found, func(a, b ask.Task) int {
		return cmp.Compare(rank[a.ID], rank[b.ID])
	})
	return found
}

// textsOf returns the texts by which a question is found, the most telling first.
func textsOf(t ask.Task) (texts []string) {
	for _, k := range []phrase.Key{t.Title, t.Synonyms, t.Question, t.Sentence, t.Algorithm,
		t.Section} {
		texts = append(texts, strings.ToLower(say.Text(k)))
	}
	return texts
}

// has reports whether a word of a text begins with w.
func has(text, w string) bool {
	return slices.ContainsFunc(wordsOf(text), func(word string) bool {
		return strings.HasPrefix(word, w)
	})
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:.…?(){}-", r)
	})
}

// joining are words that mean nothing alone in a search.
const joining = " a an the of in by for with are is who "

// asking returns the words that some question contains; all of them if none does.
func asking(tasks []ask.Task, words []string) []string {
	known := slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return strings.Contains(joining, " "+w+" ") ||
			!slices.ContainsFunc(tasks, func(t ask.Task) bool {
				return slices.ContainsFunc(textsOf(t), func(text string) bool {
					return has(text, w)
				})
			})
	})
	if len(known) == 0 {
		return words
	}
	return known
}
