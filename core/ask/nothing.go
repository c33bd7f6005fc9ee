package ask

import "hush/core/phrase"

// NothingError is what Run answers where a search ended with nothing that is good enough. That is
// an outcome like any other: the guarantee covers it, and it is paid for. It is an error since
// there is no result, and no mistake of anybody's.
type NothingError struct{ *said }

type said = phrase.Error

// FoundNothing is a *NothingError that says what was looked for.
func FoundNothing(format phrase.Key, args ...any) error {
	return &NothingError{phrase.Errorf(format, args...).(*phrase.Error)}
}
