// Package message gives every text that a person reads in the language of that person.
//
// As with gettext the English text is the key, so that sources read as the page does, and a text
// without a translation is shown in English. A [Language] says it; nil is English:
//
//	say.Text("Cancel")
//	say.Format("Median of %s", column)
//	say.Count(n, "%d person", "%d persons", n)
//
// Every constant of type Key is a message; the catalogue (catalogue.json) lists them all, and is
// what a translator starts from. A sentence is one message with places for its parts, never glued
// together: the order of words is another one in other languages, and a translation may reorder the
// parts (%[2]s).
//
// No package of core keeps a language. It is passed to what says something: a session, a film, a
// table. What is refused is a phrase (core/phrase), which whoever shows it translates. So one
// program can speak to two readers at once.
package message

import (
	"strconv"
	"strings"

	"hush/core/phrase"
)

// Key is an English text that can be translated; as a format it has fmt's verbs.
type Key = phrase.Key

// Grouped writes a whole number with narrow spaces between thousands, which do not break: 1 234
// 567.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "−", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return sign + s
}
