package webtest

import (
	"strings"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/web/state"
	"hush/web/state/form"
)

// Describe describes a column of whole numbers, whatever the first rows hold, as its owner would;
// without bounds all whole numbers are possible.
func Describe(m *state.Model, column int, lo, hi string) {
	describe(m, column, func(f *form.ColumnForm) {
		f.SetKind(domain.Integer)
		f.Lo, f.Hi, f.NoBounds = lo, hi, lo+hi == ""
	})
}

// DescribeAs describes a column of values as core knows them.
func DescribeAs(m *state.Model, column int, spec domain.Spec) {
	describe(m, column, func(f *form.ColumnForm) {
		f.Set(codebook.Values{Spec: spec, Whole: f.Bounded() && spec.Lo+spec.Hi == ""})
	})
}

// DescribeList describes a column of categories.
func DescribeList(m *state.Model, column int, categories ...string) {
	describe(m, column, func(f *form.ColumnForm) {
		f.SetKind(domain.Category)
		f.Categories = strings.Join(categories, "\n")
	})
}

func describe(m *state.Model, column int, change func(*form.ColumnForm)) {
	m.Codebook.Describe(column)
	m.Codebook.EditColumn(change)
	m.Codebook.DescribeAs(codebook.Errors)
}
