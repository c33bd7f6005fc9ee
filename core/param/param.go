// Package param holds the one error with which core refuses a parameter, so that a form can mark
// the field.
package param

import "hush/core/phrase"

// Error says which parameter was refused, what was given and what would be accepted.
// Parameters are public, so its text never depends on private data.
type Error struct {
	Package string // the package that refused it: "mechanism"
	// the field's name as in the parameter struct, lower camel case: "epsilon"
	Field string
	Value phrase.Phrase // what was given, already printed (%q for text, %g for numbers)
	Want  phrase.Phrase // what would be accepted: "a number above 0 and at most 100"
}

// NotSet is the Value of a parameter that was not given.
const NotSet phrase.Key = "not set"

// Refuse returns the error for a field: value is what was given, as text or as anything Phrased;
// want is a format that says what would be accepted.
func Refuse(pkg, field string, value any, want phrase.Key, args ...any) *Error {
	return New(pkg, field, phrase.From(value), phrase.Of(want, args...))
}

// New is Refuse for phrases. However long a text was given, the error quotes little of it.
func New(pkg, field string, value, want phrase.Phrase) *Error {
	return &Error{pkg, phrase.Short(field), value.Short(), want}
}

func (e *Error) Error() string { return e.Phrase().String() }

// Phrase returns the text of the error.
func (e *Error) Phrase() phrase.Phrase {
	return phrase.Of("%s: %s is %s, want %s", e.Package, e.Field, e.Value, e.Want)
}
