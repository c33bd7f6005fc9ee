package course_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"hush/core/phrase"
	"hush/web/state/course"
)

// The lessons should read like a newspaper: those of a large readership are at grades 8 to 10 of
// Flesch and Kincaid's formula (years of school). It knows the lengths of sentences and of words
// and nothing of sense, so a second test looks for the words of the field, which are short, too.
const (
	mostWords = 16.0 // of a sentence, on average
	mostGrade = 8.0
	longest   = 32 // words of one sentence
)

// TestReadingLevel: each lesson is within these limits.
func TestReadingLevel(t *testing.T) {
	for i, w := range course.All {
		var words []string
		sentences := 0
		for _, text := range textsOf(w) {
			if !strings.ContainsAny(text[len(text)-1:], ".?!") {
				continue // a name, which would make the average small
			}
			for _, sentence := range sentencesOf(text) {
				list := wordsOf(sentence)
				if len(list) > longest {
					t.Errorf("lesson %d: %d words in “%s”", i+1, len(list), sentence)
				}
				sentences++
				words = append(words, list...)
			}
		}
		mean, grade := gradeOf(words, sentences)
		t.Logf("lesson %d: %.1f words a sentence, grade %.1f", i+1, mean, grade)
		if mean > mostWords || grade > mostGrade {
			t.Errorf("lesson %d: %.1f words a sentence, at most %g; grade %.1f, at most %g", i+1,
				mean, mostWords, grade, mostGrade)
		}
	}
	if _, grade := gradeOf(wordsOf("The aforementioned probabilistic mechanism approximately "+
		"guarantees indistinguishability of neighbouring distributions under adaptive "+
		"composition."), 1); grade < 15 {
		t.Errorf("a sentence of a paper has grade %.1f", grade)
	}
}

// TestPlainWords: the lessons do without the words of the field, but for those that they teach.
func TestPlainWords(t *testing.T) {
	rare := regexp.MustCompile(`(?i)\b(mechanism|sensitivity|neighbour\w*|laplac\w*|gaussian|` +
		`distribution|variance|parameter|algorithm|composition|delta|randomi[sz]ed|` +
		`adversary|stochastic|posterior|bayes\w*|estimator|query|queries|dataset|privacy loss|` +
		`ratio|logarithm|exponential|hypothesis|coefficient|heuristic|w\.r\.t|i\.e|e\.g)\b|[δρ^√∑]`)
	for i, w := range course.All[:course.Lessons] {
		for _, text := range textsOf(w) {
			if found := rare.FindString(text); found != "" {
				t.Errorf("lesson %d says %q: %s", i+1, found, text)
			}
		}
	}
	if rare.FindString("A Laplace mechanism") == "" {
		t.Error("no word of the field is found")
	}
}

func textsOf(w course.Words) (texts []string) {
	keys := []phrase.Key{w.Title, w.About, w.Lead, w.Rule, w.Bet, w.Yes, w.No, w.Keep, w.Question,
		w.Why, w.Speaker}
	for _, bet := range w.Bets {
		keys = append(keys, bet.Name, bet.About)
	}
	for _, key := range append(keys, w.Answers...) {
		if key != "" {
			texts = append(texts, string(key))
		}
	}
	return texts
}

func sentencesOf(text string) []string {
	return regexp.MustCompile(`[.!?]\s+`).Split(text, -1)
}

func wordsOf(sentence string) []string {
	return strings.FieldsFunc(sentence, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("’'-", r)
	})
}

// syllablesOf counts groups of vowels; a last e alone is silent.
func syllablesOf(word string) int {
	word = strings.ToLower(word)
	n := len(regexp.MustCompile(`[aeiouyäöü]+`).FindAllString(word, -1))
	if strings.HasSuffix(word, "e") && !strings.HasSuffix(word, "le") && n > 1 {
		n--
	}
	return max(n, 1)
}

// gradeOf returns the words of a sentence, on average, and the grade by the formula.
func gradeOf(words []string, sentences int) (mean, grade float64) {
	syllables := 0
	for _, word := range words {
		syllables += syllablesOf(word)
	}
	n := float64(len(words))
	mean = n / float64(sentences)
	return mean, 0.39*mean + 11.8*float64(syllables)/n - 15.59
}
