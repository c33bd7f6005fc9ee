package state_test

import (
	"strings"
	"testing"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/state/form"
	"hush/web/webtest"
)

// visits are of three persons.
const visits = "patient,day,cost,ward\nann,1,20,Hill\nbob,2,30,Park\nann,3,50,Park\ncid,1,5,Hill\n"

// TestPersonsRows: what the form says of a person's rows goes into the question and the codebook;
// what is not whole asks nothing.
func TestPersonsRows(t *testing.T) {
	m, f := opened(t, visits)
	webtest.DescribeAs(m, 2, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9"})
	webtest.DescribeAs(m, 3, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"})
	m.Ask()
	m.ChooseTask("mean")
	f.Settle()
	use := func(u form.UseForm) {
		m.EditBook("", func(b *form.BookForm) {
			b.Each, b.Column, b.Use = codebook.Several, 1, u
		})
		f.Settle()
	}
	for _, c := range []struct {
		form form.UseForm
		want string // in the recipe
		lack bool
	}{
		{form.UseForm{}, "", false},
		{form.UseForm{How: form.SomeRows}, "", true},
		{form.UseForm{How: form.SomeRows, Rows: " 4 "}, `"use":{"rows":4}`, false},
		{form.UseForm{How: form.ByGroup, Rows: "2", Groups: "3", GroupColumn: 4},
			`"use":{"rows":2,"groups":3,"column":4}`, false},
		{form.UseForm{How: form.ByGroup, Rows: "2", Groups: "3"}, "", true},
		{form.UseForm{How: form.OneValue, ValueColumn: 3, Of: table.Sum},
			`"use":{"values":[{"column":3,"of":"sum"}]}`, false},
		{form.UseForm{How: form.OneValue, ValueColumn: 3, Of: table.Latest}, "", true},
		{form.UseForm{How: form.OneValue, ValueColumn: 3, Of: table.Latest, By: 2},
			`"of":"latest","by":{"column":2,"spec":{"kind":"integer","lo":"0","hi":"9"`, false},
	} {
		use(c.form)
		text := engine.Encode(m.Recipe())
		if c.want == "" && strings.Contains(text, `"use"`) || !strings.Contains(text, c.want) {
			t.Errorf("%+v: the recipe is %s, want %s", c.form, text, c.want)
		}
		if lacks := m.Missing() == "Say which rows of each person count."; lacks != c.lack {
			t.Errorf("%+v: missing %q", c.form, m.Missing())
		}
		if !c.lack {
			if m.BookFault("rows.use.rows")+m.BookFault("rows.use.by") != "" {
				t.Errorf("%+v is refused", c.form)
			}
			back, err := codebook.Decode([]byte(m.CodebookText()))
			if err != nil || form.BookFormOf(back).Use.How != c.form.How {
				t.Errorf("%+v does not come back: %v", c.form, err)
			}
		}
	}
	use(form.UseForm{How: form.SomeRows, Rows: "many"})
	if m.BookFault("rows.use.rows") == "" {
		t.Error("many rows are taken for a number")
	}
	use(form.UseForm{How: form.ByGroup, Rows: "2", Groups: "x", GroupColumn: 4})
	if m.BookFault("rows.use.groups") == "" {
		t.Error("x groups are taken for a number")
	}
}
