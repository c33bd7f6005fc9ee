// Package message gives every text that a person reads in the language of that person.
//
// As with gettext the English text is the key, so that sources read as the page does, and a text without a translation is shown
// in English:
//
//	message.Text("Cancel")
//	message.Format("Median of %s", column)
//	message.Count(n, "%d person", "%d persons")
//
// Every constant of type Key is a message; the catalogue (catalogue.json) lists them all, and is what a translator starts from.
// A sentence is one message with places for its parts, never glued together: the order of words is another one in other
// languages, and a translation may reorder the parts (%[2]s).
//
// The language is the one state of a whole program in core: the page and the engine load it once, before they say anything.
package message

import (
	"strconv"
	"strings"

	"hush/core/phrase"
)

// Key is an English text that can be translated; as a format it has fmt's verbs.
type Key = phrase.Key

// Error is a constant error.
type Error = phrase.Fault

// loaded is nil for English.
var loaded *Language

// Text is the text in the reader's language.
func Text(k Key) string { return loaded.Text(k) }

// Texts is Text of each.
func Texts(keys ...Key) []string {
	list := make([]string, len(keys))
	for i, k := range keys {
		list[i] = Text(k)
	}
	return list
}

// Said is a phrase in the reader's language.
func Said(p phrase.Phrased) string { return loaded.Phrase(p) }

// Failure is the text of an error in the reader's language.
func Failure(err error) string { return loaded.Error(err) }

// Format is fmt.Sprintf with a format in the reader's language.
func Format(format Key, args ...any) string { return loaded.Format(format, args...) }

// Errorf is fmt.Errorf with a phrase: Failure says it in the reader's language.
func Errorf(format Key, args ...any) error { return phrase.Errorf(format, args...) }

// Grouped writes a whole number with narrow spaces between thousands, which do not break: 1 234 567.
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

// Count is a text about n things, in the form that the reader's language has for n of them.
func Count(n int64, one, other Key, args ...any) string {
	return loaded.Count(n, one, other, args...)
}
