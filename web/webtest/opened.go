package webtest

import (
	"testing"

	"hush/web/state"
)

// Visits is a file about three persons.
const Visits = "patient,day,cost,ward\nann,1,20,Hill\nbob,2,30,Park\nann,3,50,Park\ncid,1,5,Hill\n"

// Opened returns a model whose file was opened and confirmed: each row is another person.
func Opened(t *testing.T, file string) (*state.Model, *Fake) {
	t.Helper()
	m, f := Started(t)
	f.File = []byte(file)
	m.Data.Open(FakeFile("books.csv"))
	f.Settle()
	Confirm(m)
	return m, f
}
