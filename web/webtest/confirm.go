package webtest

import (
	"hush/core/codebook"
	"hush/web/state"
	"hush/web/state/form"
)

// Confirm confirms how the file is read, as the owner of a file in which each row is another
// person.
func Confirm(m *state.Model) {
	m.Codebook.Edit("", func(b *form.BookForm) { b.Each, b.Column = codebook.One, 0 })
	m.Data.Confirm()
}
