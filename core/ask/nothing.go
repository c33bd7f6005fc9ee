package ask

import "hush/core/phrase"

// NothingError is Run's answer where a search ended without a good enough answer. That is an
// outcome like any other: the guarantee covers it, and it is paid for. It is an error because there
// is no result, and it is nobody's mistake.
type NothingError struct{ *said }

type said = phrase.Error

// FoundNothing returns a *NothingError that says what was looked for.
func FoundNothing(format phrase.Key, args ...any) error {
	return &NothingError{phrase.Errorf(format, args...).(*phrase.Error)}
}
