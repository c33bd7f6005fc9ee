package webtest

import (
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"

	"hush/core/message"
)

// Pseudo is a language in which every message is in brackets, so that a text without them was never
// translated.
func Pseudo(t *testing.T) *message.Language {
	t.Helper()
	file, err := os.ReadFile("../../core/message/catalogue.json")
	if err != nil {
		t.Fatal(err)
	}
	l, err := message.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	for k, m := range l.Messages {
		if m.Plural == nil {
			m.Text = "⟦" + m.Text + "⟧"
		}
		m.Plural = maps.Clone(m.Plural)
		for category, text := range m.Plural {
			m.Plural[category] = "⟦" + text + "⟧"
		}
		l.Messages[k] = m
	}
	return l
}

// Names are the same in every language: units, formats, letters of formulas, made-up places, the
// name of this program.
var Names = []string{"hush", "csv", "json", "svg", "png", "zip", "html", "utf-8", "kb", "mb", "gb",
	"laplace", "utc", "years before", "park"}

// Word matches a word, which a letter of a formula is not.
var Word = regexp.MustCompile(`\p{Latin}{2}`)

// Outside is what a text holds outside of all brackets.
func Outside(text string) string {
	var b strings.Builder
	depth := 0
	for _, r := range text {
		switch {
		case r == '⟦':
			depth++
		case r == '⟧':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}
