// Package say gives every text of the program in the language of its reader:
//
//	say.Text("Cancel")
//	say.Format("Median of %s", column)
//	say.Count(n, "%d person", "%d persons", n)
//
// It holds the only language of the whole program. The page, and the engine in its worker, each
// have one reader: they set it once, before anything is said, and only one goroutine at a time runs
// there. Core keeps none: what says something in core is given [Language].
package say

import (
	"hush/core/message"
	"hush/core/phrase"
)

// spoken is the language in use; nil stands for English.
var spoken *message.Language

// Use makes l the language of everything that is said from now on; nil stands for English.
func Use(l *message.Language) { spoken = l }

// Language returns the reader's language, for code in core that says something; nil stands for
// English.
func Language() *message.Language { return spoken }

// Spoken returns the tag of the reader's language, and the direction in which it is written, "ltr"
// or "rtl".
func Spoken() (tag, direction string) { return spoken.Spoken() }

// InEnglish calls f while everything is said in English.
func InEnglish(f func()) {
	kept := spoken
	spoken = nil
	defer func() { spoken = kept }()
	f()
}

// Text returns the text in the reader's language.
func Text(k phrase.Key) string { return spoken.Text(k) }

// Texts applies Text to each.
func Texts(keys ...phrase.Key) []string {
	list := make([]string, len(keys))
	for i, k := range keys {
		list[i] = Text(k)
	}
	return list
}

// Format is fmt.Sprintf with a format in the reader's language.
func Format(format phrase.Key, args ...any) string { return spoken.Format(format, args...) }

// Count returns a text about n things, in the form that the reader's language has for n of them.
func Count(n int64, one, other phrase.Key, args ...any) string {
	return spoken.Count(n, one, other, args...)
}

// Phrase returns a phrase in the reader's language.
func Phrase(p phrase.Phrased) string { return spoken.Phrase(p) }

// Error returns the text of an error in the reader's language.
func Error(err error) string { return spoken.Error(err) }
