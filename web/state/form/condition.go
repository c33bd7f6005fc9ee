package form

import (
	"hush/core/domain"
	"hush/core/table"
)

// ConditionForm is one public condition as it is typed: only who meets all of them has a value.
type ConditionForm struct {
	Column   int // from 1
	Test     string
	From, To string // of a range, either may be empty
	List     string // values, one a line
}

// The tests a condition can make.
const (
	TestNumbers = "numbers" // a number from … to …
	TestDates   = "dates"   // a date from … to …
	TestOneOf   = "one"     // one of a list
	TestNoneOf  = "none"    // none of a list
)

// TestNames are the tests of a condition as a person reads them.
var TestNames = []Named{
	{TestOneOf, "one of these"},
	{TestNoneOf, "none of these"},
	{TestNumbers, "a number from … to …"},
	{TestDates, "a date from … to …"},
}

// Condition is the condition as core knows it.
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
		condition.Spec = domain.Spec{Kind: domain.Category, Categories: Split(c.List, "\n")}
		condition.Not = c.Test == TestNoneOf
	}
	return condition
}

// Complete reports whether the condition says something.
func (c ConditionForm) Complete() bool {
	switch c.Test {
	case TestNumbers, TestDates:
		return c.From != "" || c.To != ""
	}
	return len(Split(c.List, "\n")) > 0
}
