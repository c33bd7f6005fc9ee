// Package phrase holds what core says to people before it is in anybody's language.
//
// A [Phrase] is an English text and what fills its places; its String is English. Who knows the
// reader's language gives the same phrase in it ([Phrase.In]), with everything inside of it:
//
//	phrase.Of("a whole number from %d to 2^64", least)
//	phrase.Count(n, "%d person", "%d persons", n)
//	phrase.Errorf("column %d: %w", i, err)
//
// So the algorithms keep no language, and two of them can run side by side for two readers. Every
// constant [Key], and every constant [Fault], is a message of the catalogue in core/message.
package phrase

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Key is an English text that can be translated; as a format it has fmt's verbs.
type Key string

// Phrase is the text without places.
func (k Key) Phrase() Phrase { return Phrase{kind: keyed, key: k} }

// A Phrased value is shown in the reader's language: phrases, keys, most errors, and values such as
// a privacy loss. As an argument of a phrase it is translated with it.
type Phrased interface{ Phrase() Phrase }

// Phrase is a text for people, in any language. The zero Phrase says nothing.
type Phrase struct {
	kind kind
	key  Key   // the text or format; of a counted one the form for many
	one  Key   // the form for one
	n    int64 // how many
	args []any
}

type kind uint8

const (
	plain   kind = iota // key as it is
	keyed               // key, translated
	counted             // one or key, by n
	glued               // args in a row
)

// Of is a text, or with args a format and what fills its places.
func Of(key Key, args ...any) Phrase { return Phrase{kind: keyed, key: key, args: args} }

// Count is a text about n things. English has two forms of it, other languages have more or fewer;
// args fill the places of whichever is taken, and a form without places ("one person") needs none.
func Count(n int64, one, other Key, args ...any) Phrase {
	return Phrase{kind: counted, key: other, one: one, n: n, args: args}
}

// Plain returns a text that is the same in every language: a number, a name, a quotation of the
// input.
func Plain(text string) Phrase { return Phrase{key: Key(text)} }

// Glue is parts in a row: texts as they are, what is Phrased translated. It is for sentences and
// for the items of lists; the words of one sentence belong into one key.
func Glue(parts ...any) Phrase { return Phrase{kind: glued, args: parts} }

// Join is a list with a separator between its items.
func Join(list []Phrase, separator any) Phrase {
	var parts []any
	for i, p := range list {
		if i > 0 {
			parts = append(parts, separator)
		}
		parts = append(parts, p)
	}
	return Glue(parts...)
}

// From is the phrase of anything: its own, or what fmt prints, which is plain.
func From(value any) Phrase {
	switch v := value.(type) {
	case Phrased:
		return v.Phrase()
	case string:
		return Plain(v)
	}
	return Plain(fmt.Sprint(value))
}

// Language gives the texts and formats of a language.
type Language interface {
	// Text is the translation of k.
	Text(k Key) string
	// Form is the form of a text about n things.
	Form(n int64, one, other Key) string
}

// Phrase is p itself, so that a phrase stands where anything Phrased does.
func (p Phrase) Phrase() Phrase { return p }

// String is p in English.
func (p Phrase) String() string { return p.In(english{}) }

// IsZero says whether p says nothing; JSON with omitzero leaves it out.
func (p Phrase) IsZero() bool { return p.kind == plain && p.key == "" }

// In is p in a language.
func (p Phrase) In(l Language) string {
	switch p.kind {
	case keyed:
		if format := l.Text(p.key); len(p.args) > 0 {
			return fill(l, format, p.args)
		} else {
			return format
		}
	case counted:
		if format := l.Form(p.n, p.one, p.key); strings.Contains(format, "%") {
			return fill(l, format, p.args)
		} else {
			return format
		}
	case glued:
		var b strings.Builder
		for _, part := range p.args {
			fmt.Fprint(&b, translated(l, part))
		}
		return b.String()
	}
	return string(p.key)
}

// MarshalText writes p in English.
func (p Phrase) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a text as it is.
func (p *Phrase) UnmarshalText(text []byte) error {
	*p = Plain(string(text))
	return nil
}

// Capital makes the first letter of a text large.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// fill is fmt.Sprintf with translated args; the verb %w is there for errors.
func fill(l Language, format string, args []any) string {
	list := make([]any, len(args))
	for i, arg := range args {
		list[i] = translated(l, arg)
	}
	return fmt.Errorf(format, list...).Error()
}

// said is a translated argument: any verb for texts prints it, and %w too.
type said string

func (s said) Error() string { return string(s) }

func translated(l Language, arg any) any {
	switch a := arg.(type) {
	case Phrased:
		return said(a.Phrase().In(l))
	case error:
		return said(ErrorIn(l, a))
	}
	return arg
}

// english is the language of the keys.
type english struct{}

func (english) Text(k Key) string { return string(k) }

func (english) Form(n int64, one, other Key) string {
	if n == 1 {
		return string(one)
	}
	return string(other)
}
