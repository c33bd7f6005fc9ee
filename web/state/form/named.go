package form

import "hush/core/phrase"

// Named is one of a public list, and its name.
type Named struct {
	Value string
	Text  phrase.Key
}
