// Package param holds the one error with which core refuses a parameter, so that a form can mark the field.
package param

import "fmt"

// Error says which parameter was refused, what was given and what would be accepted.
// Parameters are public, so its text never depends on private data.
type Error struct {
	Package string // the package that refused it: "mechanism"
	Field   string // the field's name as in the parameter struct, lower camel case: "epsilon"
	Value   string // what was given, already printed (%q for text, %g for numbers)
	Want    string // what would be accepted, a phrase: "a number above 0 and at most 100"
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s is %s, want %s", e.Package, e.Field, e.Value, e.Want)
}
