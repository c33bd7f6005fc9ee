package phrase

import (
	"fmt"
	"slices"
	"strings"
)

// Fault is a constant error. Its text is English; see [ErrorIn].
type Fault Key

func (f Fault) Error() string { return string(f) }

// Phrase is the text of the error.
func (f Fault) Phrase() Phrase { return Key(f).Phrase() }

// Error is an error with a phrase. Its text is English; see [ErrorIn].
type Error struct {
	phrase  Phrase
	english error // with the wrapped errors
}

// Errorf is fmt.Errorf with a phrase: the verb %w wraps. Of a long text among args it quotes both
// ends ([Short]).
func Errorf(format Key, args ...any) error {
	args = slices.Clone(args)
	list := make([]any, len(args))
	for i, arg := range args {
		if text, is := arg.(string); is {
			arg = Short(text)
			args[i] = arg
		}
		list[i] = arg
		if _, ok := arg.(error); !ok {
			list[i] = translated(english{}, arg)
		}
	}
	return &Error{Of(format, args...), fmt.Errorf(string(format), list...)}
}

func (e *Error) Error() string { return e.english.Error() }

// Unwrap leads to what %w wrapped.
func (e *Error) Unwrap() error { return e.english }

// Phrase is the text of the error.
func (e *Error) Phrase() Phrase { return e.phrase }

// ErrorIn is the text of an error in a language: of one that is Phrased its phrase, of another one
// its own text, in which the texts of the errors that it wraps are translated.
func ErrorIn(l Language, err error) string {
	if p, ok := err.(Phrased); ok {
		return p.Phrase().In(l)
	}
	text := err.Error()
	for _, inner := range wrapped(err) {
		if english := inner.Error(); english != "" {
			text = strings.Replace(text, english, ErrorIn(l, inner), 1)
		}
	}
	return text
}

// wrapped lists what an error wraps directly.
func wrapped(err error) []error {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return []error{inner}
		}
	}
	return nil
}
