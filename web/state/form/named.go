package form

import "hush/core/phrase"

// A Named value is one of a public list, with its name.
type Named struct {
	Value string
	Text  phrase.Key
}
