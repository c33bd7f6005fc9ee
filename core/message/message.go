// Package message gives every text that a person reads in the language of that person.
//
// As with gettext the English text is the key, so that sources read as the page does, and a text
// without a translation is shown in English. A [Language] says it; nil is English:
//
//	say.Text("Cancel")
//	say.Format("Median of %s", column)
//	say.Count(n, "1 book", "%d books", n)
//
// Every constant of type Key is a message; [hush/core/message/texts] lists them all, which is
// what a translator starts from. A sentence is one message with places for its parts, never glued
// together: the order of words is another one in other languages, and a translation may reorder the
// parts (%[2]s).
//
// No package of core keeps a language; it is passed to the session, film or table that produces
// text. A refusal is a phrase (core/phrase), translated where it is shown. So one program can serve
// two readers in two languages.
package message

import (
	"math/big"

	"hush/core/phrase"
)

// Key is an English text that can be translated; as a format it has fmt's verbs.
type Key = phrase.Key

// Grouped writes a whole number in groups of three digits, which do not break: 1 234 567.
func Grouped(n int64) string { return phrase.Grouped(n) }

// GroupedText writes a decimal number, given as text, in such groups; any other text stays.
func GroupedText(text string) string { return phrase.GroupedText(text) }

// Prose writes a number as sentences have it: with three significant figures.
func Prose(x float64) string { return phrase.Prose(x) }

// Chance writes a small probability as "1 in 10 million", never understating it.
func Chance(p *big.Rat) phrase.Phrase { return phrase.Chance(p) }
