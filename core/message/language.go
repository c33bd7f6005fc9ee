package message

import "encoding/json"

// Language is a file of messages: the catalogue, or a translation of it. Both have one shape.
type Language struct {
	Tag       string          `json:"language"`            // of BCP 47: "pt-BR"
	Name      string          `json:"name"`                // of the language in itself: "Português (Brasil)"
	Direction string          `json:"direction,omitempty"` // "rtl" where it is written from right to left
	Messages  map[Key]Message `json:"messages"`            // what is not there is shown in English

	category func(n int64) string
}

// Message is one message: a text, or the forms of a text about a number of things, by the plural category (CLDR) of that number.
type Message struct {
	Text   string            `json:"text,omitempty"`
	Plural map[string]string `json:"plural,omitempty"`

	// Format says that a % starts a place, and Used which files say it: only in the catalogue.
	Format bool     `json:"format,omitempty"`
	Used   []string `json:"used,omitempty"`
}

// Other is the plural category that every language has. A message with plural forms goes by the English text of this one.
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

// Read reads a file of messages.
func Read(file []byte) (*Language, error) {
	l := new(Language)
	if err := json.Unmarshal(file, l); err != nil {
		return nil, err
	}
	return l, nil
}

// Use makes l the language of everything that is said from now on; nil is English. category tells the plural category of a number in it;
// nil stands for the rule of English.
func Use(l *Language, category func(n int64) string) {
	if l != nil {
		l.category = category
		if category == nil {
			l.category = english
		}
	}
	loaded = l
}

// Spoken is the language that everything is said in: its tag, and the direction that it is written in, "ltr" or "rtl".
func Spoken() (tag, direction string) {
	switch {
	case loaded == nil:
		return "en", "ltr"
	case loaded.Direction == "":
		return loaded.Tag, "ltr"
	}
	return loaded.Tag, loaded.Direction
}

// InEnglish calls f while everything is said in English: what programs read is the same in every language.
func InEnglish(f func()) {
	kept := loaded
	loaded = nil
	defer func() { loaded = kept }()
	f()
}

func english(n int64) string {
	if n == 1 {
		return "one"
	}
	return Other
}
