package form

import "hush/core/phrase"

// Named pairs a value of a public list with its name.
type Named struct {
	Value string
	Text  phrase.Key
}
