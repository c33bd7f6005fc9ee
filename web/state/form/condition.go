package form

import (
	"strings"

	"hush/core/domain"
	"hush/core/table"
)

// ConditionForm is one public condition as it is typed: only people who meet all conditions have a
// value.
type ConditionForm struct {
	Column   int // from 1
	Test     string
	From, To string // of a range; either may be empty
	List     string // values, one per line

	// Spellings, Other, Fold and Missing are those of the column's list, as in a domain: what else
	// counts as the values. They are not typed.
	Spellings []domain.Spelling
	Other     string
	Fold      bool
	Missing   []string
}

// The tests a condition can make.
const (
	TestNumbers = "numbers" // a number from … to …
	TestDates   = "dates"   // a date from … to …
	TestOneOf   = "one"     // one of a list
	TestNoneOf  = "none"    // none of a list
)

// TestNames are the tests of a condition in words.
var TestNames = []Named{
	{TestOneOf, "one of these"},
	{TestNoneOf, "none of these"},
	{TestNumbers, "a number from … to …"},
	{TestDates, "a date from … to …"},
}

// Condition returns the condition in the form of package table.
func (c ConditionForm) Condition() table.Condition {
	condition := table.Condition{Column: c.Column}
	switch c.Test {
	case TestNumbers, TestDates:
		condition.Spec = domain.Spec{Kind: domain.Float64}
		if c.Test == TestDates {
			condition.Spec.Kind = domain.Date
		}
		condition.From, condition.To = c.From, c.To
	default:
		condition.Spec = domain.Spec{Kind: domain.Category, Categories: Split(c.List, "\n"),
			Spellings: c.Spellings, Other: c.Other, Fold: c.Fold, Missing: c.Missing}
		condition.Not = c.Test == TestNoneOf
	}
	return condition
}

// Spelled returns the condition for a column described by a list in which several spellings are one
// value: each of them counts as it does there, even where it is typed.
func (c ConditionForm) Spelled(column domain.Spec) ConditionForm {
	if !column.Spelled() || c.Test != TestOneOf && c.Test != TestNoneOf {
		return c
	}
	names := column.Meant(Split(c.List, "\n"))
	some := column.Among(names)
	c.List, c.Spellings, c.Other = strings.Join(names, "\n"), some.Spellings, some.Other
	c.Fold, c.Missing = some.Fold, nil
	if some.Other != "" {
		c.Missing = some.Missing
	}
	return c
}

// Complete reports whether the condition says something.
func (c ConditionForm) Complete() bool {
	switch c.Test {
	case TestNumbers, TestDates:
		return c.From != "" || c.To != ""
	}
	return len(Split(c.List, "\n")) > 0
}
