package form

import "hush/core/message"

// Named is one of a public list, and its name.
type Named struct {
	Value string
	Text  message.Key
}
