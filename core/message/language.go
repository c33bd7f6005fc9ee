package message

import (
	"encoding/json"

	"hush/core/phrase"
)

// Language is a file of messages: the catalogue, or a translation of it; both have the same shape.
// Its methods are safe for concurrent use if its category function is.
type Language struct {
	Tag string `json:"language"` // of BCP 47: "pt-BR"
	// of the language in itself: "Português (Brasil)"
	Name string `json:"name"`
	// "rtl" where it is written from right to left
	Direction string          `json:"direction,omitempty"`
	Messages  map[Key]Message `json:"messages"` // what is not there is shown in English

	category func(n int64) string
}

// Message is one message: a text, or the forms of a text about a number of things, by the plural
// category (CLDR) of that number.
type Message struct {
	Text   string            `json:"text,omitempty"`
	Plural map[string]string `json:"plural,omitempty"`

	// Format says that a % starts a place, and Used lists the files that say the message. Only the
	// catalogue has them.
	Format bool     `json:"format,omitempty"`
	Used   []string `json:"used,omitempty"`
}

// Other is the plural category that every language has. The key of a message with plural forms is
// the English text of this one.
const Other = "other"

func (m Message) form(category, english string) string {
	if text, ok := m.Plural[category]; ok {
		return text
	}
	if text, ok := m.Plural[Other]; ok {
		return text
	}
	return english
}

// Text returns the text of k in this language; a nil Language is English.
func (l *Language) Text(k Key) string {
	if l != nil {
		if m, ok := l.Messages[k]; ok && m.Text != "" {
			return m.Text
		}
	}
	return string(k)
}

// Form returns the form of a text about n things; a nil Language is English.
func (l *Language) Form(n int64, one, other Key) string {
	format := string(other)
	if n == 1 {
		format = string(one)
	}
	if l != nil {
		if m, ok := l.Messages[other]; ok {
			if l.category == nil {
				return m.form(english(n), format)
			}
			return m.form(l.category(n), format)
		}
	}
	return format
}

// Format is fmt.Sprintf with the format put into this language, and with it all args that are
// Phrased or errors.
func (l *Language) Format(format Key, args ...any) string {
	return phrase.Of(format, args...).In(l)
}

// Count returns a text about n things in this language: see [phrase.Count].
func (l *Language) Count(n int64, one, other Key, args ...any) string {
	return phrase.Count(n, one, other, args...).In(l)
}

// Phrase returns p in this language.
func (l *Language) Phrase(p phrase.Phrased) string { return p.Phrase().In(l) }

// Error returns the text of an error in this language.
func (l *Language) Error(err error) string { return phrase.ErrorIn(l, err) }

// Read reads a file of messages.
func Read(file []byte) (*Language, error) {
	l := new(Language)
	if err := json.Unmarshal(file, l); err != nil {
		return nil, err
	}
	return l, nil
}

// With returns a copy of l that knows the plural category of each number; nil stands for the rule
// of English.
func (l *Language) With(category func(n int64) string) *Language {
	if l == nil {
		return nil
	}
	with := *l
	with.category = category
	return &with
}

// Spoken returns the tag of the language, and the direction in which it is written, "ltr" or "rtl".
func (l *Language) Spoken() (tag, direction string) {
	switch {
	case l == nil:
		return "en", "ltr"
	case l.Direction == "":
		return l.Tag, "ltr"
	}
	return l.Tag, l.Direction
}

func english(n int64) string {
	if n == 1 {
		return "one"
	}
	return Other
}
